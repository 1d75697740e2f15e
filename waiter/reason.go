// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

// Reason is why a wait ended without reaching its goal.
type Reason string

// The reasons of an [EndedError].
const (
	// ReasonBeingDeleted means that somebody deletes the profile that was to
	// become ACTIVE.
	ReasonBeingDeleted Reason = "BeingDeleted"
	// ReasonDeletedMeanwhile means that the profile was there and is gone.
	ReasonDeletedMeanwhile Reason = "DeletedMeanwhile"
	// ReasonNeverCreated means that EKS has not known the profile since the wait
	// began, beyond the grace for stale reads.
	ReasonNeverCreated Reason = "NeverCreated"
	// ReasonReplaced means that a profile of this name with another ARN is there.
	ReasonReplaced Reason = "Replaced"
	// ReasonClusterNotFound means that EKS has no such cluster. That is no proof
	// that the profile was deleted: the region or the account may be another one.
	ReasonClusterNotFound Reason = "ClusterNotFound"
	// ReasonDeleteNotTaken means that the profile was DELETING and is not any more.
	ReasonDeleteNotTaken Reason = "DeleteNotTaken"
	// ReasonNeverDeleted means that the profile never became DELETING.
	ReasonNeverDeleted Reason = "NeverDeleted"
	// ReasonDenied means that the caller may not make the call.
	ReasonDenied Reason = "Denied"
	// ReasonErrorBudget means that errors which pass by themselves went on for
	// longer than the budget.
	ReasonErrorBudget Reason = "ErrorBudget"
	// ReasonCallFailed means an error that asking again does not mend.
	ReasonCallFailed Reason = "CallFailed"
	// ReasonRoleNotFound means that IAM does not know the role.
	ReasonRoleNotFound Reason = "RoleNotFound"
	// ReasonTrustRefuses means that the trust policy of the role does not let EKS
	// assume it, so that waiting does not help.
	ReasonTrustRefuses Reason = "TrustRefuses"
	// ReasonTrustUndecidable means that the trust policy cannot be judged and that
	// nothing was given to try it with.
	ReasonTrustUndecidable Reason = "TrustUndecidable"
	// ReasonInvalidInput means that the wait was asked for without a name, for a
	// goal that does not exist, or without any way to tell.
	ReasonInvalidInput Reason = "InvalidInput"
)

// advice is what a reason means, and what to do.
type advice struct{ text, help string }

func (r Reason) text() string { return adviceOf(r).text }
func (r Reason) help() string { return adviceOf(r).help }

func adviceOf(r Reason) advice {
	switch r {
	case ReasonBeingDeleted:
		return advice{"somebody deletes the profile", "find out who, wait until it is gone, and create it again"}
	case ReasonDeletedMeanwhile:
		return advice{"the profile was there and is gone", "find out who deleted it, and create it again"}
	case ReasonNeverCreated:
		return advice{"EKS does not know the profile", "check the name, the region and whether the create was accepted"}
	case ReasonReplaced:
		return advice{"a profile of this name with another ARN is there", "compare it with what is desired before doing anything"}
	case ReasonClusterNotFound:
		return advice{"EKS does not know the cluster", "check the cluster's name, the region and the account; do not take this for a deletion"}
	case ReasonDeleteNotTaken:
		return advice{"the profile was DELETING and is not any more", "ask for the delete again"}
	case ReasonNeverDeleted:
		return advice{"nobody deletes the profile", "call DeleteFargateProfile and check its answer"}
	default:
		return adviceOnCalls(r)
	}
}

func adviceOnCalls(r Reason) advice {
	switch r {
	case ReasonDenied:
		return advice{"the call is denied", "allow eks:DescribeFargateProfile, for a cluster eks:ListFargateProfiles, for a role iam:GetRole; or renew the credentials"}
	case ReasonErrorBudget:
		return advice{"calls have failed for too long", "wait again later, or raise the error budget"}
	case ReasonInvalidInput:
		return advice{"a name is missing, the goal is unknown, or there is no way to tell", "give the names of the cluster and the profile, or that of the role, with a client or an attempt"}
	case ReasonRoleNotFound:
		return advice{"IAM does not know the role", "check the name and the account, and create the role"}
	case ReasonTrustRefuses:
		return advice{"the trust policy does not let EKS assume the role", "correct the trust policy; waiting does not mend it"}
	case ReasonTrustUndecidable:
		return advice{"whether EKS may assume the role cannot be told", "simplify the trust policy, or give an attempt"}
	default:
		return advice{"the call failed", "read the error of the call"}
	}
}
