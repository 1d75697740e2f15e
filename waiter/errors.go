// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"fmt"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

// State says how far a wait has come. Every error and every [Progress] has one.
type State struct {
	// Ref is the profile; empty in a wait for a role.
	Ref Ref
	// Role is the name of the role that is waited for, if it is one.
	Role string
	Goal Goal
	// Status is what EKS reported last; empty if it never answered.
	Status fargate.Status
	// Issues are the health issues that EKS reported last.
	Issues []fargate.Issue
	// Age is how long ago the operation began, as far as is known.
	Age time.Duration
	// Waited is how long this wait has taken.
	Waited time.Duration
	// Polls is how many times this wait has asked EKS.
	Polls int
}

func (s State) prefix() string {
	what := "profile " + s.Ref.String()
	switch {
	case s.Role != "":
		what = "role " + s.Role
	case s.Ref.Profile == "" && s.Goal == GoalIdle:
		what = "cluster " + s.Ref.String()
	}
	return "waiting for " + what + " to be " + string(s.Goal) + ": "
}

func (s State) suffix() string {
	status := "status " + string(s.Status) + ", "
	if s.Status == "" {
		status = ""
	}
	return fmt.Sprintf(" (%sage %s, %d polls)", status, s.Age.Round(time.Second), s.Polls)
}

// FailedError means that the profile is CREATE_FAILED or DELETE_FAILED. Waiting
// on cannot help.
type FailedError struct {
	State
}

// Error says the status, the health issues and what to do.
func (e *FailedError) Error() string {
	return e.prefix() + "EKS gave up with " + string(e.Status) + ": " + e.issuesText() + "; to do: " + e.Remedy() + e.suffix()
}

func (e *FailedError) issuesText() string {
	if len(e.Issues) == 0 {
		return "no health issue is reported"
	}
	texts := make([]string, 0, len(e.Issues))
	for _, i := range e.Issues {
		texts = append(texts, string(i.Code)+": "+i.Message)
	}
	return strings.Join(texts, "; ")
}

// Remedy says what a person should do, from the health issues if there are any.
func (e *FailedError) Remedy() string {
	var remedies []string
	for _, i := range e.Issues {
		remedies = append(remedies, i.Code.Advice().Remedy)
	}
	switch {
	case len(remedies) > 0:
		return strings.Join(remedies, "; ")
	case e.Status == fargate.StatusDeleteFailed:
		return "ask for the delete again"
	default:
		return "delete the profile, which ends nothing as no pod ran on it, and create it again"
	}
}

// Retryable reports whether doing the operation again, with nothing changed, can
// help: true if every health issue is of that kind.
func (e *FailedError) Retryable() bool {
	for _, i := range e.Issues {
		if !i.Code.Advice().Retryable {
			return false
		}
	}
	return true
}

// TimeoutError means that the context ended first. It unwraps to the context's
// error and, if there is one, to the error that the last call met.
type TimeoutError struct {
	State
	// Err is the context's error.
	Err error
	// Cause is the cause that the context was given, if it differs from Err.
	Cause error
	// Last is the error that the last call met. Nil after a good answer.
	Last error
}

// Error says what was seen last.
func (e *TimeoutError) Error() string {
	var text strings.Builder
	text.WriteString(e.prefix() + e.Err.Error())
	if e.Cause != nil {
		text.WriteString(": " + e.Cause.Error())
	}
	if e.Last != nil {
		text.WriteString("; the last call met: " + e.Last.Error())
	}
	for _, i := range e.Issues {
		text.WriteString("; " + i.String())
	}
	return text.String() + e.suffix()
}

// Unwrap returns the errors behind the timeout.
func (e *TimeoutError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Err, e.Cause, e.Last} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// EndedError means that the goal is out of reach although EKS reports no failure.
type EndedError struct {
	State
	// Reason is the machine word for why.
	Reason Reason
	// Err is the error of the last call, if it was one that ended the wait.
	Err error
}

// Error says the reason and what to do.
func (e *EndedError) Error() string {
	text := e.prefix() + e.Reason.text()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + "; to do: " + e.Reason.help() + e.suffix()
}

// Unwrap returns the error of the last call, if it ended the wait.
func (e *EndedError) Unwrap() error { return e.Err }
