// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"
)

// CreateAccessEntry lets a principal of IAM into a cluster.
func (e *EKS) CreateAccessEntry(
	ctx context.Context, in *eks.CreateAccessEntryInput, optFns ...func(*eks.Options),
) (*eks.CreateAccessEntryOutput, error) {
	return invokeEKS[eks.CreateAccessEntryOutput](ctx, e, "CreateAccessEntry", in, optFns)
}

// DescribeAccessEntry returns the access entry of a principal.
func (e *EKS) DescribeAccessEntry(
	ctx context.Context, in *eks.DescribeAccessEntryInput, optFns ...func(*eks.Options),
) (*eks.DescribeAccessEntryOutput, error) {
	return invokeEKS[eks.DescribeAccessEntryOutput](ctx, e, "DescribeAccessEntry", in, optFns)
}

// ListAccessEntries returns a page of the principals that a cluster admits.
func (e *EKS) ListAccessEntries(
	ctx context.Context, in *eks.ListAccessEntriesInput, optFns ...func(*eks.Options),
) (*eks.ListAccessEntriesOutput, error) {
	return invokeEKS[eks.ListAccessEntriesOutput](ctx, e, "ListAccessEntries", in, optFns)
}

// DeleteAccessEntry shuts a principal out of a cluster.
func (e *EKS) DeleteAccessEntry(
	ctx context.Context, in *eks.DeleteAccessEntryInput, optFns ...func(*eks.Options),
) (*eks.DeleteAccessEntryOutput, error) {
	return invokeEKS[eks.DeleteAccessEntryOutput](ctx, e, "DeleteAccessEntry", in, optFns)
}
