// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Call is one entry of the journal: a call that reached the Cloud. Calls that
// an SDK refuses by itself, such as for a missing parameter, are not there.
type Call struct {
	// Number counts the calls of a Cloud from 1.
	Number int
	// Time is the Cloud's time of the call.
	Time time.Time
	// Caller made the call.
	Caller Caller
	// Service is the SDK's name of the service, such as EKS.
	Service string
	// Operation is the name of the operation, such as CreateFargateProfile.
	Operation string
	// Target is what the call was about.
	Target Target
	// Input is a copy of the SDK's input type, such as
	// *eks.CreateFargateProfileInput. Treat it as read-only.
	Input any
	// RequestID is the id that the reply carried.
	RequestID string
	// Status is the HTTP status of the reply.
	Status int
	// Code is the error's code, "" for success.
	Code string
	// Message is the error's text, "" for success.
	Message string
	// Lost is true when the reply never reached the caller.
	Lost bool
}

func newCall(now time.Time, caller Caller, op *operation, target Target, input any, r reply) Call {
	call := Call{
		Time: now, Caller: caller,
		Service: op.service, Operation: op.name, Target: target,
		Input: input, RequestID: r.requestID, Status: http.StatusOK, Lost: r.lost,
	}
	if r.err != nil {
		call.Status, call.Code, call.Message = r.err.status, r.err.code, r.err.message
	}
	return call
}

// Permissions lists what the caller must be allowed to make the call, in the
// order in which the Cloud checks it: the action of the operation, and what the
// call takes besides, such as iam:PassRole for a create. What only the first
// create in an account takes, iam:CreateServiceLinkedRole, is always listed.
func (call Call) Permissions() []Permission {
	var out []Permission
	for _, n := range needsOf(call.Caller, call.Service, call.Operation, call.Target, call.Input) {
		out = append(out, n.Permission)
	}
	return out
}

// journal keeps the newest calls in a ring, and counts all of them.
type journal struct {
	limit  int
	calls  []Call
	first  int // index of the oldest call, once the ring is full
	total  int
	counts map[string]int // by operation
}

func newJournal(limit int) journal {
	return journal{limit: max(0, limit), counts: map[string]int{}}
}

func (j *journal) add(call Call) {
	j.total++
	j.counts[call.Operation]++
	call.Number = j.total
	switch {
	case j.limit == 0:
	case len(j.calls) < j.limit:
		j.calls = append(j.calls, call)
	default:
		j.calls[j.first] = call
		j.first = (j.first + 1) % j.limit
	}
}

// Calls yields the calls so far, oldest first, as they were when the loop began.
func (c *Cloud) Calls() iter.Seq[Call] {
	return func(yield func(Call) bool) {
		c.mu.Lock()
		calls := slices.Concat(c.journal.calls[c.journal.first:], c.journal.calls[:c.journal.first])
		c.mu.Unlock()
		for _, call := range calls {
			if !yield(call) {
				return
			}
		}
	}
}

// CallsOf yields the calls of some operations, oldest first.
func (c *Cloud) CallsOf(operations ...string) iter.Seq[Call] {
	return c.callsWhere(func(call Call) bool { return slices.Contains(operations, call.Operation) })
}

// Writes yields the calls that have changed something: those of operations that
// do more than read, without the refused ones, oldest first. "Nothing was
// written" is the commonest thing to say of a controller.
func (c *Cloud) Writes() iter.Seq[Call] {
	return c.callsWhere(func(call Call) bool { return !readsOnly(call.Operation) && call.Code == "" })
}

func (c *Cloud) callsWhere(wanted func(Call) bool) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for call := range c.Calls() {
			if wanted(call) && !yield(call) {
				return
			}
		}
	}
}

// Transcript writes the calls so far, one a line, for golden files and for the
// messages of tests that fail.
func (c *Cloud) Transcript() string {
	var out strings.Builder
	for call := range c.Calls() {
		out.WriteString(call.String() + "\n")
	}
	return out.String()
}

// String writes a call on one line: what was called, on what, and what came of
// it.
func (call Call) String() string {
	parts := []string{call.Service + "." + call.Operation}
	if target := call.Target.String(); target != "" {
		parts = append(parts, target)
	}
	line := strings.Join(parts, " ")
	if call.Code != "" {
		line += ": " + call.Code + ": " + call.Message
	}
	if call.Lost {
		line += " (the reply was lost)"
	}
	return line
}

// CallCount returns how often operations were called, successful or not; with
// no name, how many calls there were in all.
func (c *Cloud) CallCount(operations ...string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(operations) == 0 {
		return c.journal.total
	}
	n := 0
	for _, op := range operations {
		n += c.journal.counts[op]
	}
	return n
}

// ForgetCalls empties the journal and sets its counters to zero.
func (c *Cloud) ForgetCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.journal = newJournal(c.opts.JournalSize)
}
