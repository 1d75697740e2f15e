// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "slices"

// ControllerConfig says what a caller of this library does, as far as its own
// permissions depend on it.
type ControllerConfig struct {
	// Scope says which cluster. Region and Cluster may be *. Unconditional has no
	// effect here.
	Scope Scope
	// Mode is the furthest mode that is used for roles: ModeDelete includes
	// ModeEnsure, which includes ModeVerify. Package role in ModeEnsure deletes a
	// role after its last profile, if its options name Profiles: then it is
	// ModeDelete here.
	Mode Mode
	// Roles are the ARNs of the pod execution roles, or patterns of them. Empty
	// means roles without a path whose names [RoleName] gives.
	Roles []string
	// Brought are the ARNs of roles that profiles name beside those, or patterns of
	// them: they are given to EKS and read, and never changed.
	Brought []string
	// ManagedPolicies are the ARNs of the managed policies that are attached to
	// roles, beside AWS's own.
	ManagedPolicies []string
	// InlinePolicies says whether roles get inline policies.
	InlinePolicies bool
	// PermissionsBoundary is the ARN of the boundary that roles get. Empty means
	// that they get none.
	PermissionsBoundary string
	// ChosenSubnets says that every profile names its subnets. Without it EKS
	// looks for the private subnets of the cluster with the caller's rights.
	ChosenSubnets bool
	// Preflight says that the caller looks at the cluster before it makes profiles,
	// which the library itself never does: eks:DescribeCluster.
	Preflight bool
}

// Labels of the statements of [ControllerPolicy]. Those that do not concern
// calls that the caller makes itself say so.
const (
	SidProfiles        = "Profiles"
	SidClusterProfiles = "ClusterProfiles"
	// SidPassRole: EKS checks it when a profile is created.
	SidPassRole = "PassRole"
	// SidServiceLinkedRole and SidServiceLinkedRoleRead: EKS makes and reads its
	// own role with the caller's rights.
	SidServiceLinkedRole     = "ServiceLinkedRole"
	SidServiceLinkedRoleRead = "ServiceLinkedRoleRead"
	// SidSubnets: EKS looks for subnets with the caller's rights.
	SidSubnets          = "Subnets"
	SidReadRoles        = "ReadRoles"
	SidCreateRoles      = "CreateRoles"
	SidWriteRoles       = "WriteRoles"
	SidAttachPolicies   = "AttachPolicies"
	SidInlinePolicies   = "InlinePolicies"
	SidBoundary         = "PermissionsBoundary"
	SidDeleteRoles      = "DeleteRoles"
	SidInstanceProfiles = "InstanceProfiles"
)

// ControllerPolicy is the identity policy that a caller needs for what c says,
// and no more: every action on the resources of the scope only.
//
// What an action can be restricted to is AWS's word. For EKS, DescribeCluster,
// Create- and ListFargateProfiles are about the cluster, Describe- and
// DeleteFargateProfile about the profile; TagResource, which a create with tags
// takes, too, and UntagResource about whatever bears the tags. For IAM every action
// here is about the role, GetRole and ListInstanceProfilesForRole included, and
// CreateRole with tags takes TagRole; but RemoveRoleFromInstanceProfile is about the
// instance profile alone. For the two of EC2 there is no source here, so that they
// are on everything. To ask STS for the caller's identity takes no permission.
//
// Of iam:PassRole the reference says that CreateFargateProfile passes the role to
// eks.amazonaws.com, while it is eks-fargate-pods.amazonaws.com that assumes it.
// Nobody reports which of the two IAM sees, so that both are allowed.
//
// Source: service authorization reference (2026), "Actions, resources, and
// condition keys for Amazon Elastic Kubernetes Service", with its table of API
// operations, and "for AWS Identity and Access Management"; STS API reference,
// GetCallerIdentity; EKS user guide, "Using roles for Amazon EKS Fargate".
func ControllerPolicy(c ControllerConfig) Document {
	statements := c.profileStatements()
	for _, s := range []struct {
		wanted     bool
		statements func() []Statement
	}{
		{!c.ChosenSubnets, c.subnetStatements},
		{c.reads(), c.readStatements},
		{c.ensures(), c.ensureStatements},
		{c.ensures() && c.InlinePolicies, c.inlineStatements},
		{c.ensures() && c.PermissionsBoundary != "", c.boundaryStatements},
		{c.deletes(), c.deleteStatements},
	} {
		if s.wanted {
			statements = append(statements, s.statements()...)
		}
	}
	return Document{Version: VersionCurrent, Statements: statements}
}

func (c ControllerConfig) reads() bool   { return c.Mode.normal() != ModeBringYourOwn }
func (c ControllerConfig) deletes() bool { return c.Mode == ModeDelete }
func (c ControllerConfig) ensures() bool { return c.Mode == ModeEnsure || c.deletes() }

