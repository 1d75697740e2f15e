// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/eks"
)

func entriesPath() []string { return []string{"clusters", "*", "access-entries"} }
func entryPath() []string   { return append(entriesPath(), "*") }

func accessOperations() []*operation {
	return []*operation{
		restSpec[eks.CreateAccessEntryInput, eks.CreateAccessEntryOutput]{
			service: serviceEKS, name: "CreateAccessEntry", method: http.MethodPost, path: entriesPath(),
			required: func(in *eks.CreateAccessEntryInput) []field { return entryFields(in.ClusterName, in.PrincipalArn) },
			target:   func(in *eks.CreateAccessEntryInput) Target { return profileTarget(in.ClusterName, nil) },
			copy: func(in eks.CreateAccessEntryInput) eks.CreateAccessEntryInput {
				in.Tags, in.KubernetesGroups = maps.Clone(in.Tags), slices.Clone(in.KubernetesGroups)
				return in
			},
			handle: createAccessEntry, decode: decodeCreateAccessEntry,
			encode: func(_ Options, out *eks.CreateAccessEntryOutput) any { return wireEntry(out.AccessEntry) },
		}.operation(),
		restSpec[eks.DescribeAccessEntryInput, eks.DescribeAccessEntryOutput]{
			service: serviceEKS, name: "DescribeAccessEntry", method: http.MethodGet, path: entryPath(),
			required: func(in *eks.DescribeAccessEntryInput) []field { return entryFields(in.ClusterName, in.PrincipalArn) },
			target:   func(in *eks.DescribeAccessEntryInput) Target { return profileTarget(in.ClusterName, nil) },
			handle:   describeAccessEntry, decode: decodeDescribeAccessEntry,
			encode: func(_ Options, out *eks.DescribeAccessEntryOutput) any { return wireEntry(out.AccessEntry) },
		}.operation(),
		restSpec[eks.DeleteAccessEntryInput, eks.DeleteAccessEntryOutput]{
			service: serviceEKS, name: "DeleteAccessEntry", method: http.MethodDelete, path: entryPath(),
			required: func(in *eks.DeleteAccessEntryInput) []field { return entryFields(in.ClusterName, in.PrincipalArn) },
			target:   func(in *eks.DeleteAccessEntryInput) Target { return profileTarget(in.ClusterName, nil) },
			handle:   deleteAccessEntry, decode: decodeDeleteAccessEntry,
			encode: func(Options, *eks.DeleteAccessEntryOutput) any { return struct{}{} },
		}.operation(),
		restSpec[eks.ListAccessEntriesInput, eks.ListAccessEntriesOutput]{
			service: serviceEKS, name: "ListAccessEntries", method: http.MethodGet, path: entriesPath(),
			required: func(in *eks.ListAccessEntriesInput) []field {
				return []field{{"ClusterName", in.ClusterName != nil}}
			},
			target: func(in *eks.ListAccessEntriesInput) Target { return profileTarget(in.ClusterName, nil) },
			handle: listAccessEntries, decode: decodeListAccessEntries, encode: encodeListAccessEntries,
		}.operation(),
	}
}

func entryFields(clusterName, principal *string) []field {
	return []field{{"ClusterName", clusterName != nil}, {"PrincipalArn", principal != nil}}
}
