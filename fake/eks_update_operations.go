// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func updatesPath() []string { return append(clusterPath(), "updates") }

func updateOperations() []*operation {
	return []*operation{
		restSpec[eks.UpdateClusterVersionInput, eks.UpdateClusterVersionOutput]{
			service: serviceEKS, name: "UpdateClusterVersion", method: http.MethodPost, path: updatesPath(),
			required: func(in *eks.UpdateClusterVersionInput) []field { return []field{{"Name", in.Name != nil}} },
			target:   func(in *eks.UpdateClusterVersionInput) Target { return profileTarget(in.Name, nil) },
			handle:   updateClusterVersion, decode: decodeUpdateClusterVersion,
			encode: func(_ Options, out *eks.UpdateClusterVersionOutput) any { return wireUpdate(out.Update) },
		}.operation(),
		restSpec[eks.UpdateClusterConfigInput, eks.UpdateClusterConfigOutput]{
			service: serviceEKS, name: "UpdateClusterConfig", method: http.MethodPost, path: append(clusterPath(), "update-config"),
			required: func(in *eks.UpdateClusterConfigInput) []field { return []field{{"Name", in.Name != nil}} },
			target:   func(in *eks.UpdateClusterConfigInput) Target { return profileTarget(in.Name, nil) },
			copy: func(in eks.UpdateClusterConfigInput) eks.UpdateClusterConfigInput {
				in.ResourcesVpcConfig = copyVPC(in.ResourcesVpcConfig)
				return in
			},
			handle: updateClusterConfig, decode: decodeUpdateClusterConfig,
			encode: func(_ Options, out *eks.UpdateClusterConfigOutput) any { return wireUpdate(out.Update) },
		}.operation(),
		restSpec[eks.DescribeUpdateInput, eks.DescribeUpdateOutput]{
			service: serviceEKS, name: "DescribeUpdate", method: http.MethodGet, path: append(updatesPath(), "*"),
			required: func(in *eks.DescribeUpdateInput) []field {
				return []field{{"Name", in.Name != nil}, {"UpdateId", in.UpdateId != nil}}
			},
			target: func(in *eks.DescribeUpdateInput) Target { return profileTarget(in.Name, nil) },
			handle: describeUpdate, decode: decodeDescribeUpdate,
			encode: func(_ Options, out *eks.DescribeUpdateOutput) any { return wireUpdate(out.Update) },
		}.operation(),
		restSpec[eks.ListUpdatesInput, eks.ListUpdatesOutput]{
			service: serviceEKS, name: "ListUpdates", method: http.MethodGet, path: updatesPath(),
			required: func(in *eks.ListUpdatesInput) []field { return []field{{"Name", in.Name != nil}} },
			target:   func(in *eks.ListUpdatesInput) Target { return profileTarget(in.Name, nil) },
			handle:   listUpdates, decode: decodeListUpdates, encode: encodeListUpdates,
		}.operation(),
		restSpec[eks.DescribeClusterVersionsInput, eks.DescribeClusterVersionsOutput]{
			service: serviceEKS, name: "DescribeClusterVersions", method: http.MethodGet, path: []string{"cluster-versions"},
			required: func(*eks.DescribeClusterVersionsInput) []field { return nil },
			target:   func(*eks.DescribeClusterVersionsInput) Target { return Target{} },
			copy: func(in eks.DescribeClusterVersionsInput) eks.DescribeClusterVersionsInput {
				in.ClusterVersions = slices.Clone(in.ClusterVersions)
				return in
			},
			handle: describeClusterVersions, decode: decodeDescribeClusterVersions, encode: encodeClusterVersions,
		}.operation(),
	}
}

func copyVPC(vpc *types.VpcConfigRequest) *types.VpcConfigRequest {
	if vpc == nil {
		return nil
	}
	c := *vpc
	c.SubnetIds = slices.Clone(vpc.SubnetIds)
	c.SecurityGroupIds = slices.Clone(vpc.SecurityGroupIds)
	c.PublicAccessCidrs = slices.Clone(vpc.PublicAccessCidrs)
	return &c
}
