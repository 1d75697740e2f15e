// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import "github.com/eksfargate/eksfargate/internal/awserr"

// Fault says what an error of AWS means. It has a Kind, the Code and the Message of
// AWS, and what the text tells, empty where it tells nothing: the Cluster; the Peer,
// a profile that is in the way, and its PeerStatus; the Update of the cluster that
// is; the Subnet and the Zone that are refused; the Action that is denied, and the
// Resource. Its methods are Retry, which says when to try again (never,
// later or soon), and Remedy, which says what to do.
type Fault = awserr.Fault

// FaultKind is the kind of a [Fault].
type FaultKind = awserr.Kind

// The kinds of faults.
const (
	// FaultProfileNotFound means that EKS knows the cluster and has no such profile.
	FaultProfileNotFound FaultKind = awserr.ProfileNotFound
	// FaultClusterNotFound means that EKS has no such cluster.
	FaultClusterNotFound FaultKind = awserr.ClusterNotFound
	// FaultTargetNotFound means that a tag call named an ARN that is not there.
	FaultTargetNotFound FaultKind = awserr.TargetNotFound
	// FaultNameTaken means that a profile of that name exists.
	FaultNameTaken FaultKind = awserr.NameTaken
	// FaultPeerBusy means that another profile, or this one, is changing.
	FaultPeerBusy FaultKind = awserr.PeerBusy
	// FaultClusterBusy means that the cluster has an update in progress.
	FaultClusterBusy FaultKind = awserr.ClusterBusy
	// FaultInUse is a ResourceInUseException in words that nobody has seen yet.
	FaultInUse FaultKind = awserr.InUse
	// FaultClusterNotActive means that the cluster is not ACTIVE.
	FaultClusterNotActive FaultKind = awserr.ClusterNotActive
	// FaultThrottled means that calls came too fast.
	FaultThrottled FaultKind = awserr.Throttled
	// FaultDenied means that the caller lacks a permission or valid credentials.
	FaultDenied FaultKind = awserr.Denied
	// FaultTrustNotUsable means that EKS could not assume the pod execution role: the
	// trust is wrong, or the role is too new to be seen.
	FaultTrustNotUsable FaultKind = awserr.TrustNotUsable
	// FaultQuotaExceeded means that a quota has no free slot.
	FaultQuotaExceeded FaultKind = awserr.QuotaExceeded
	// FaultPublicSubnet means that a subnet has a route to an internet gateway.
	FaultPublicSubnet FaultKind = awserr.PublicSubnet
	// FaultUnsupportedZone means that a zone has no Fargate.
	FaultUnsupportedZone FaultKind = awserr.UnsupportedZone
	// FaultInvalid means that the request can never succeed as it is.
	FaultInvalid FaultKind = awserr.Invalid
	// FaultNoSuchEntity means that IAM has no such role or policy.
	FaultNoSuchEntity FaultKind = awserr.NoSuchEntity
	// FaultEntityExists means that IAM has an entity of that name.
	FaultEntityExists FaultKind = awserr.EntityExists
	// FaultDeleteConflict means that something is still attached to a role.
	FaultDeleteConflict FaultKind = awserr.DeleteConflict
	// FaultConflict means that another change was made at the same moment.
	FaultConflict FaultKind = awserr.Conflict
	// FaultTransient means a failure at AWS or on the way to it.
	FaultTransient FaultKind = awserr.Transient
	// FaultCanceled means that the caller's context ended.
	FaultCanceled FaultKind = awserr.Canceled
	// FaultUnknown is everything else.
	FaultUnknown FaultKind = awserr.Unknown
)

// Classify says what an error of EKS or IAM means. It goes by the code of the
// error whatever its Go type, and by the text only where the code leaves it open.
// The fault of nil has no kind.
func Classify(err error) Fault { return awserr.Classify(err) }