func (c ControllerConfig) profileStatements() []Statement {
	ofCluster := []string{"eks:CreateFargateProfile", "eks:ListFargateProfiles"}
	if c.Preflight {
		ofCluster = slices.Insert(ofCluster, 1, "eks:DescribeCluster")
	}
	linked := c.iam("role/aws-service-role/" + linkedService + "/" + linkedRole)
	return []Statement{
		allow(SidProfiles, nil, []string{c.Scope.SourceARN()},
			"eks:DeleteFargateProfile", "eks:DescribeFargateProfile", "eks:TagResource", "eks:UntagResource"),
		allow(SidClusterProfiles, nil, []string{c.Scope.resource("cluster/" + c.Scope.Cluster)},
			ofCluster...),
		allow(SidPassRole, Condition{"StringEquals": {"iam:PassedToService": {ServicePrincipal, clusterService}}}, c.allRoles(),
			"iam:PassRole"),
		allow(SidServiceLinkedRole, Condition{"StringEquals": {"iam:AWSServiceName": {linkedService}}}, []string{linked},
			"iam:CreateServiceLinkedRole"),
		allow(SidServiceLinkedRoleRead, nil, []string{linked}, "iam:GetRole"),
	}
}

const (
	clusterService = "eks.amazonaws.com"
	linkedService  = "eks-fargate.amazonaws.com"
	linkedRole     = "AWSServiceRoleForAmazonEKSForFargate"
)

func (c ControllerConfig) subnetStatements() []Statement {
	return []Statement{allow(SidSubnets, nil, []string{"*"}, "ec2:DescribeRouteTables", "ec2:DescribeSubnets")}
}

func (c ControllerConfig) readStatements() []Statement {
	actions := []string{"iam:GetRole", "iam:ListAttachedRolePolicies"}
	if c.InlinePolicies {
		actions = append(actions, "iam:GetRolePolicy", "iam:ListRolePolicies")
	}
	return []Statement{allow(SidReadRoles, nil, c.allRoles(), actions...)}
}

func (c ControllerConfig) ensureStatements() []Statement {
	policies := append([]string{ManagedPolicyARN(c.Scope.partition())}, c.ManagedPolicies...)
	return []Statement{
		allow(SidCreateRoles, c.boundaryCondition(), c.roles(), "iam:CreateRole"),
		allow(SidWriteRoles, nil, c.roles(),
			"iam:TagRole", "iam:UntagRole", "iam:UpdateAssumeRolePolicy", "iam:UpdateRole"),
		allow(SidAttachPolicies, Condition{"ArnEquals": {"iam:PolicyARN": policies}}, c.roles(), "iam:AttachRolePolicy"),
	}
}

func (c ControllerConfig) boundaryCondition() Condition {
	if c.PermissionsBoundary == "" {
		return nil
	}
	return Condition{"ArnEquals": {"iam:PermissionsBoundary": {c.PermissionsBoundary}}}
}

func (c ControllerConfig) inlineStatements() []Statement {
	return []Statement{allow(SidInlinePolicies, nil, c.roles(), "iam:PutRolePolicy")}
}

func (c ControllerConfig) boundaryStatements() []Statement {
	return []Statement{allow(SidBoundary, c.boundaryCondition(), c.roles(), "iam:PutRolePermissionsBoundary")}
}

func (c ControllerConfig) deleteStatements() []Statement {
	actions := []string{"iam:DeleteRole", "iam:DeleteRolePolicy", "iam:DetachRolePolicy", "iam:ListInstanceProfilesForRole"}
	if !c.InlinePolicies {
		actions = append(actions, "iam:ListRolePolicies")
	}
	return []Statement{
		allow(SidDeleteRoles, nil, c.roles(), actions...),
		allow(SidInstanceProfiles, nil, []string{c.iam("instance-profile/*")}, "iam:RemoveRoleFromInstanceProfile"),
	}
}

// roles are the ARNs of the roles that the caller deals with.
func (c ControllerConfig) roles() []string {
	if len(c.Roles) > 0 {
		return c.Roles
	}
	return []string{c.iam("role/" + roleNamePattern(c.Scope.Cluster))}
}

// allRoles are those and the ones that are brought along.
func (c ControllerConfig) allRoles() []string { return slices.Concat(c.roles(), c.Brought) }

func (c ControllerConfig) iam(resource string) string {
	return arn{c.Scope.partition(), "iam", "", c.Scope.Account, resource}.String()
}

func allow(sid string, condition Condition, resources []string, actions ...string) Statement {
	return Statement{Sid: sid, Effect: EffectAllow, Action: actions, Resource: resources, Condition: condition}
}
