// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "github.com/aws/aws-sdk-go-v2/service/iam"

// roleOperations make, read and delete roles.
func roleOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.CreateRoleInput, iam.CreateRoleOutput]{
			api: api, name: "CreateRole",
			required: func(in *iam.CreateRoleInput) []field {
				return append([]field{{"RoleName", in.RoleName != nil}, {"AssumeRolePolicyDocument", in.AssumeRolePolicyDocument != nil}}, tagFields(in.Tags)...)
			},
			target: func(in *iam.CreateRoleInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.CreateRoleInput) {
				c.roleName(in.RoleName)
				c.document("assumeRolePolicyDocument", in.AssumeRolePolicyDocument)
				c.path("path", in.Path)
				c.length("description", in.Description, 0, maxDescription)
				c.number("maxSessionDuration", in.MaxSessionDuration, minSessionLimit, maxSessionLimit)
				c.arn("permissionsBoundary", in.PermissionsBoundary)
				c.tags(in.Tags)
			},
			handle: createRole,
		}.operation(),
		querySpec[iam.GetRoleInput, iam.GetRoleOutput]{
			api: api, name: "GetRole",
			required: func(in *iam.GetRoleInput) []field { return []field{{"RoleName", in.RoleName != nil}} },
			target:   func(in *iam.GetRoleInput) Target { return roleTarget(in.RoleName) },
			check:    func(c *checks, in *iam.GetRoleInput) { c.roleName(in.RoleName) },
			handle:   getRole,
		}.operation(),
		querySpec[iam.ListRolesInput, iam.ListRolesOutput]{
			api: api, name: "ListRoles",
			required: func(*iam.ListRolesInput) []field { return nil },
			target:   func(*iam.ListRolesInput) Target { return Target{} },
			check: func(c *checks, in *iam.ListRolesInput) {
				c.path("pathPrefix", in.PathPrefix)
				c.paging(in.Marker, in.MaxItems)
			},
			handle: listRoles,
		}.operation(),
		querySpec[iam.DeleteRoleInput, iam.DeleteRoleOutput]{
			api: api, name: "DeleteRole",
			required: func(in *iam.DeleteRoleInput) []field { return []field{{"RoleName", in.RoleName != nil}} },
			target:   func(in *iam.DeleteRoleInput) Target { return roleTarget(in.RoleName) },
			check:    func(c *checks, in *iam.DeleteRoleInput) { c.roleName(in.RoleName) },
			handle:   deleteRole,
		}.operation(),
	}
}

// roleSettingOperations change and read what a role has.
func roleSettingOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.UpdateRoleInput, iam.UpdateRoleOutput]{
			api: api, name: "UpdateRole", wrapped: true,
			required: func(in *iam.UpdateRoleInput) []field { return []field{{"RoleName", in.RoleName != nil}} },
			target:   func(in *iam.UpdateRoleInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.UpdateRoleInput) {
				c.roleName(in.RoleName)
				c.length("description", in.Description, 0, maxDescription)
				c.number("maxSessionDuration", in.MaxSessionDuration, minSessionLimit, maxSessionLimit)
			},
			handle: updateRole,
		}.operation(),
		querySpec[iam.UpdateRoleDescriptionInput, iam.UpdateRoleDescriptionOutput]{
			api: api, name: "UpdateRoleDescription",
			required: func(in *iam.UpdateRoleDescriptionInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"Description", in.Description != nil}}
			},
			target: func(in *iam.UpdateRoleDescriptionInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.UpdateRoleDescriptionInput) {
				c.roleName(in.RoleName)
				c.length("description", in.Description, 0, maxDescription)
			},
			handle: updateRoleDescription,
		}.operation(),
		querySpec[iam.UpdateAssumeRolePolicyInput, iam.UpdateAssumeRolePolicyOutput]{
			api: api, name: "UpdateAssumeRolePolicy",
			required: func(in *iam.UpdateAssumeRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyDocument", in.PolicyDocument != nil}}
			},
			target: func(in *iam.UpdateAssumeRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.UpdateAssumeRolePolicyInput) {
				c.roleName(in.RoleName)
				c.document("policyDocument", in.PolicyDocument)
			},
			handle: updateTrust,
		}.operation(),
		querySpec[iam.PutRolePermissionsBoundaryInput, iam.PutRolePermissionsBoundaryOutput]{
			api: api, name: "PutRolePermissionsBoundary",
			required: func(in *iam.PutRolePermissionsBoundaryInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PermissionsBoundary", in.PermissionsBoundary != nil}}
			},
			target: func(in *iam.PutRolePermissionsBoundaryInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.PutRolePermissionsBoundaryInput) {
				c.roleName(in.RoleName)
				c.arn("permissionsBoundary", in.PermissionsBoundary)
			},
			handle: putBoundary,
		}.operation(),
		querySpec[iam.DeleteRolePermissionsBoundaryInput, iam.DeleteRolePermissionsBoundaryOutput]{
			api: api, name: "DeleteRolePermissionsBoundary",
			required: func(in *iam.DeleteRolePermissionsBoundaryInput) []field {
				return []field{{"RoleName", in.RoleName != nil}}
			},
			target: func(in *iam.DeleteRolePermissionsBoundaryInput) Target { return roleTarget(in.RoleName) },
			check:  func(c *checks, in *iam.DeleteRolePermissionsBoundaryInput) { c.roleName(in.RoleName) },
			handle: deleteBoundary,
		}.operation(),
	}
}

// roleTagOperations change and read tags, and make roles of services.
func roleTagOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.CreateServiceLinkedRoleInput, iam.CreateServiceLinkedRoleOutput]{
			api: api, name: "CreateServiceLinkedRole",
			required: func(in *iam.CreateServiceLinkedRoleInput) []field {
				return []field{{"AWSServiceName", in.AWSServiceName != nil}}
			},
			target: func(*iam.CreateServiceLinkedRoleInput) Target { return Target{} },
			check: func(c *checks, in *iam.CreateServiceLinkedRoleInput) {
				c.name("aWSServiceName", in.AWSServiceName, maxInstanceProfileName)
				c.length("description", in.Description, 0, maxDescription)
			},
			handle: createServiceLinkedRole,
		}.operation(),
		querySpec[iam.TagRoleInput, iam.TagRoleOutput]{
			api: api, name: "TagRole",
			required: func(in *iam.TagRoleInput) []field {
				return append([]field{{"RoleName", in.RoleName != nil}, {"Tags", in.Tags != nil}}, tagFields(in.Tags)...)
			},
			target: func(in *iam.TagRoleInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.TagRoleInput) {
				c.roleName(in.RoleName)
				c.tags(in.Tags)
			},
			handle: tagRole,
		}.operation(),
		querySpec[iam.UntagRoleInput, iam.UntagRoleOutput]{
			api: api, name: "UntagRole",
			required: func(in *iam.UntagRoleInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"TagKeys", in.TagKeys != nil}}
			},
			target: func(in *iam.UntagRoleInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.UntagRoleInput) {
				c.roleName(in.RoleName)
				c.tagKeys(in.TagKeys)
			},
			handle: untagRole,
		}.operation(),
		querySpec[iam.ListRoleTagsInput, iam.ListRoleTagsOutput]{
			api: api, name: "ListRoleTags",
			required: func(in *iam.ListRoleTagsInput) []field { return []field{{"RoleName", in.RoleName != nil}} },
			target:   func(in *iam.ListRoleTagsInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.ListRoleTagsInput) {
				c.roleName(in.RoleName)
				c.paging(in.Marker, in.MaxItems)
			},
			handle: listRoleTags,
		}.operation(),
	}
}
