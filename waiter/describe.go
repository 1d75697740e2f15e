// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// errEmptyAnswer is an answer without what was asked for, which EKS does not give
// but a proxy or a test double may.
var errEmptyAnswer = errors.New("waiter: the answer is empty")

// describe asks EKS for the profile once.
func describe(ctx context.Context, api eks.DescribeFargateProfileAPIClient, ref Ref, o *Options) (fargate.Observed, error) {
	in := &eks.DescribeFargateProfileInput{ClusterName: &ref.Cluster, FargateProfileName: &ref.Profile}
	out, err := api.DescribeFargateProfile(ctx, in, o.ClientOptions...)
	switch {
	case err != nil:
		return fargate.Observed{}, err
	case out == nil || out.FargateProfile == nil:
		return fargate.Observed{}, errEmptyAnswer
	}
	return sdkconv.Observed(out.FargateProfile), nil
}
