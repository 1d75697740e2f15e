// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

// Outcome is what a step found, decided and did.
type Outcome struct {
	fargate.Decision
	// Observed is the profile as it was last seen; nil where there is none.
	Observed *fargate.Observed `json:"observed,omitempty"`
	// Settled says that the desired state is reached: equal, ACTIVE, no replacement
	// under way.
	Settled bool `json:"settled"`
	// Gone says, of StepDelete, that nothing of ours is left: no profile, and no role
	// of which we are the owner. A finalizer may be removed.
	Gone bool `json:"gone"`
	// RequeueAfter is when to make the next step; zero means when something changes.
	RequeueAfter time.Duration `json:"requeueAfter"`
	// Conditions are the outcome in the form of Kubernetes conditions.
	Conditions []Condition `json:"conditions"`
	// Events are what is new since the step before, for people: at most one.
	Events []Event `json:"events,omitempty"`
	// Memory is what to give to the next step.
	Memory fargate.Memory `json:"memory"`
	// Cause is the refusal of AWS that led to a wait or a block, as an [*Error]; nil
	// for none.
	Cause error `json:"-"`
}

// Condition maps one to one onto a metav1.Condition.
type Condition = fargate.Condition

// Event is something to tell people once.
type Event struct {
	// Warning tells bad news from good, as the type of a Kubernetes event does.
	Warning bool           `json:"warning"`
	Reason  fargate.Reason `json:"reason"`
	Message string         `json:"message"`
}

// outcome completes what a decision and its call left.
func outcome(in fargate.Input, d fargate.Decision, observed *fargate.Observed, cause error) Outcome {
	o := Outcome{Decision: d, Observed: observed, Settled: d.Reached, RequeueAfter: d.RequeueAfter, Memory: d.Memory, Cause: cause}
	o.Gone = in.Absent && d.Action == fargate.ActionNoOp
	o.Conditions = d.Conditions(in.Desired.Generation)
	if news(in, d) {
		o.Events = []Event{{Warning: warns(d), Reason: d.Reason, Message: d.Message}}
	}
	return o
}

// news reports whether a decision differs from what was reported last.
func news(in fargate.Input, d fargate.Decision) bool {
	return d.Reason != in.Memory.Reason || d.Message != in.Memory.Message
}

// warns tells bad news.
func warns(d fargate.Decision) bool {
	return d.Action == fargate.ActionBlocked || len(d.Issues) > 0 || len(d.Warnings) > 0
}
