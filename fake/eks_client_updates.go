// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"
)

// UpdateClusterVersion starts an update of the Kubernetes version of a cluster.
func (e *EKS) UpdateClusterVersion(
	ctx context.Context, in *eks.UpdateClusterVersionInput, optFns ...func(*eks.Options),
) (*eks.UpdateClusterVersionOutput, error) {
	return invokeEKS[eks.UpdateClusterVersionOutput](ctx, e, "UpdateClusterVersion", in, optFns)
}

// UpdateClusterConfig starts an update of the authentication mode or of the
// endpoint access of a cluster.
func (e *EKS) UpdateClusterConfig(
	ctx context.Context, in *eks.UpdateClusterConfigInput, optFns ...func(*eks.Options),
) (*eks.UpdateClusterConfigOutput, error) {
	return invokeEKS[eks.UpdateClusterConfigOutput](ctx, e, "UpdateClusterConfig", in, optFns)
}

// DescribeUpdate returns an update of a cluster.
func (e *EKS) DescribeUpdate(
	ctx context.Context, in *eks.DescribeUpdateInput, optFns ...func(*eks.Options),
) (*eks.DescribeUpdateOutput, error) {
	return invokeEKS[eks.DescribeUpdateOutput](ctx, e, "DescribeUpdate", in, optFns)
}

// ListUpdates returns a page of the ids of a cluster's updates.
func (e *EKS) ListUpdates(
	ctx context.Context, in *eks.ListUpdatesInput, optFns ...func(*eks.Options),
) (*eks.ListUpdatesOutput, error) {
	return invokeEKS[eks.ListUpdatesOutput](ctx, e, "ListUpdates", in, optFns)
}

// DescribeClusterVersions returns a page of the Kubernetes versions of EKS.
func (e *EKS) DescribeClusterVersions(
	ctx context.Context, in *eks.DescribeClusterVersionsInput, optFns ...func(*eks.Options),
) (*eks.DescribeClusterVersionsOutput, error) {
	return invokeEKS[eks.DescribeClusterVersionsOutput](ctx, e, "DescribeClusterVersions", in, optFns)
}
