// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
)

const serviceEKS = "EKS"

func eksOperations() []*operation {
	return slices.Concat(profileOperations(), tagOperations(), clusterOperations(), accessOperations(), updateOperations())
}

// Paths, with "*" for a label and "**" for a label that may hold slashes.
func profilesPath() []string { return []string{"clusters", "*", "fargate-profiles"} }
func profilePath() []string  { return append(profilesPath(), "*") }
func tagsPath() []string     { return []string{"tags", "**"} }
func clusterPath() []string  { return []string{"clusters", "*"} }

func profileOperations() []*operation {
	return []*operation{
		restSpec[eks.CreateFargateProfileInput, eks.CreateFargateProfileOutput]{
			service: serviceEKS, name: "CreateFargateProfile", method: http.MethodPost, path: profilesPath(),
			required: func(in *eks.CreateFargateProfileInput) []field {
				return []field{
					{"FargateProfileName", in.FargateProfileName != nil},
					{"ClusterName", in.ClusterName != nil},
					{"PodExecutionRoleArn", in.PodExecutionRoleArn != nil},
				}
			},
			target: func(in *eks.CreateFargateProfileInput) Target {
				return profileTarget(in.ClusterName, in.FargateProfileName)
			},
			copy:   copyCreateProfile,
			handle: createProfile, decode: decodeCreateProfile,
			encode: func(o Options, out *eks.CreateFargateProfileOutput) any { return wireProfile(o, out.FargateProfile) },
		}.operation(),
		restSpec[eks.DescribeFargateProfileInput, eks.DescribeFargateProfileOutput]{
			service: serviceEKS, name: "DescribeFargateProfile", method: http.MethodGet, path: profilePath(),
			required: func(in *eks.DescribeFargateProfileInput) []field {
				return profileFields(in.ClusterName, in.FargateProfileName)
			},
			target: func(in *eks.DescribeFargateProfileInput) Target {
				return profileTarget(in.ClusterName, in.FargateProfileName)
			},
			handle: describeProfile, decode: decodeDescribeProfile,
			encode: func(o Options, out *eks.DescribeFargateProfileOutput) any { return wireProfile(o, out.FargateProfile) },
		}.operation(),
		restSpec[eks.DeleteFargateProfileInput, eks.DeleteFargateProfileOutput]{
			service: serviceEKS, name: "DeleteFargateProfile", method: http.MethodDelete, path: profilePath(),
			required: func(in *eks.DeleteFargateProfileInput) []field {
				return profileFields(in.ClusterName, in.FargateProfileName)
			},
			target: func(in *eks.DeleteFargateProfileInput) Target {
				return profileTarget(in.ClusterName, in.FargateProfileName)
			},
			handle: deleteProfile, decode: decodeDeleteProfile,
			encode: func(o Options, out *eks.DeleteFargateProfileOutput) any { return wireProfile(o, out.FargateProfile) },
		}.operation(),
		restSpec[eks.ListFargateProfilesInput, eks.ListFargateProfilesOutput]{
			service: serviceEKS, name: "ListFargateProfiles", method: http.MethodGet, path: profilesPath(),
			required: func(in *eks.ListFargateProfilesInput) []field {
				return []field{{"ClusterName", in.ClusterName != nil}}
			},
			target: func(in *eks.ListFargateProfilesInput) Target { return profileTarget(in.ClusterName, nil) },
			handle: listProfiles, decode: decodeListProfiles, encode: encodeListProfiles,
		}.operation(),
	}
}

func tagOperations() []*operation {
	return []*operation{
		restSpec[eks.TagResourceInput, eks.TagResourceOutput]{
			service: serviceEKS, name: "TagResource", method: http.MethodPost, path: tagsPath(),
			required: func(in *eks.TagResourceInput) []field {
				return []field{{"ResourceArn", in.ResourceArn != nil}, {"Tags", in.Tags != nil}}
			},
			target: func(in *eks.TagResourceInput) Target { return tagTarget(in.ResourceArn) },
			copy: func(in eks.TagResourceInput) eks.TagResourceInput {
				in.Tags = maps.Clone(in.Tags)
				return in
			},
			handle: tagResource, decode: decodeTag,
			encode: func(Options, *eks.TagResourceOutput) any { return struct{}{} },
		}.operation(),
		restSpec[eks.UntagResourceInput, eks.UntagResourceOutput]{
			service: serviceEKS, name: "UntagResource", method: http.MethodDelete, path: tagsPath(),
			required: func(in *eks.UntagResourceInput) []field {
				return []field{{"ResourceArn", in.ResourceArn != nil}, {"TagKeys", in.TagKeys != nil}}
			},
			target: func(in *eks.UntagResourceInput) Target { return tagTarget(in.ResourceArn) },
			copy: func(in eks.UntagResourceInput) eks.UntagResourceInput {
				in.TagKeys = slices.Clone(in.TagKeys)
				return in
			},
			handle: untagResource, decode: decodeUntag,
			encode: func(Options, *eks.UntagResourceOutput) any { return struct{}{} },
		}.operation(),
		restSpec[eks.ListTagsForResourceInput, eks.ListTagsForResourceOutput]{
			service: serviceEKS, name: "ListTagsForResource", method: http.MethodGet, path: tagsPath(),
			required: func(in *eks.ListTagsForResourceInput) []field {
				return []field{{"ResourceArn", in.ResourceArn != nil}}
			},
			target: func(in *eks.ListTagsForResourceInput) Target { return tagTarget(in.ResourceArn) },
			handle: listTags, decode: decodeListTags, encode: encodeListTags,
		}.operation(),
	}
}

