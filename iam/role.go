// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "time"

// DesiredRole is the pod execution role that the caller wants for the profiles
// of one cluster.
type DesiredRole struct {
	// Mode says how far we may go. The zero value brings its own role.
	Mode Mode
	// ARN is the role that the caller brings or wants verified. In ModeEnsure and
	// ModeDelete it may be empty.
	ARN string
	// Name and Path are those of the role where ARN is empty. An empty Name means
	// the one that [RoleName] gives to the role that the profiles of the cluster
	// share, an empty Path means /. The path of a role can't be changed.
	Name, Path string
	// Scope says which cluster. In ModeEnsure and ModeDelete it is one cluster in
	// one region, for a role that is ours belongs to one cluster. In
	// ModeBringYourOwn it may be zero.
	Scope Scope
	// Profiles are the names, as EKS knows them, of the profiles that must be able
	// to use the role. Empty means any name: then a trust policy that allows
	// only some is a shortcoming.
	Profiles []string
	// Owner is the id whose mark the role carries. Writers that share a role
	// share it, so it names the installation and the cluster rather than a
	// profile. Required in ModeEnsure and ModeDelete.
	Owner string
	// Description of the role. Empty leaves it as it is.
	Description string
	// PermissionsBoundary is the ARN of a managed policy. Empty leaves it as it is.
	PermissionsBoundary string
	// MaxSession is the longest session, 1 to 12 hours. 0 leaves it as it is.
	MaxSession time.Duration
	// ManagedPolicies are the ARNs of policies to attach beside AWS's own,
	// [ManagedPolicyARN].
	ManagedPolicies []string
	// InlinePolicies are policies to put into the role, by name.
	InlinePolicies map[string]Document
	// Tags are the caller's tags.
	Tags map[string]string
	// TrustQuota is the account's quota for the size of a trust policy. 0 means
	// [DefaultTrustPolicySize].
	TrustQuota int
	// AuthConfigMap says that the cluster knows the role through aws-auth, which
	// has no place for a path.
	AuthConfigMap bool
	// Force lets ModeDelete remove inline policies that are not ours, and take the
	// role out of instance profiles. A role that serves others is kept all the same.
	Force bool
}

// ObservedRole is a role as IAM reports it, every page read.
type ObservedRole struct {
	// ARN is the full ARN.
	ARN string
	// ID is the unique id (AROA...). A role that is made again under the same
	// name has another.
	ID string
	// Trust is the trust policy.
	Trust Document
	// TrustFault says why the trust policy could not be read. Empty means it was.
	TrustFault string
	// AttachedPolicies are the ARNs of the attached managed policies.
	AttachedPolicies []string
	// InlinePolicies are the names of the inline policies.
	InlinePolicies []string
	// InlineDocuments are the inline policies that were read. One that was not is
	// compared by its name alone.
	InlineDocuments map[string]Document
	// InstanceProfiles are the names of the instance profiles that hold the role.
	InstanceProfiles []string
	// Tags are all tags.
	Tags map[string]string
	// PermissionsBoundary is the ARN of the boundary, if any.
	PermissionsBoundary string
	// Description is the description, if any.
	Description string
	// MaxSession is the longest session.
	MaxSession time.Duration
}

// RoleUsers says which profiles of the cluster still use the role.
type RoleUsers struct {
	// Known says that every profile of the cluster was looked at, that one was found
	// that uses the role, or that the cluster is gone. The zero value means not
	// known, and nothing is deleted.
	Known bool
	// Profiles are the names of the profiles that use the role; one is enough.
	Profiles []string
}

// RoleMemory is what the caller keeps between two decisions on one role. The
// zero value is always safe.
type RoleMemory struct {
	// RoleID is the unique id of the role that the profiles were made with.
	RoleID string `json:"roleId,omitempty"`
	// ChangedAt is when we last created the role or changed its trust policy. EKS
	// may refuse the role for some minutes after.
	ChangedAt time.Time `json:"changedAt,omitzero"`
	// Told holds the reasons of the last decision and of its warnings, so that a
	// decision that only says the same again is no news.
	Told string `json:"told,omitempty"`
}

// RoleInput is what a decision on a role depends on.
type RoleInput struct {
	// Desired is what the caller wants.
	Desired DesiredRole
	// Observed is the role at IAM. Nil means that it is absent.
	Observed *ObservedRole
	// Users are the profiles that use the role. ModeDelete needs them; elsewhere
	// they say whether anything depends on the unique id in Memory.
	Users RoleUsers
	// Memory is what the last decision returned.
	Memory RoleMemory
	// Now is the time of the decision.
	Now time.Time
}

// RoleName is the name of the role that is desired, without its path: that of the
// ARN, or Name, or the one that the function [RoleName] gives.
func (d DesiredRole) RoleName() string {
	if r, err := ParseRoleARN(d.ARN); err == nil {
		return r.Name
	}
	if d.Name != "" {
		return d.Name
	}
	return RoleName(RoleIdentity{
		Partition: d.Scope.partition(),
		Account:   d.Scope.Account,
		Region:    d.Scope.Region,
		Cluster:   d.Scope.Cluster,
	})
}

func (d DesiredRole) path() string {
	if r, err := ParseRoleARN(d.ARN); err == nil {
		return r.Path
	}
	return orDefault(d.Path, "/")
}

// policies are the ARNs of all managed policies that the role must have, AWS's
// own first.
func (d DesiredRole) policies() []string {
	return append([]string{ManagedPolicyARN(d.Scope.partition())}, d.ManagedPolicies...)
}
