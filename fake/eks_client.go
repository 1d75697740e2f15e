// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"
)

// EKS is a client with the methods of *eks.Client that the Cloud implements, to
// be used in its place where code takes an interface. It needs no wire and no
// credentials. A call is one attempt: retries are the business of the SDK's own
// client, which works through HTTPClient.
type EKS struct {
	cloud  *Cloud
	caller Caller
}

// EKS returns a client for the Cloud's account and region, or for the caller
// that the options describe. Per-call options of the SDK may change the region;
// they have no other effect.
func (c *Cloud) EKS(optFns ...func(*Caller)) *EKS {
	var caller Caller
	for _, fn := range optFns {
		fn(&caller)
	}
	return &EKS{cloud: c, caller: c.resolve(caller)}
}

// invokeEKS makes one call. The table of operations ties each name to its types.
func invokeEKS[O, I any](
	ctx context.Context, e *EKS, name string, in *I, optFns []func(*eks.Options),
) (*O, error) {
	if in == nil {
		in = new(I)
	}
	options := eks.Options{Region: e.caller.Region}
	for _, fn := range optFns {
		fn(&options)
	}
	caller := e.caller
	caller.Region = options.Region
	op := e.cloud.operations[operationKey(serviceEKS, name)]
	output, err := e.cloud.invoke(ctx, caller, op, in, eksError)
	if err != nil {
		return nil, err
	}
	return output.(*O), nil
}

// CreateFargateProfile starts the creation of a profile.
func (e *EKS) CreateFargateProfile(
	ctx context.Context, in *eks.CreateFargateProfileInput, optFns ...func(*eks.Options),
) (*eks.CreateFargateProfileOutput, error) {
	if in != nil && in.ClientRequestToken == nil {
		filled := *in
		filled.ClientRequestToken = e.cloud.newToken()
		in = &filled
	}
	return invokeEKS[eks.CreateFargateProfileOutput](ctx, e, "CreateFargateProfile", in, optFns)
}

// DescribeFargateProfile returns a profile.
func (e *EKS) DescribeFargateProfile(
	ctx context.Context, in *eks.DescribeFargateProfileInput, optFns ...func(*eks.Options),
) (*eks.DescribeFargateProfileOutput, error) {
	return invokeEKS[eks.DescribeFargateProfileOutput](ctx, e, "DescribeFargateProfile", in, optFns)
}

// ListFargateProfiles returns a page of the names of a cluster's profiles.
func (e *EKS) ListFargateProfiles(
	ctx context.Context, in *eks.ListFargateProfilesInput, optFns ...func(*eks.Options),
) (*eks.ListFargateProfilesOutput, error) {
	return invokeEKS[eks.ListFargateProfilesOutput](ctx, e, "ListFargateProfiles", in, optFns)
}

// DeleteFargateProfile starts the deletion of a profile.
func (e *EKS) DeleteFargateProfile(
	ctx context.Context, in *eks.DeleteFargateProfileInput, optFns ...func(*eks.Options),
) (*eks.DeleteFargateProfileOutput, error) {
	return invokeEKS[eks.DeleteFargateProfileOutput](ctx, e, "DeleteFargateProfile", in, optFns)
}

// TagResource sets tags of a cluster or of a profile.
func (e *EKS) TagResource(
	ctx context.Context, in *eks.TagResourceInput, optFns ...func(*eks.Options),
) (*eks.TagResourceOutput, error) {
	return invokeEKS[eks.TagResourceOutput](ctx, e, "TagResource", in, optFns)
}

// UntagResource removes tags of a cluster or of a profile.
func (e *EKS) UntagResource(
	ctx context.Context, in *eks.UntagResourceInput, optFns ...func(*eks.Options),
) (*eks.UntagResourceOutput, error) {
	return invokeEKS[eks.UntagResourceOutput](ctx, e, "UntagResource", in, optFns)
}

// ListTagsForResource returns the tags of a cluster or of a profile.
func (e *EKS) ListTagsForResource(
	ctx context.Context, in *eks.ListTagsForResourceInput, optFns ...func(*eks.Options),
) (*eks.ListTagsForResourceOutput, error) {
	return invokeEKS[eks.ListTagsForResourceOutput](ctx, e, "ListTagsForResource", in, optFns)
}

// CreateCluster starts the creation of a cluster.
func (e *EKS) CreateCluster(
	ctx context.Context, in *eks.CreateClusterInput, optFns ...func(*eks.Options),
) (*eks.CreateClusterOutput, error) {
	if in != nil && in.ClientRequestToken == nil {
		filled := *in
		filled.ClientRequestToken = e.cloud.newToken()
		in = &filled
	}
	return invokeEKS[eks.CreateClusterOutput](ctx, e, "CreateCluster", in, optFns)
}

// DescribeCluster returns a cluster.
func (e *EKS) DescribeCluster(
	ctx context.Context, in *eks.DescribeClusterInput, optFns ...func(*eks.Options),
) (*eks.DescribeClusterOutput, error) {
	return invokeEKS[eks.DescribeClusterOutput](ctx, e, "DescribeCluster", in, optFns)
}

// ListClusters returns a page of the names of the region's clusters.
func (e *EKS) ListClusters(
	ctx context.Context, in *eks.ListClustersInput, optFns ...func(*eks.Options),
) (*eks.ListClustersOutput, error) {
	return invokeEKS[eks.ListClustersOutput](ctx, e, "ListClusters", in, optFns)
}

// DeleteCluster starts the deletion of a cluster.
func (e *EKS) DeleteCluster(
	ctx context.Context, in *eks.DeleteClusterInput, optFns ...func(*eks.Options),
) (*eks.DeleteClusterOutput, error) {
	return invokeEKS[eks.DeleteClusterOutput](ctx, e, "DeleteCluster", in, optFns)
}