func clusterOperations() []*operation {
	return []*operation{
		restSpec[eks.CreateClusterInput, eks.CreateClusterOutput]{
			service: serviceEKS, name: "CreateCluster", method: http.MethodPost, path: []string{"clusters"},
			required: func(in *eks.CreateClusterInput) []field {
				return []field{
					{"Name", in.Name != nil},
					{"RoleArn", in.RoleArn != nil},
					{"ResourcesVpcConfig", in.ResourcesVpcConfig != nil},
				}
			},
			target: func(in *eks.CreateClusterInput) Target { return profileTarget(in.Name, nil) },
			copy:   copyCreateCluster,
			handle: createCluster, decode: decodeCreateCluster,
			encode: func(_ Options, out *eks.CreateClusterOutput) any { return wireCluster(out.Cluster) },
		}.operation(),
		restSpec[eks.DescribeClusterInput, eks.DescribeClusterOutput]{
			service: serviceEKS, name: "DescribeCluster", method: http.MethodGet, path: clusterPath(),
			required: func(in *eks.DescribeClusterInput) []field { return []field{{"Name", in.Name != nil}} },
			target:   func(in *eks.DescribeClusterInput) Target { return profileTarget(in.Name, nil) },
			handle:   describeCluster, decode: decodeDescribeCluster,
			encode: func(_ Options, out *eks.DescribeClusterOutput) any { return wireCluster(out.Cluster) },
		}.operation(),
		restSpec[eks.DeleteClusterInput, eks.DeleteClusterOutput]{
			service: serviceEKS, name: "DeleteCluster", method: http.MethodDelete, path: clusterPath(),
			required: func(in *eks.DeleteClusterInput) []field { return []field{{"Name", in.Name != nil}} },
			target:   func(in *eks.DeleteClusterInput) Target { return profileTarget(in.Name, nil) },
			handle:   deleteCluster, decode: decodeDeleteCluster,
			encode: func(_ Options, out *eks.DeleteClusterOutput) any { return wireCluster(out.Cluster) },
		}.operation(),
		restSpec[eks.ListClustersInput, eks.ListClustersOutput]{
			service: serviceEKS, name: "ListClusters", method: http.MethodGet, path: []string{"clusters"},
			required: func(*eks.ListClustersInput) []field { return nil },
			target:   func(*eks.ListClustersInput) Target { return Target{} },
			copy: func(in eks.ListClustersInput) eks.ListClustersInput {
				in.Include = slices.Clone(in.Include)
				return in
			},
			handle: listClusters, decode: decodeListClusters, encode: encodeListClusters,
		}.operation(),
	}
}

func profileFields(clusterName, profileName *string) []field {
	return []field{{"ClusterName", clusterName != nil}, {"FargateProfileName", profileName != nil}}
}

func profileTarget(clusterName, profileName *string) Target {
	return Target{Cluster: aws.ToString(clusterName), Profile: aws.ToString(profileName)}
}

func tagTarget(resourceARN *string) Target {
	clusterName, profileName, _ := splitResource(aws.ToString(resourceARN))
	return Target{Cluster: clusterName, Profile: profileName}
}

func copyCreateProfile(in eks.CreateFargateProfileInput) eks.CreateFargateProfileInput {
	in.Subnets = slices.Clone(in.Subnets)
	in.Tags = maps.Clone(in.Tags)
	in.Selectors = slices.Clone(in.Selectors)
	for i := range in.Selectors {
		in.Selectors[i].Labels = maps.Clone(in.Selectors[i].Labels)
	}
	return in
}

func copyCreateCluster(in eks.CreateClusterInput) eks.CreateClusterInput {
	in.Tags = maps.Clone(in.Tags)
	in.ResourcesVpcConfig = copyVPC(in.ResourcesVpcConfig)
	return in
}
