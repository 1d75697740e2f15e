// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "github.com/aws/aws-sdk-go-v2/service/iam"

// attachmentOperations tie managed policies to roles.
func attachmentOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.AttachRolePolicyInput, iam.AttachRolePolicyOutput]{
			api: api, name: "AttachRolePolicy",
			required: func(in *iam.AttachRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyArn", in.PolicyArn != nil}}
			},
			target: func(in *iam.AttachRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.AttachRolePolicyInput) {
				c.roleName(in.RoleName)
				c.arn("policyArn", in.PolicyArn)
			},
			handle: attachRolePolicy,
		}.operation(),
		querySpec[iam.DetachRolePolicyInput, iam.DetachRolePolicyOutput]{
			api: api, name: "DetachRolePolicy",
			required: func(in *iam.DetachRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyArn", in.PolicyArn != nil}}
			},
			target: func(in *iam.DetachRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.DetachRolePolicyInput) {
				c.roleName(in.RoleName)
				c.arn("policyArn", in.PolicyArn)
			},
			handle: detachRolePolicy,
		}.operation(),
		querySpec[iam.ListAttachedRolePoliciesInput, iam.ListAttachedRolePoliciesOutput]{
			api: api, name: "ListAttachedRolePolicies",
			required: func(in *iam.ListAttachedRolePoliciesInput) []field {
				return []field{{"RoleName", in.RoleName != nil}}
			},
			target: func(in *iam.ListAttachedRolePoliciesInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.ListAttachedRolePoliciesInput) {
				c.roleName(in.RoleName)
				c.path("pathPrefix", in.PathPrefix)
				c.paging(in.Marker, in.MaxItems)
			},
			handle: listAttachedRolePolicies,
		}.operation(),
	}
}

// inlinePolicyOperations are about the policies inside of roles.
func inlinePolicyOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.PutRolePolicyInput, iam.PutRolePolicyOutput]{
			api: api, name: "PutRolePolicy",
			required: func(in *iam.PutRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyName", in.PolicyName != nil}, {"PolicyDocument", in.PolicyDocument != nil}}
			},
			target: func(in *iam.PutRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.PutRolePolicyInput) {
				c.roleName(in.RoleName)
				c.name("policyName", in.PolicyName, maxPolicyName)
				c.document("policyDocument", in.PolicyDocument)
			},
			handle: putRolePolicy,
		}.operation(),
		querySpec[iam.GetRolePolicyInput, iam.GetRolePolicyOutput]{
			api: api, name: "GetRolePolicy",
			required: func(in *iam.GetRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyName", in.PolicyName != nil}}
			},
			target: func(in *iam.GetRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.GetRolePolicyInput) {
				c.roleName(in.RoleName)
				c.name("policyName", in.PolicyName, maxPolicyName)
			},
			handle: getRolePolicy,
		}.operation(),
		querySpec[iam.DeleteRolePolicyInput, iam.DeleteRolePolicyOutput]{
			api: api, name: "DeleteRolePolicy",
			required: func(in *iam.DeleteRolePolicyInput) []field {
				return []field{{"RoleName", in.RoleName != nil}, {"PolicyName", in.PolicyName != nil}}
			},
			target: func(in *iam.DeleteRolePolicyInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.DeleteRolePolicyInput) {
				c.roleName(in.RoleName)
				c.name("policyName", in.PolicyName, maxPolicyName)
			},
			handle: deleteRolePolicy,
		}.operation(),
		querySpec[iam.ListRolePoliciesInput, iam.ListRolePoliciesOutput]{
			api: api, name: "ListRolePolicies",
			required: func(in *iam.ListRolePoliciesInput) []field { return []field{{"RoleName", in.RoleName != nil}} },
			target:   func(in *iam.ListRolePoliciesInput) Target { return roleTarget(in.RoleName) },
			check: func(c *checks, in *iam.ListRolePoliciesInput) {
				c.roleName(in.RoleName)
				c.paging(in.Marker, in.MaxItems)
			},
			handle: listRolePolicies,
		}.operation(),
	}
}

// managedPolicyOperations are about policies that stand alone.
func managedPolicyOperations(api queryAPI) []*operation {
	return []*operation{
		querySpec[iam.CreatePolicyInput, iam.CreatePolicyOutput]{
			api: api, name: "CreatePolicy",
			required: func(in *iam.CreatePolicyInput) []field {
				return append([]field{{"PolicyName", in.PolicyName != nil}, {"PolicyDocument", in.PolicyDocument != nil}}, tagFields(in.Tags)...)
			},
			target: func(*iam.CreatePolicyInput) Target { return Target{} },
			check: func(c *checks, in *iam.CreatePolicyInput) {
				c.name("policyName", in.PolicyName, maxPolicyName)
				c.document("policyDocument", in.PolicyDocument)
				c.path("path", in.Path)
				c.length("description", in.Description, 0, maxDescription)
				c.tags(in.Tags)
			},
			handle: createPolicy,
		}.operation(),
		querySpec[iam.GetPolicyInput, iam.GetPolicyOutput]{
			api: api, name: "GetPolicy",
			required: func(in *iam.GetPolicyInput) []field { return []field{{"PolicyArn", in.PolicyArn != nil}} },
			target:   func(*iam.GetPolicyInput) Target { return Target{} },
			check:    func(c *checks, in *iam.GetPolicyInput) { c.arn("policyArn", in.PolicyArn) },
			handle:   getPolicy,
		}.operation(),
		querySpec[iam.DeletePolicyInput, iam.DeletePolicyOutput]{
			api: api, name: "DeletePolicy",
			required: func(in *iam.DeletePolicyInput) []field { return []field{{"PolicyArn", in.PolicyArn != nil}} },
			target:   func(*iam.DeletePolicyInput) Target { return Target{} },
			check:    func(c *checks, in *iam.DeletePolicyInput) { c.arn("policyArn", in.PolicyArn) },
			handle:   deletePolicy,
		}.operation(),
	}
}
