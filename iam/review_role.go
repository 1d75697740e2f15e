// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"maps"
	"slices"
)

// ReviewRole says what a role lacks to serve the desired profiles, each with its
// fix, and what to look out for. It does not depend on who owns the role.
func ReviewRole(d DesiredRole, o ObservedRole) Review {
	r := reviewARN(d, o.ARN)
	if o.TrustFault != "" {
		r.fails(ReasonTrustUnreadable, "the trust policy can't be read: "+o.TrustFault,
			"replace the trust policy by: "+TrustPolicy(d.Scope).String())
	} else {
		trust := ReviewTrust(o.Trust, d.Scope, d.Profiles...)
		r.Shortcomings = append(r.Shortcomings, trust.Shortcomings...)
		r.Warnings = append(r.Warnings, trust.Warnings...)
	}
	r.nodes(o)
	r.policies(d, o)
	return r
}

// reviewARN says what can be told from the ARN of a role alone. A scope that is
// not given is not compared.
func reviewARN(d DesiredRole, observed string) Review {
	var r Review
	role, err := ParseRoleARN(observed)
	if err != nil {
		r.fails(ReasonInvalid, err.Error(), "give the ARN of an IAM role")
		return r
	}
	if d.Scope.Account != "" && role.Account != d.Scope.Account {
		r.fails(ReasonOtherAccount,
			"the role is of account "+role.Account+", the cluster of "+d.Scope.Account+": EKS takes no pod execution role of another account",
			"use a role of account "+d.Scope.Account)
	}
	if d.Scope.partition() != "" && role.Partition != d.Scope.partition() {
		r.fails(ReasonWrongPartition,
			"the role is of partition "+role.Partition+", the cluster of "+d.Scope.partition(),
			"use a role of partition "+d.Scope.partition())
	}
	r.path(d, role)
	return r
}

func (r *Review) path(d DesiredRole, role RoleARN) {
	switch {
	case d.ARN != "" && role.String() != d.ARN:
		r.fails(ReasonARNDiffers, "the role "+role.Name+" has the ARN "+role.String()+", not "+d.ARN, "use the ARN "+role.String())
	case d.ARN == "" && role.Path != d.path():
		r.warns(ReasonPathDrift, "the role has the path "+role.Path+", want "+d.path()+"; the path of a role can't be changed",
			"leave the path as it is, or use a role of another name")
	}
	if role.Path != "/" && d.AuthConfigMap {
		r.warns(ReasonPathNotInAuth, "the role has the path "+role.Path+", which the authenticator does not see",
			"map "+role.AuthARN()+" in aws-auth, or use access entries")
	}
}

// nodePolicy is the AWS managed policy that every EC2 node of EKS has.
const nodePolicy = "policy/AmazonEKSWorkerNodePolicy"

// nodes looks for signs, other than its trust, that the role is one of nodes.
func (r *Review) nodes(o ObservedRole) {
	isNodePolicy := func(policy string) bool {
		a, _ := splitARN(policy)
		return a.resource == nodePolicy
	}
	if o.Trust.trustsNodes() || len(o.InstanceProfiles) == 0 && !slices.ContainsFunc(o.AttachedPolicies, isNodePolicy) {
		return
	}
	r.warns(ReasonSharedWithNodes, "the role looks like one of EC2 nodes, for it has an instance profile or their policy", "use a role of its own for Fargate")
}

// policies looks for what must be attached to the role or be in it.
func (r *Review) policies(d DesiredRole, o ObservedRole) {
	name := roleName(o)
	for _, policy := range missing(d.policies(), o.AttachedPolicies) {
		r.fails(ReasonManagedPolicyMissing, "the managed policy "+policy+" is not attached",
			"aws iam attach-role-policy --role-name "+name+" --policy-arn "+policy)
	}
	for _, policy := range inlineDrift(d, o) {
		r.fails(ReasonInlinePolicyMissing, "the inline policy "+policy+" is absent or differs",
			"aws iam put-role-policy --role-name "+name+" --policy-name "+policy+" --policy-document '"+d.InlinePolicies[policy].String()+"'")
	}
	if d.PermissionsBoundary != "" && d.PermissionsBoundary != o.PermissionsBoundary {
		r.fails(ReasonBoundaryDrift, "the permissions boundary is "+orDefault(o.PermissionsBoundary, "absent")+", want "+d.PermissionsBoundary,
			"aws iam put-role-permissions-boundary --role-name "+name+" --permissions-boundary "+d.PermissionsBoundary)
	}
}

// missing lists what is wanted and not there, in the order of wanted.
func missing(wanted, there []string) []string {
	var absent []string
	for _, w := range wanted {
		if !slices.Contains(there, w) && !slices.Contains(absent, w) {
			absent = append(absent, w)
		}
	}
	return absent
}

// inlineDrift lists the desired inline policies that are absent or, where they
// were read, say something else.
func inlineDrift(d DesiredRole, o ObservedRole) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(d.InlinePolicies)) {
		document, read := o.InlineDocuments[name]
		if !slices.Contains(o.InlinePolicies, name) || read && !Equivalent(d.InlinePolicies[name], document) {
			names = append(names, name)
		}
	}
	return names
}

// roleName is the name by which IAM's calls know the role.
func roleName(o ObservedRole) string {
	r, _ := ParseRoleARN(o.ARN)
	return r.Name
}
