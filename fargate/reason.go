// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

// Action is what must happen. The zero value is invalid.
type Action string

// The actions.
const (
	// ActionCreate makes the profile.
	ActionCreate Action = "create"
	// ActionNoOp does nothing: the desired state is reached.
	ActionNoOp Action = "no-op"
	// ActionUpdateTags sets or removes tags, our marks included.
	ActionUpdateTags Action = "update-tags"
	// ActionReplace does one step of a replacement.
	ActionReplace Action = "replace"
	// ActionDelete deletes the profile.
	ActionDelete Action = "delete"
	// ActionWait does nothing now: something is in progress or must settle first.
	ActionWait Action = "wait"
	// ActionBlocked does nothing: somebody must change something first.
	ActionBlocked Action = "blocked"
)

// Reason is the machine word for why an action was chosen, in the form of the
// reason of a Kubernetes condition.
type Reason string

// Reasons of no-op.
const (
	// ReasonInSync means ACTIVE, equal to the desired state and without a peer.
	ReasonInSync Reason = "InSync"
	// ReasonDegraded means the same, but EKS reports health issues.
	ReasonDegraded Reason = "Degraded"
	// ReasonGone means that no profile of ours is there, as is desired.
	ReasonGone Reason = "Gone"
	// ReasonClusterGone means that the cluster is gone and the profile with it.
	ReasonClusterGone Reason = "ClusterGone"
	// ReasonNotOurs means that what bears the name is not ours and is left alone.
	ReasonNotOurs Reason = "NotOurs"
)

// Reasons of create, update-tags, replace and delete.
const (
	// ReasonAbsent means that the profile is not there and is made.
	ReasonAbsent Reason = "Absent"
	// ReasonTagsDiffer means that tags of the user differ and are brought in line.
	ReasonTagsDiffer Reason = "TagsDiffer"
	// ReasonMarksDiffer means that only our marks are out of date.
	ReasonMarksDiffer Reason = "MarksDiffer"
	// ReasonAdopting means that an unowned profile gets our mark.
	ReasonAdopting Reason = "Adopting"
	// ReasonTakingOver means that a profile changes its owner, as the policy allows.
	ReasonTakingOver Reason = "TakingOver"
	// ReasonReleasing means that our marks are removed and the profile is kept.
	ReasonReleasing Reason = "Releasing"
	// ReasonNamingSuccessor is step S0 of create-first: the predecessor is marked
	// with the name of its successor.
	ReasonNamingSuccessor Reason = "NamingSuccessor"
	// ReasonCreatingSuccessor is step S1: the successor is made.
	ReasonCreatingSuccessor Reason = "CreatingSuccessor"
	// ReasonDeletingPredecessor is step S3: the predecessor is deleted.
	ReasonDeletingPredecessor Reason = "DeletingPredecessor"
	// ReasonForgettingPeer is step S5: the mark of a peer that is gone is removed.
	ReasonForgettingPeer Reason = "ForgettingPeer"
	// ReasonConfirming ends a creation: a new profile is the only one of its logical
	// name, and the mark by which every writer looks for another one is removed.
	ReasonConfirming Reason = "Confirming"
	// ReasonDeletingFirst means that a delete-first replacement deletes the profile.
	ReasonDeletingFirst Reason = "DeletingFirst"
	// ReasonRollingBack means that the desired state went back to the predecessor,
	// so that the successor is deleted.
	ReasonRollingBack Reason = "RollingBack"
	// ReasonStartingOver means that the desired state changed during a replacement,
	// so that the successor is deleted and another will be made.
	ReasonStartingOver Reason = "StartingOver"
	// ReasonRecoveringCreate means that a profile that failed to be created is
	// deleted, to be made again.
	ReasonRecoveringCreate Reason = "RecoveringCreate"
	// ReasonRecoveringDelete means that a delete that failed is asked for again.
	ReasonRecoveringDelete Reason = "RecoveringDelete"
	// ReasonUndesired means that the profile is no longer desired.
	ReasonUndesired Reason = "Undesired"
)

