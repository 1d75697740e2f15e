// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "time"

// RoleAction is what must happen to a role now.
type RoleAction string

// The actions of a [RoleDecision].
const (
	// RoleActionCreate: create the role.
	RoleActionCreate RoleAction = "create"
	// RoleActionUpdate: make one change to the role.
	RoleActionUpdate RoleAction = "update"
	// RoleActionDelete: take one step of the deletion.
	RoleActionDelete RoleAction = "delete"
	// RoleActionWait: look again later.
	RoleActionWait RoleAction = "wait"
	// RoleActionBlocked: nothing can be done until somebody sees to it.
	RoleActionBlocked RoleAction = "blocked"
	// RoleActionNoOp: nothing is left to do.
	RoleActionNoOp RoleAction = "no-op"
)

// RoleDecision is the outcome of [DecideRole].
type RoleDecision struct {
	// Action is what must happen now.
	Action RoleAction
	// Reason is a word for why.
	Reason Reason
	// Message says why in one sentence, for people.
	Message string
	// Call is the one call to make for a create, an update or a delete; nil for
	// other actions.
	Call *Call
	// Gone says that the role is absent and meant to be.
	Gone bool
	// RequeueAfter says when to look again for a wait; 0 means as soon as
	// something changes.
	RequeueAfter time.Duration
	// Review holds what the role lacks, each with its fix, and what to look out
	// for. What the call will add is still in it.
	Review Review
	// Memory is to be kept for the next decision, once the call succeeded.
	Memory RoleMemory
}

// Reasons of a [RoleDecision].
const (
	// ReasonInvalid: the desired role has a fault.
	ReasonInvalid Reason = "Invalid"
	// ReasonBringYourOwn: the role is used as it is given.
	ReasonBringYourOwn Reason = "BringYourOwn"
	// ReasonRoleMissing: the role is absent.
	ReasonRoleMissing Reason = "RoleMissing"
	// ReasonRoleNotVisible: the role was made just now and IAM does not show it yet.
	ReasonRoleNotVisible Reason = "RoleNotVisible"
	// ReasonRoleGone: the role is absent, as it should be.
	ReasonRoleGone Reason = "RoleGone"
	// ReasonRoleReady: the role has all that it needs.
	ReasonRoleReady Reason = "RoleReady"
	// ReasonARNDiffers: the role of that name has another ARN than the desired one.
	ReasonARNDiffers Reason = "ArnDiffers"
	// ReasonRoleUnfit: the role lacks something and is not ours to change.
	ReasonRoleUnfit Reason = "RoleUnfit"
	// ReasonRoleNotOurs: the role does not carry our mark, or not ours alone.
	ReasonRoleNotOurs Reason = "RoleNotOurs"
	// ReasonRoleOfOtherCluster: the role serves another cluster, too.
	ReasonRoleOfOtherCluster Reason = "RoleOfOtherCluster"
	// ReasonRoleShared: the trust policy has somebody else in it than EKS.
	ReasonRoleShared Reason = "RoleShared"
	// ReasonTrustDenies: a statement of the trust policy denies it to EKS.
	ReasonTrustDenies Reason = "TrustDenies"
	// ReasonTrustUnreadable: the trust policy could not be read.
	ReasonTrustUnreadable Reason = "TrustUnreadable"
	// ReasonTrustMissing: the trust policy lacks our statement.
	ReasonTrustMissing Reason = "TrustMissing"
	// ReasonManagedPolicyMissing: a managed policy is not attached.
	ReasonManagedPolicyMissing Reason = "ManagedPolicyMissing"
	// ReasonInlinePolicyMissing: an inline policy is absent or differs.
	ReasonInlinePolicyMissing Reason = "InlinePolicyMissing"
	// ReasonBoundaryDrift: the permissions boundary differs.
	ReasonBoundaryDrift Reason = "BoundaryDrift"
	// ReasonSettingsDrift: the description or the longest session differs.
	ReasonSettingsDrift Reason = "SettingsDrift"
	// ReasonTagsDrift: tags differ.
	ReasonTagsDrift Reason = "TagsDrift"
	// ReasonPathDrift: the path differs, which can't be changed.
	ReasonPathDrift Reason = "PathDrift"
	// ReasonPathNotInAuth: the path of the role is lost in aws-auth.
	ReasonPathNotInAuth Reason = "PathNotInAuth"
	// ReasonRoleRecreated: the role was deleted and made again.
	ReasonRoleRecreated Reason = "RoleRecreated"
	// ReasonDeletionCancelled: the role was about to be deleted and is wanted.
	ReasonDeletionCancelled Reason = "DeletionCancelled"
	// ReasonRoleInUse: a profile of the cluster still uses the role.
	ReasonRoleInUse Reason = "RoleInUse"
	// ReasonUsersUnknown: which profiles use the role is not known.
	ReasonUsersUnknown Reason = "UsersUnknown"
	// ReasonForeignPolicies: the role holds inline policies that are not ours.
	ReasonForeignPolicies Reason = "ForeignPolicies"
	// ReasonForeignInstanceProfiles: the role is in instance profiles, into which we
	// put none.
	ReasonForeignInstanceProfiles Reason = "ForeignInstanceProfiles"
	// ReasonDeletionAnnounced: the role gets the mark that it will be deleted.
	ReasonDeletionAnnounced Reason = "DeletionAnnounced"
	// ReasonRoleUnused: no profile uses the role, so it is being deleted.
	ReasonRoleUnused Reason = "RoleUnused"
)
