// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"time"
)

// Fault is something that goes wrong, as data. The zero values of the matching
// fields match everything; of the faults that match a call, the one that was
// injected first strikes, and only that one.
type Fault struct {
	// Operation is the name of an AWS operation, such as CreateFargateProfile.
	Operation string `json:"operation,omitempty"`
	// Target restricts the fault to calls about one cluster, profile or role.
	Target
	// Skip lets so many matching calls pass first.
	Skip int `json:"skip,omitempty"`
	// Count is how many calls the fault strikes; 0 means one, negative means
	// every one until ClearFaults.
	Count int `json:"count,omitempty"`
	// Probability is the chance that a matching call is struck, drawn from the
	// seed; 0 means certainty. Calls that are spared do not count.
	Probability float64 `json:"probability,omitempty"`

	// Code makes the call fail with this error before it has any effect.
	Code string `json:"code,omitempty"`
	// Message is the text of that error.
	Message string `json:"message,omitempty"`
	// Status is its HTTP status; 0 means the one that AWS's models give to Code.
	Status int `json:"status,omitempty"`
	// Deny refuses the call when it needs this permission, such as
	// eks:TagResource or iam:PassRole; * and ? are wildcards. Calls that do not
	// need it are not struck. The error is AWS's, so Code has no say.
	Deny string `json:"deny,omitempty"`
	// LoseRequest cuts the connection before the call takes effect.
	LoseRequest bool `json:"loseRequest,omitempty"`
	// LoseReply cuts the connection after the call took effect.
	LoseReply bool `json:"loseReply,omitempty"`
	// Stale makes a read answer as things were so long ago, but not before the
	// injection of the first such fault. What was created since is not found,
	// what was deleted since is still there. Writes are never stale. IAM's reads
	// are not concerned.
	Stale time.Duration `json:"stale,omitempty"`
	// Delay holds the reply back. The effect is not delayed.
	Delay time.Duration `json:"delay,omitempty"`
	// Outcome says how the change that the call starts will end.
	Outcome *Outcome `json:"outcome,omitempty"`
}

// Outcome is the end of an asynchronous change: of a create or a delete.
type Outcome struct {
	// After is when the change ends, counted from the call; 0 means the drawn
	// delay.
	After time.Duration `json:"after,omitempty"`
	// Failed ends it in CREATE_FAILED or DELETE_FAILED.
	Failed bool `json:"failed,omitempty"`
	// Stuck means that it never ends.
	Stuck bool `json:"stuck,omitempty"`
	// Issues are the health issues that appear with the end. Without Failed
	// they are on an ACTIVE profile.
	Issues []Issue `json:"issues,omitempty"`
}

// Deny refuses every call that needs one of these permissions, such as
// eks:TagResource, until ClearFaults: it injects a Fault for each.
func (c *Cloud) Deny(actions ...string) {
	for _, action := range actions {
		c.Inject(Fault{Deny: action, Count: -1})
	}
}

// Throttle is a fault that refuses count calls of an operation ("" for any) as
// AWS does when they come too fast. The SDK's clients retry such errors.
func Throttle(operation string, count int) Fault {
	return Fault{Operation: operation, Count: count, Code: codeThrottling, Message: "Rate exceeded"}
}

// FailAfter is an outcome that fails after d with one health issue.
func FailAfter(d time.Duration, code, message string, resourceIDs ...string) *Outcome {
	return &Outcome{After: d, Failed: true, Issues: []Issue{{Code: code, Message: message, ResourceIDs: resourceIDs}}}
}

// Inject adds faults, behind those that are there.
func (c *Cloud) Inject(faults ...Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range faults {
		f.Count = orInt(f.Count, 1)
		if f.Outcome != nil {
			o := *f.Outcome
			o.Issues = cloneIssues(o.Issues)
			f.Outcome = &o
		}
		c.faults = append(c.faults, &armedFault{Fault: f})
		c.remember(f.Stale)
	}
}

// ClearFaults removes all faults and ends the chaos.
func (c *Cloud) ClearFaults() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults, c.chaos = nil, nil
	c.forgetPast()
}

func cloneIssues(issues []Issue) []Issue {
	out := slices.Clone(issues)
	for i := range out {
		out[i].ResourceIDs = slices.Clone(out[i].ResourceIDs)
	}
	return out
}
