// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"time"

	"golang.org/x/time/rate"
)

// now is the one place that reads the clock, so that every judgement stays a
// function of the time that it is given.
func now() time.Time {
	return time.Now() //nolint:forbidigo // blocking is what this package is for; tests replace the clock with synctest.
}

// sleep returns after d, or the error of ctx as soon as that ends.
func sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// blockedLimit is how long to wait for a limiter that allows nothing at all, which
// its owner may change at any time.
const blockedLimit = time.Second

// takeToken waits for the caller's turn. Unlike [rate.Limiter.Wait] it does not
// give up early because a deadline is near: how long to wait is ctx's business.
func takeToken(ctx context.Context, l *rate.Limiter) error {
	if l == nil {
		return ctx.Err()
	}
	for {
		r := l.Reserve()
		if !r.OK() {
			if err := sleep(ctx, blockedLimit); err != nil {
				return err
			}
			continue
		}
		if err := sleep(ctx, r.Delay()); err != nil {
			r.Cancel()
			return err
		}
		return nil
	}
}
