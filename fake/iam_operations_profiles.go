// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "github.com/aws/aws-sdk-go-v2/service/iam"

// instanceProfileOperations make and delete instance profiles.
func instanceProfileOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.CreateInstanceProfileInput, iam.CreateInstanceProfileOutput]{
			api: api, name: "CreateInstanceProfile",
			required: func(in *iam.CreateInstanceProfileInput) []field {
				return append([]field{{"InstanceProfileName", in.InstanceProfileName != nil}}, tagFields(in.Tags)...)
			},
			target: func(*iam.CreateInstanceProfileInput) Target { return Target{} },
			check: func(c *checks, in *iam.CreateInstanceProfileInput) {
				c.name("instanceProfileName", in.InstanceProfileName, maxInstanceProfileName)
				c.path("path", in.Path)
				c.tags(in.Tags)
			},
			handle: createInstanceProfile,
		}.operation(),
		querySpec[iam.DeleteInstanceProfileInput, iam.DeleteInstanceProfileOutput]{
			api: api, name: "DeleteInstanceProfile",
			required: func(in *iam.DeleteInstanceProfileInput) []field {
				return []field{{"InstanceProfileName", in.InstanceProfileName != nil}}
			},
			target: func(*iam.DeleteInstanceProfileInput) Target { return Target{} },
			check: func(c *checks, in *iam.DeleteInstanceProfileInput) {
				c.name("instanceProfileName", in.InstanceProfileName, maxInstanceProfileName)
			},
			handle: deleteInstanceProfile,
		}.operation(),
	}
}

// roleInProfileOperations put roles into instance profiles.
func roleInProfileOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.AddRoleToInstanceProfileInput, iam.AddRoleToInstanceProfileOutput]{
			api: api, name: "AddRoleToInstanceProfile",
			required: func(in *iam.AddRoleToInstanceProfileInput) []field {
				return []field{{"InstanceProfileName", in.InstanceProfileName != nil}, {"RoleName", in.RoleName != nil}}
			},
			target: func(in *iam.AddRoleToInstanceProfileInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.AddRoleToInstanceProfileInput) {
				c.name("instanceProfileName", in.InstanceProfileName, maxInstanceProfileName)
				c.roleName(in.RoleName)
			},
			handle: addRoleToInstanceProfile,
		}.operation(),
		querySpec[iam.RemoveRoleFromInstanceProfileInput, iam.RemoveRoleFromInstanceProfileOutput]{
			api: api, name: "RemoveRoleFromInstanceProfile",
			required: func(in *iam.RemoveRoleFromInstanceProfileInput) []field {
				return []field{{"InstanceProfileName", in.InstanceProfileName != nil}, {"RoleName", in.RoleName != nil}}
			},
			target: func(in *iam.RemoveRoleFromInstanceProfileInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.RemoveRoleFromInstanceProfileInput) {
				c.name("instanceProfileName", in.InstanceProfileName, maxInstanceProfileName)
				c.roleName(in.RoleName)
			},
			handle: removeRoleFromInstanceProfile,
		}.operation(),
		querySpec[iam.ListInstanceProfilesForRoleInput, iam.ListInstanceProfilesForRoleOutput]{
			api: api, name: "ListInstanceProfilesForRole",
			required: func(in *iam.ListInstanceProfilesForRoleInput) []field {
				return []field{{"RoleName", in.RoleName != nil}}
			},
			target: func(in *iam.ListInstanceProfilesForRoleInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.ListInstanceProfilesForRoleInput) {
				c.roleName(in.RoleName)
				c.paging(in.Marker, in.MaxItems)
			},
			handle: listInstanceProfilesForRole,
		}.operation(),
	}
}
