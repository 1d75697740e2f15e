// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// createCluster keeps what a Fargate profile depends on. Its refusals have this
// package's texts.
func createCluster(t *tx, in *eks.CreateClusterInput) (*eks.CreateClusterOutput, error) {
	spec, err := t.clusterSpec(in)
	if err != nil {
		return nil, err
	}
	if t.lookup(spec.Name) != nil {
		return nil, inUse(spec.Name, "Cluster already exists with name: %s", spec.Name)
	}
	if t.region.Clusters.count >= t.cloud.opts.Quotas.Clusters {
		return nil, apiErrorf(codeResourceLimitExceeded, "Cluster limit exceeded for the account.")
	}
	cl := t.cloud.newCluster(t.caller, spec)
	cl.Token = aws.ToString(in.ClientRequestToken)
	cl.Creation = t.change(t.cloud.opts.Delays.CreateCluster)
	if vpc := in.ResourcesVpcConfig; vpc != nil {
		cl.SecurityGroups = slices.Clone(vpc.SecurityGroupIds)
		cl.Endpoint = endpointOf(vpc)
	}
	if access := in.AccessConfig; access != nil && access.AuthenticationMode != "" {
		cl.AuthMode = string(access.AuthenticationMode)
	}
	t.edits = append(t.edits, cl)
	return &eks.CreateClusterOutput{Cluster: t.describeCluster(cl)}, nil
}

func (t *tx) clusterSpec(in *eks.CreateClusterInput) (Cluster, error) {
	spec := Cluster{
		Name:    aws.ToString(in.Name),
		Version: aws.ToString(in.Version),
		RoleARN: aws.ToString(in.RoleArn),
		Subnets: []string{},
		Tags:    in.Tags,
	}
	if in.ResourcesVpcConfig != nil {
		spec.Subnets = slices.Clone(in.ResourcesVpcConfig.SubnetIds)
	}
	if !isName(spec.Name) || len(spec.Name) > maxProfileName {
		return spec, invalidParameter("The cluster name %q is not valid.", spec.Name)
	}
	if problem := tagProblem(in.Tags); problem != "" {
		return spec, invalidParameter("%s", problem)
	}
	if len(spec.Subnets) == 0 {
		return spec, invalidParameter("At least one subnet is required.")
	}
	for _, id := range spec.Subnets {
		s, known := t.region.Subnets[id]
		if !known && !t.cloud.opts.Lenient {
			return spec, invalidParameter("The subnet ID '%s' does not exist", id)
		}
		spec.VPC = s.VPC
	}
	return spec, nil
}

