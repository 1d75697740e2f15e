// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// Reason says in one word why. The zero value is invalid.
type Reason string

// Why a pod is, or isn't, on a profile: the reasons of [Match] and [Explanation].
const (
	// ReasonMatched: exactly one profile matches.
	ReasonMatched Reason = "Matched"
	// ReasonTieDecidedByName: several profiles match; the byte-wise first name wins.
	ReasonTieDecidedByName Reason = "TieDecidedByName"
	// ReasonPinned: the pod names a profile by label, and that profile matches.
	ReasonPinned Reason = "Pinned"
	// ReasonNoMatch: no profile matches.
	ReasonNoMatch Reason = "NoMatch"
	// ReasonPinnedProfileNotFound: the pod names a profile that isn't there. What
	// EKS does then isn't documented; that the pod isn't placed is our reading.
	ReasonPinnedProfileNotFound Reason = "PinnedProfileNotFound"
	// ReasonPinnedProfileDoesNotMatch: the pod names a profile none of whose
	// selectors matches. The user guide says that it must match; what EKS does if
	// it doesn't isn't documented.
	ReasonPinnedProfileDoesNotMatch Reason = "PinnedProfileDoesNotMatch"
	// ReasonOptedOut: a profile matches, but the pod's annotation
	// [ComputeTypeAnnotation] keeps it off Fargate.
	ReasonOptedOut Reason = "OptedOut"
)

// Outcome says what becomes of a pod when it is created. The zero value is
// invalid.
type Outcome string

// The outcomes, in the words of the command-line tool.
const (
	// OutcomeFargate: the pod is placed on a Fargate profile.
	OutcomeFargate Outcome = "fargate"
	// OutcomeNone: no profile takes the pod. It goes to the default scheduler.
	OutcomeNone Outcome = "none"
	// OutcomeOptedOut: a profile would take the pod, but it opts out.
	OutcomeOptedOut Outcome = "optedOut"
	// OutcomeUnsupported: a profile takes the pod, but Fargate can't run it; it
	// stays Pending. Metadata can't tell: package admissible judges the pod spec.
	OutcomeUnsupported Outcome = "unsupported"
)