// Reasons of wait.
const (
	// ReasonCreating means that the profile is CREATING.
	ReasonCreating Reason = "Creating"
	// ReasonDeleting means that the profile is DELETING.
	ReasonDeleting Reason = "Deleting"
	// ReasonUnknownStatus means that EKS reports a status that is not known.
	ReasonUnknownStatus Reason = "UnknownStatus"
	// ReasonBackingOff means that a failure is tried again later.
	ReasonBackingOff Reason = "BackingOff"
	// ReasonSuccessorDegraded means that the successor is ACTIVE, but EKS reports
	// health issues on it and none on the predecessor, which therefore stays until
	// that ends or the predecessor is named in drained.
	ReasonSuccessorDegraded Reason = "SuccessorDegraded"
	// ReasonDrainNotConfirmed means that the drain gate is closed.
	ReasonDrainNotConfirmed Reason = "DrainNotConfirmed"
	// ReasonRoleNotReady means that the pod execution role is being prepared, or
	// taken away after the profile.
	ReasonRoleNotReady Reason = "RoleNotReady"
	// ReasonTrustNotUsable means that EKS could not assume the role yet.
	ReasonTrustNotUsable Reason = "TrustNotUsable"
	// ReasonNameTaken means that EKS says the name is taken; the next look compares.
	ReasonNameTaken Reason = "NameTaken"
	// ReasonPeerBusy means that another profile of the cluster is changing.
	ReasonPeerBusy Reason = "PeerBusy"
	// ReasonClusterBusy means that the cluster has an update in progress.
	ReasonClusterBusy Reason = "ClusterBusy"
	// ReasonInUse means that EKS refused the change for a use that it did not name
	// in words that are known.
	ReasonInUse Reason = "InUse"
	// ReasonClusterNotActive means that the cluster is not ACTIVE yet.
	ReasonClusterNotActive Reason = "ClusterNotActive"
	// ReasonVanished means that what was to be changed is gone; look again.
	ReasonVanished Reason = "Vanished"
	// ReasonStateChanged means that EKS refused a change that the last look allowed:
	// the profile is probably not as it was seen any more; look again.
	ReasonStateChanged Reason = "StateChanged"
)

// Reasons of blocked.
const (
	// ReasonInvalidDesired means that the desired state or the policy is invalid.
	ReasonInvalidDesired Reason = "InvalidDesired"
	// ReasonWrongPlace means that the account or the region is not the one in which
	// the profile was seen before.
	ReasonWrongPlace Reason = "WrongPlace"
	// ReasonClusterNotFound means that the cluster does not exist.
	ReasonClusterNotFound Reason = "ClusterNotFound"
	// ReasonTooManyProfiles means that more than two profiles claim one logical name.
	ReasonTooManyProfiles Reason = "TooManyProfiles"
	// ReasonContested means that several owners claim the profile.
	ReasonContested Reason = "Contested"
	// ReasonForeign means that another owner has the profile.
	ReasonForeign Reason = "Foreign"
	// ReasonUnowned means that nobody's mark is on the profile, and the policy does
	// not let us adopt it.
	ReasonUnowned Reason = "Unowned"
	// ReasonAdoptionDrift means that the policy adopts only an equal profile, and
	// this one differs.
	ReasonAdoptionDrift Reason = "AdoptionDrift"
	// ReasonAdoptionMidway means that the profile is in the middle of another owner's
	// replacement.
	ReasonAdoptionMidway Reason = "AdoptionMidway"
	// ReasonStaleDesired means that a newer generation wrote to the profile.
	ReasonStaleDesired Reason = "StaleDesired"
	// ReasonReplacementForbidden means that an immutable field differs and the policy
	// forbids a replacement.
	ReasonReplacementForbidden Reason = "ReplacementForbidden"
	// ReasonNamesExhausted means that no derived name is left below the predecessor.
	ReasonNamesExhausted Reason = "NamesExhausted"
	// ReasonSuccessorNameTaken means that another profile has the successor's name.
	ReasonSuccessorNameTaken Reason = "SuccessorNameTaken"
	// ReasonOrderChanges means that the successor would change places with a third
	// profile that selects some of the same pods.
	ReasonOrderChanges Reason = "OrderChanges"
	// ReasonQuotaExceeded means that the cluster has no free slot for a profile, or
	// another quota is used up.
	ReasonQuotaExceeded Reason = "QuotaExceeded"
	// ReasonTooManyTags means that the profile would have more tags than AWS allows.
	ReasonTooManyTags Reason = "TooManyTags"
	// ReasonRoleNotTrusted means that the role does not trust EKS for this profile.
	ReasonRoleNotTrusted Reason = "RoleNotTrusted"
	// ReasonRoleUnverified means that nobody could read whether the new role trusts
	// EKS, and a delete-first replacement would bet the old profile on it.
	ReasonRoleUnverified Reason = "RoleUnverified"
	// ReasonRoleBlocked means that the pod execution role needs somebody's help.
	ReasonRoleBlocked Reason = "RoleBlocked"
	// ReasonCreateFailed means that creating failed as often as the policy allows.
	ReasonCreateFailed Reason = "CreateFailed"
	// ReasonDeleteFailed means that deleting failed as often as the policy allows.
	ReasonDeleteFailed Reason = "DeleteFailed"
	// ReasonAccessDenied means that AWS denied the call.
	ReasonAccessDenied Reason = "AccessDenied"
	// ReasonPublicSubnet means that a subnet is not private.
	ReasonPublicSubnet Reason = "PublicSubnet"
	// ReasonUnsupportedZone means that a subnet lies in a zone without Fargate.
	ReasonUnsupportedZone Reason = "UnsupportedZone"
	// ReasonRejected means that AWS refused the request as it is.
	ReasonRejected Reason = "Rejected"
)
