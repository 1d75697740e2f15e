// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"

	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Fault says what an error of AWS means, with what its text tells: the profile in
// the way, the subnet, the action that is denied.
type Fault = awserr.Fault

// FaultKind is the kind of a [Fault].
type FaultKind = awserr.Kind

// Classify says what an error of EKS or IAM means. It goes by the code of the
// error whatever its Go type, and by the text only where the code leaves it open.
func Classify(err error) Fault { return awserr.Classify(err) }

// Error is a step that could not be made: a call failed in a way that says nothing
// about the profile, or the input is invalid.
type Error struct {
	// Op is what was being done, such as DescribeFargateProfile or validating.
	Op string
	// Cluster and Profile are the EKS name of the cluster and the name of the profile,
	// which is empty where it is about the cluster as a whole.
	Cluster, Profile string
	// Fault is what the error means.
	Fault Fault
	// Err is the cause.
	Err error
}

// Error says the operation, the cluster, the profile, the cause and what to do.
func (e *Error) Error() string {
	what := "profile " + e.Profile + " in cluster " + e.Cluster
	if e.Profile == "" {
		what = "cluster " + e.Cluster
	}
	s := fmt.Sprintf("lifecycle: %s of %s: %v", e.Op, what, e.Err)
	if hint := e.hint(); hint != "" {
		s += " (" + hint + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same step may succeed later without a change.
func (e *Error) Retryable() bool { return e.Fault.Retry() != awserr.RetryNever }

func (e *Error) hint() string {
	switch e.Fault.Kind {
	case awserr.Denied:
		if e.Fault.Action != "" {
			return "allow the caller " + e.Fault.Action
		}
		return "check the credentials and the permissions of the caller"
	case awserr.Throttled:
		return "call again later, or more slowly"
	case awserr.Transient:
		return "call again later"
	case awserr.ClusterNotFound:
		return "check the name of the cluster, the account and the region"
	case awserr.Unknown:
		if e.Fault.Code != "" {
			return "this library does not know the code: mend what AWS says, and call again"
		}
		return ""
	default:
		return ""
	}
}

// BlockedError is what Run and Delete return when somebody must change something
// first. It wraps the refusal of AWS, where there was one.
type BlockedError struct {
	Cluster, Profile string
	// Outcome says why, and what to do.
	Outcome Outcome
}

// Error says what is blocked, why, and what to do.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("lifecycle: profile %s of cluster %s is blocked (%s): %s", e.Profile, e.Cluster, e.Outcome.Reason, e.Outcome.Message)
}

// Unwrap returns the refusal of AWS; nil where the decision alone was the reason.
func (e *BlockedError) Unwrap() error { return e.Outcome.Cause }

// IncompleteError is what Run and Delete return when the context ended before the
// profile was settled. Everything is safe: the same call continues.
type IncompleteError struct {
	Cluster, Profile string
	// Outcome is the last step that was made.
	Outcome Outcome
	// Last is the error of the last step, where it failed; nil otherwise.
	Last error
	// Err is the error of the context.
	Err error
}

// Error says what was waited for, and what AWS said last.
func (e *IncompleteError) Error() string {
	state := "not looked at yet"
	if e.Outcome.Reason != "" {
		state = string(e.Outcome.Reason) + ": " + e.Outcome.Message
	}
	s := fmt.Sprintf("lifecycle: profile %s of cluster %s is not settled (%s): %v", e.Profile, e.Cluster, state, e.Err)
	if last := e.lastCause(); last != nil {
		s += fmt.Sprintf("; last answer: %v", last)
	}
	return s + " (call again to continue)"
}

// Unwrap returns the error of the context and the last answer of AWS.
func (e *IncompleteError) Unwrap() []error {
	if last := e.lastCause(); last != nil {
		return []error{e.Err, last}
	}
	return []error{e.Err}
}

func (e *IncompleteError) lastCause() error {
	if e.Last != nil {
		return e.Last
	}
	return e.Outcome.Cause
}
