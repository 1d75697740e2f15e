// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

type createClusterJSON struct {
	Name               *string              `json:"name"`
	Version            *string              `json:"version"`
	RoleARN            *string              `json:"roleArn"`
	ResourcesVPCConfig *vpcRequestJSON      `json:"resourcesVpcConfig"`
	AccessConfig       *accessConfigRequest `json:"accessConfig"`
	ClientRequestToken *string              `json:"clientRequestToken"`
	Tags               map[string]string    `json:"tags"`
}

type vpcRequestJSON struct {
	SubnetIDs             []string `json:"subnetIds"`
	SecurityGroupIDs      []string `json:"securityGroupIds"`
	EndpointPublicAccess  *bool    `json:"endpointPublicAccess"`
	EndpointPrivateAccess *bool    `json:"endpointPrivateAccess"`
	PublicAccessCIDRs     []string `json:"publicAccessCidrs"`
}

func (v *vpcRequestJSON) request() *types.VpcConfigRequest {
	if v == nil {
		return nil
	}
	return &types.VpcConfigRequest{
		SubnetIds:             v.SubnetIDs,
		SecurityGroupIds:      v.SecurityGroupIDs,
		EndpointPublicAccess:  v.EndpointPublicAccess,
		EndpointPrivateAccess: v.EndpointPrivateAccess,
		PublicAccessCidrs:     v.PublicAccessCIDRs,
	}
}

type accessConfigRequest struct {
	AuthenticationMode string `json:"authenticationMode"`
}

func decodeCreateCluster(r restRequest, in *eks.CreateClusterInput) error {
	var body createClusterJSON
	if err := decodeBody(r.body, &body); err != nil {
		return err
	}
	in.Name, in.Version, in.RoleArn = body.Name, body.Version, body.RoleARN
	in.ClientRequestToken, in.Tags = body.ClientRequestToken, body.Tags
	in.ResourcesVpcConfig = body.ResourcesVPCConfig.request()
	if body.AccessConfig != nil {
		in.AccessConfig = &types.CreateAccessConfigRequest{
			AuthenticationMode: types.AuthenticationMode(body.AccessConfig.AuthenticationMode),
		}
	}
	return nil
}

func decodeDescribeCluster(r restRequest, in *eks.DescribeClusterInput) error {
	in.Name = &r.labels[0]
	return nil
}

func decodeDeleteCluster(r restRequest, in *eks.DeleteClusterInput) error {
	in.Name = &r.labels[0]
	return nil
}

func decodeListClusters(r restRequest, in *eks.ListClustersInput) (err error) {
	in.Include = r.query["include"]
	in.MaxResults, in.NextToken, err = pagingOf(r)
	return err
}

func encodeListClusters(_ Options, out *eks.ListClustersOutput) any {
	return struct {
		Clusters  []string `json:"clusters"`
		NextToken *string  `json:"nextToken"`
	}{orEmpty(out.Clusters), out.NextToken}
}

type clusterJSON struct {
	Name                 *string           `json:"name"`
	ARN                  *string           `json:"arn"`
	CreatedAt            *epoch            `json:"createdAt"`
	Version              *string           `json:"version"`
	Endpoint             *string           `json:"endpoint,omitempty"`
	RoleARN              *string           `json:"roleArn"`
	ResourcesVPCConfig   vpcReplyJSON      `json:"resourcesVpcConfig"`
	NetworkConfig        networkJSON       `json:"kubernetesNetworkConfig"`
	Identity             *identityJSON     `json:"identity,omitempty"`
	Status               string            `json:"status"`
	CertificateAuthority certificateJSON   `json:"certificateAuthority"`
	PlatformVersion      *string           `json:"platformVersion"`
	Tags                 map[string]string `json:"tags"`
	AccessConfig         accessReplyJSON   `json:"accessConfig"`
}

type vpcReplyJSON struct {
	SubnetIDs              []string `json:"subnetIds"`
	SecurityGroupIDs       []string `json:"securityGroupIds"`
	ClusterSecurityGroupID *string  `json:"clusterSecurityGroupId"`
	VPCID                  *string  `json:"vpcId"`
	EndpointPublicAccess   bool     `json:"endpointPublicAccess"`
	EndpointPrivateAccess  bool     `json:"endpointPrivateAccess"`
	PublicAccessCIDRs      []string `json:"publicAccessCidrs"`
}

type networkJSON struct {
	ServiceIPv4CIDR *string `json:"serviceIpv4Cidr"`
	IPFamily        string  `json:"ipFamily"`
}

type identityJSON struct {
	OIDC struct {
		Issuer *string `json:"issuer"`
	} `json:"oidc"`
}

type certificateJSON struct {
	Data *string `json:"data,omitempty"`
}

type accessReplyJSON struct {
	AuthenticationMode string `json:"authenticationMode"`
}

func wireCluster(cl *types.Cluster) any {
	vpc, network := cl.ResourcesVpcConfig, cl.KubernetesNetworkConfig
	out := clusterJSON{
		Name: cl.Name, ARN: cl.Arn, CreatedAt: epochOf(cl.CreatedAt), Version: cl.Version,
		Endpoint: cl.Endpoint, RoleARN: cl.RoleArn,
		ResourcesVPCConfig: vpcReplyJSON{
			SubnetIDs: orEmpty(vpc.SubnetIds), SecurityGroupIDs: orEmpty(vpc.SecurityGroupIds),
			ClusterSecurityGroupID: vpc.ClusterSecurityGroupId, VPCID: vpc.VpcId,
			EndpointPublicAccess: vpc.EndpointPublicAccess, EndpointPrivateAccess: vpc.EndpointPrivateAccess,
			PublicAccessCIDRs: orEmpty(vpc.PublicAccessCidrs),
		},
		NetworkConfig: networkJSON{ServiceIPv4CIDR: network.ServiceIpv4Cidr, IPFamily: string(network.IpFamily)},
		Status:        string(cl.Status), CertificateAuthority: certificateJSON{cl.CertificateAuthority.Data},
		PlatformVersion: cl.PlatformVersion, Tags: cl.Tags,
		AccessConfig: accessReplyJSON{string(cl.AccessConfig.AuthenticationMode)},
	}
	if cl.Identity != nil {
		out.Identity = &identityJSON{}
		out.Identity.OIDC.Issuer = cl.Identity.Oidc.Issuer
	}
	return map[string]any{"cluster": out}
}
