// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awserr

// Kind is what an error means.
type Kind string

// The kinds of errors.
const (
	// ProfileNotFound means that EKS knows the cluster and has no such profile.
	ProfileNotFound Kind = "ProfileNotFound"
	// ClusterNotFound means that EKS has no such cluster.
	ClusterNotFound Kind = "ClusterNotFound"
	// TargetNotFound means that a tag call named an ARN that is not there.
	TargetNotFound Kind = "TargetNotFound"
	// NameTaken means that a profile of that name exists.
	NameTaken Kind = "NameTaken"
	// PeerBusy means that another profile, or this one, is changing.
	PeerBusy Kind = "PeerBusy"
	// ClusterBusy means that the cluster has an update in progress.
	ClusterBusy Kind = "ClusterBusy"
	// InUse is a ResourceInUseException in words that nobody has seen yet.
	InUse Kind = "InUse"
	// ClusterNotActive means that the cluster is not ACTIVE.
	ClusterNotActive Kind = "ClusterNotActive"
	// Throttled means that calls came too fast.
	Throttled Kind = "Throttled"
	// Denied means that the caller lacks a permission or valid credentials.
	Denied Kind = "Denied"
	// TrustNotUsable means that EKS could not assume the pod execution role: the
	// trust is wrong, or the role is too new to be seen.
	TrustNotUsable Kind = "TrustNotUsable"
	// QuotaExceeded means that a quota has no free slot.
	QuotaExceeded Kind = "QuotaExceeded"
	// PublicSubnet means that a subnet has a route to an internet gateway.
	PublicSubnet Kind = "PublicSubnet"
	// UnsupportedZone means that a zone has no Fargate.
	UnsupportedZone Kind = "UnsupportedZone"
	// Invalid means that the request can never succeed as it is.
	Invalid Kind = "Invalid"
	// NoSuchEntity means that IAM has no such role or policy.
	NoSuchEntity Kind = "NoSuchEntity"
	// EntityExists means that IAM has an entity of that name.
	EntityExists Kind = "EntityExists"
	// DeleteConflict means that something is still attached to a role.
	DeleteConflict Kind = "DeleteConflict"
	// Conflict means that another change was made at the same moment.
	Conflict Kind = "Conflict"
	// Transient means a failure at AWS or on the way to it.
	Transient Kind = "Transient"
	// Canceled means that a context ended, mostly the caller's.
	Canceled Kind = "Canceled"
	// Unknown is everything else.
	Unknown Kind = "Unknown"
)

// Retry says whether doing the same again can help.
type Retry string

// The advice on doing it again.
const (
	// RetryNever means that the input or the permissions must change first.
	RetryNever Retry = "never"
	// RetryLater means that it helps to wait for what is in the way.
	RetryLater Retry = "later"
	// RetrySoon means that it may work the next time.
	RetrySoon Retry = "soon"
)

// Retry returns the advice for the kind.
func (k Kind) Retry() Retry {
	switch k {
	case PeerBusy, ClusterBusy, InUse, ClusterNotActive, NameTaken, TrustNotUsable:
		return RetryLater
	case Throttled, Transient, Conflict, TargetNotFound, Canceled:
		return RetrySoon
	default:
		return RetryNever
	}
}

// InUse reports whether the kind is one of the meanings of ResourceInUseException.
func (k Kind) InUse() bool {
	switch k {
	case NameTaken, PeerBusy, ClusterBusy, InUse:
		return true
	default:
		return false
	}
}

// Fault is an error of AWS with what it says in its text.
type Fault struct {
	Kind Kind
	// Code and Message are what AWS sent; empty for errors that are not from AWS.
	Code, Message string
	// Cluster is the cluster that the text names.
	Cluster string
	// Peer and PeerStatus are the profile that is in the way and what it does.
	Peer, PeerStatus string
	// Update is the id of the cluster update that is in the way, if it is told.
	Update string
	// Subnet and Zone are the ones that EKS refuses.
	Subnet, Zone string
	// Action and Resource are what the caller may not do, and on what.
	Action, Resource string
}

// Retry returns the advice on doing the same again.
func (f Fault) Retry() Retry { return f.Kind.Retry() }

// Remedy says what the caller can do about it. It is empty where that is not a
// matter of the fault alone.
func (f Fault) Remedy() string {
	switch {
	case f.Kind == Throttled:
		return "call again later, or more slowly"
	case f.Kind == Transient:
		return "call again later"
	case f.Kind == ClusterNotFound:
		return "check the name of the cluster, the account and the region"
	case f.Kind == Unknown && f.Code != "":
		return "this library does not know the code: mend what AWS says, and call again"
	case f.Kind != Denied:
		return ""
	case contains(f.Message, "Cross-account pass role"):
		return "use a role of the cluster's account"
	case f.Action == "":
		return "check the credentials and the permissions of the caller"
	case f.Resource == "":
		return "allow the caller " + f.Action
	default:
		return "allow the caller " + f.Action + " on " + f.Resource
	}
}
