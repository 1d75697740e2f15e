// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Error is a step that could not be made: a call failed in a way that says nothing
// about the profile, or the input is invalid.
type Error struct {
	// Op is what was being done, such as DescribeFargateProfile or validation.
	Op string
	// Cluster and Profile are the EKS name of the cluster and the name of the profile,
	// which is empty where it is about the whole cluster.
	Cluster, Profile string
	// Fault is what the error means.
	Fault Fault
	// Err is the cause.
	Err error
}

// Error says the operation, the cluster, the profile, the cause and what to do.
func (e *Error) Error() string {
	s := fmt.Sprintf("lifecycle: %s%s: %v", e.Op, e.about(), e.Err)
	if hint := e.Fault.Remedy(); hint != "" {
		s += " (" + hint + ")"
	}
	return s
}

func (e *Error) about() string {
	switch {
	case e.Profile != "" && e.Cluster != "":
		return " of profile " + e.Profile + " in cluster " + e.Cluster
	case e.Profile != "":
		return " of profile " + e.Profile
	case e.Cluster != "":
		return " of cluster " + e.Cluster
	default:
		return ""
	}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same step may succeed later without a change.
func (e *Error) Retryable() bool { return e.Fault.Retry() != awserr.RetryNever }

// RepeatedPageError is the cause of an [*Error] about a list of profiles that would
// never end: the answer named a next page that was read before. The list counts for
// nothing then, and no absence follows from it.
type RepeatedPageError = awscall.RepeatedPageError

// BlockedError is what Run and Delete return when somebody must change something
// first. It wraps the refusal of AWS, where there was one.
type BlockedError struct {
	Cluster, Profile string
	// Outcome says why, and what to do.
	Outcome Outcome
}

// Error says what is blocked, why, and what to do.
func (e *BlockedError) Error() string {
	message := strings.TrimPrefix(e.Outcome.Message, subject(e.Profile, e.Cluster)) // it is named before
	return fmt.Sprintf("lifecycle: profile %s of cluster %s is blocked (%s): %s", e.Profile, e.Cluster, e.Outcome.Reason, message)
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
	s := fmt.Sprintf("lifecycle: profile %s of cluster %s is not settled", e.Profile, e.Cluster)
	if e.Outcome.Reason != "" { // the last step came to a decision
		s += fmt.Sprintf(" (%s: %s)", e.Outcome.Reason, strings.TrimPrefix(e.Outcome.Message, subject(e.Profile, e.Cluster)))
	}
	s += fmt.Sprintf(": %v", e.Err)
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
