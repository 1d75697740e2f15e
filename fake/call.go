// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
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

// call is the only way to an operation: faults, then state, then journal, all
// at one moment of the Cloud's time. The effect of a call is all or nothing.
func (c *Cloud) call(ctx context.Context, caller Caller, op *operation, input any) reply {
	r := c.perform(c.resolve(caller), op, op.copy(input))
	if r.delay > 0 && !wait(ctx, r.delay) {
		r.lost = true
	}
	return r
}

func (c *Cloud) perform(caller Caller, op *operation, input any) reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(caller, c.now())
	target := op.target(input)
	f := c.strike(op.name, target)
	r := reply{requestID: requestID(c.rand), lost: f.LoseReply, delay: f.Delay}
	if r.err = f.apiError(); r.err == nil {
		t.outcome = f.Outcome
		output, err := op.handle(t, input)
		if r.err = asAPIError(err); r.err == nil {
			r.output = output
			t.commit()
		}
	}
	c.journal.add(newCall(t, op, target, input, r, f))
	return r
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
