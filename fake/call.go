// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// Caller is who makes a call, and where. Zero fields mean the Cloud's defaults.
type Caller struct {
	// Account is the twelve digits of the caller's account.
	Account string
	// Region is the region that the call goes to.
	Region string
	// ARN is the caller's identity; "" means user/fake in Account.
	ARN string
}

func (c *Cloud) resolve(caller Caller) Caller {
	caller.Account = orString(caller.Account, c.opts.Account)
	caller.Region = orString(caller.Region, c.opts.Region)
	if caller.ARN == "" {
		caller.ARN = fmt.Sprintf("arn:%s:iam::%s:user/fake", partitionOf(caller.Region), caller.Account)
	}
	return caller
}

// reply is what comes of a call, in no wire format yet.
type reply struct {
	output    any
	err       *apiError
	requestID string
	lost      bool          // the caller gets no answer
	delay     time.Duration // the answer comes this much later
}

// call is the only way to an operation: death, hooks, faults, permissions, then
// state, then journal, all at one moment of the Cloud's time. The effect of a
// call is all or nothing.
func (c *Cloud) call(ctx context.Context, caller Caller, op *operation, input any) reply {
	death := meets(ctx)
	if death.is(BeforeEffect) {
		return death.strike()
	}
	c.runHooks()
	r := c.perform(c.resolve(caller), op, op.copy(input), death != nil)
	if death != nil {
		return death.strike()
	}
	if r.delay > 0 && !wait(ctx, r.delay) {
		r.lost = true
	}
	return r
}

func (c *Cloud) perform(caller Caller, op *operation, input any, deaf bool) reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	t := c.begin(caller, now)
	target := op.target(input)
	needs := func() []need { return t.needs(op, target, input) }
	f := c.strike(op, target, needs)
	r := reply{requestID: requestID(c.rand), lost: f.LoseReply || f.LoseRequest || deaf, delay: f.Delay}
	if f.LoseRequest {
		return r
	}
	if r.err = cmp.Or(f.apiError(), c.authorize(caller, op.service, f, needs)); r.err == nil {
		r.output, r.err = t.run(op, input, f)
	}
	c.journal.add(newCall(now, caller, op, target, input, r))
	return r
}

// run hands a call to its operation, and publishes what it has changed.
func (t *tx) run(op *operation, input any, f Fault) (any, *apiError) {
	t.outcome = f.Outcome
	if f.Stale > 0 && op.reads() {
		t.lookBack(f.Stale)
	}
	output, err := op.handle(t, input)
	if err != nil {
		return nil, asAPIError(err)
	}
	t.commit()
	return output, nil
}

// wait sleeps for d and reports whether the context lived that long.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
