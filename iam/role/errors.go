// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"fmt"

	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Fault says what an error of AWS means, with what its text tells. Package lifecycle
// has the same type, describes its fields and names its kinds.
type Fault = awserr.Fault

// Error is a step that could not be made: a call failed in a way that says nothing
// about the role, or the input is invalid.
type Error struct {
	// Op is what was being done, such as GetRole or validation.
	Op string
	// Role is the name of the role; Cluster and Profile are who needs it. Profile is
	// empty where it is about all profiles of the cluster.
	Role, Cluster, Profile string
	// Fault is what the error means.
	Fault Fault
	// Err is the cause.
	Err error
}

// Error says the operation, the role, who needs it, the cause and what to do.
func (e *Error) Error() string {
	s := "role: " + e.Op + " of role " + e.Role
	if e.Profile != "" {
		s += " for profile " + e.Profile
	}
	if e.Cluster != "" { // without, it is what is invalid
		s += " of cluster " + e.Cluster
	}
	s += ": " + e.Err.Error()
	if hint := e.Fault.Remedy(); hint != "" {
		s += " (" + hint + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same step may succeed later without a change.
func (e *Error) Retryable() bool { return e.Fault.Retry() != awserr.RetryNever }

// RepeatedPageError is the cause of an [*Error] about a list that would never end: the
// answer named a next page that was read before. Nothing is changed then.
type RepeatedPageError = awscall.RepeatedPageError

// BlockedError is what Ensure and Delete return when somebody must change
// something first. It wraps the refusal of AWS, where there was one.
type BlockedError struct {
	// Role and Cluster are the names of the role and of its cluster.
	Role, Cluster string
	// Outcome says why, and what to do.
	Outcome Outcome
}

// Error says what is blocked, why, and what to do.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("role: role %s of cluster %s is blocked (%s): %s", e.Role, e.Cluster, e.Outcome.Reason, e.Outcome.Message)
}

// Unwrap returns the refusal of AWS; nil where the decision alone was the reason.
func (e *BlockedError) Unwrap() error { return e.Outcome.Cause }

// IncompleteError is what Ensure and Delete return when the context ended before
// nothing was left to do. Everything is safe: the same call continues.
type IncompleteError struct {
	// Role and Cluster are the names of the role and of its cluster.
	Role, Cluster string
	// Outcome is the last step that was made.
	Outcome Outcome
	// Err joins the error of the context and that of the last step.
	Err error
}

// Error says what was waited for, and why it ended.
func (e *IncompleteError) Error() string {
	return fmt.Sprintf("role: role %s of cluster %s is not settled (%s: %s): %v (call again to continue)",
		e.Role, e.Cluster, e.Outcome.Reason, e.Outcome.Message, e.Err)
}

// Unwrap returns the cause.
func (e *IncompleteError) Unwrap() error { return e.Err }