func describeCluster(t *tx, in *eks.DescribeClusterInput) (*eks.DescribeClusterOutput, error) {
	cl, err := t.cluster(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	return &eks.DescribeClusterOutput{Cluster: t.describeCluster(cl)}, nil
}

func listClusters(t *tx, in *eks.ListClustersInput) (*eks.ListClustersOutput, error) {
	created := func(name string) int64 { return t.lookup(name).CreatedAt.UnixMilli() }
	names, next, err := t.page(t.listing(t.clusterNames(), created), in.MaxResults, in.NextToken)
	if err != nil {
		return nil, err
	}
	return &eks.ListClustersOutput{Clusters: names, NextToken: next}, nil
}

func (t *tx) dropGoneClusters() {
	for _, name := range slices.Clone(t.region.Names) {
		t.lookup(name)
	}
}

// deleteCluster is refused while the cluster has profiles or an update in
// progress (texts: reported).
func deleteCluster(t *tx, in *eks.DeleteClusterInput) (*eks.DeleteClusterOutput, error) {
	cl, err := t.cluster(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	if err := t.checkClusterCanGo(cl); err != nil {
		return nil, err
	}
	edited := t.edit(cl)
	edited.Deletion = new(t.change(t.cloud.opts.Delays.DeleteCluster))
	return &eks.DeleteClusterOutput{Cluster: t.describeCluster(edited)}, nil
}

func (t *tx) checkClusterCanGo(cl *cluster) error {
	for _, name := range cl.Names {
		if status := cl.Profiles.get(name).status(t.now); status == types.FargateProfileStatusDeleting {
			return inUse(cl.Name, "Cannot delete because cluster %s currently has Fargate profile %s in status %s",
				cl.Name, name, status)
		}
	}
	switch {
	case len(cl.Names) > 0:
		return inUse(cl.Name, "Cluster has Fargate Profiles in ACTIVE/CREATING state")
	case cl.busy(t.now):
		return inUse(cl.Name, "Cannot delete because cluster %s currently has an update in progress", cl.Name)
	case cl.status(t.now) == types.ClusterStatusCreating, cl.status(t.now) == types.ClusterStatusDeleting:
		return inUse(cl.Name, "Cannot delete cluster %s because it is in status %s", cl.Name, cl.status(t.now))
	default:
		return nil
	}
}

// describeCluster returns a cluster as replies show it. Endpoint, issuer and
// certificate appear when it is no longer CREATING.
func (t *tx) describeCluster(cl *cluster) *types.Cluster {
	out := &types.Cluster{
		AccessConfig:            &types.AccessConfigResponse{AuthenticationMode: types.AuthenticationMode(cl.AuthMode)},
		Arn:                     aws.String(cl.ARN),
		CertificateAuthority:    &types.Certificate{},
		CreatedAt:               aws.Time(cl.CreatedAt),
		KubernetesNetworkConfig: networkConfig(),
		Name:                    aws.String(cl.Name),
		PlatformVersion:         aws.String("eks.1"),
		ResourcesVpcConfig:      vpcConfig(cl),
		RoleArn:                 aws.String(cl.RoleARN),
		Status:                  cl.status(t.now),
		Tags:                    cloneTags(cl.Tags),
		Version:                 aws.String(cl.Version),
	}
	if out.Status == types.ClusterStatusCreating {
		return out
	}
	region, suffix := t.caller.Region, dnsSuffixOf(t.caller.Region)
	out.CertificateAuthority.Data = aws.String(t.cloud.authority())
	out.Endpoint = aws.String(fmt.Sprintf("https://%s.gr7.%s.eks.%s", cl.ID, region, suffix))
	out.Identity = &types.Identity{Oidc: &types.OIDC{
		Issuer: aws.String(fmt.Sprintf("https://oidc.eks.%s.%s/id/%s", region, suffix, cl.ID)),
	}}
	return out
}

// endpointOf is what a create asks for: public access for all by default.
func endpointOf(vpc *types.VpcConfigRequest) endpointAccess {
	access := publicEndpoint()
	if vpc.EndpointPublicAccess != nil {
		access.Public = *vpc.EndpointPublicAccess
	}
	access.Private = aws.ToBool(vpc.EndpointPrivateAccess)
	if len(vpc.PublicAccessCidrs) > 0 {
		access.CIDRs = slices.Clone(vpc.PublicAccessCidrs)
	}
	return access
}

func publicEndpoint() endpointAccess {
	return endpointAccess{Public: true, CIDRs: []string{"0.0.0.0/0"}}
}

func networkConfig() *types.KubernetesNetworkConfigResponse {
	return &types.KubernetesNetworkConfigResponse{
		IpFamily:        types.IpFamilyIpv4,
		ServiceIpv4Cidr: aws.String("10.100.0.0/16"),
	}
}

func vpcConfig(cl *cluster) *types.VpcConfigResponse {
	return &types.VpcConfigResponse{
		ClusterSecurityGroupId: aws.String("sg-" + strings.ToLower(cl.ID[:17])),
		EndpointPublicAccess:   cl.Endpoint.Public,
		EndpointPrivateAccess:  cl.Endpoint.Private,
		PublicAccessCidrs:      slices.Clone(cl.Endpoint.CIDRs),
		SecurityGroupIds:       append([]string{}, cl.SecurityGroups...),
		SubnetIds:              slices.Clone(cl.Subnets),
		VpcId:                  aws.String(cl.VPC),
	}
}
