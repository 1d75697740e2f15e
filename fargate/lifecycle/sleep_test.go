// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// standing is a fake whose clock moves only when somebody sleeps.
func standing() *fake.Cloud {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return fake.New(func(o *fake.Options) { o.Now = func() time.Time { return start } })
}

func TestSleepAdvancesAClockThatStandsStill(t *testing.T) {
	c := standing()
	begun := c.Now()
	var slept time.Duration
	r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
		o.Now = c.Now
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			slept += d
			c.Advance(d)
			return ctx.Err()
		}
	})
	d := desired(c, "web", "web")
	if _, err := r.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if passed := c.Now().Sub(begun); passed != slept.Truncate(time.Millisecond) || passed < 90*time.Second {
		t.Errorf("%s passed on the clock, and Sleep was asked for %s", passed, slept)
	}
}

func TestAnErrorOfSleepEndsTheRun(t *testing.T) {
	c := standing()
	over := errors.New("over")
	r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
		o.Now = c.Now
		o.Sleep = func(context.Context, time.Duration) error { return over }
	})
	_, err := r.Run(t.Context(), desired(c, "web", "web"))
	incomplete, ok := errors.AsType[*lifecycle.IncompleteError](err)
	if !ok || !errors.Is(err, over) {
		t.Fatalf("Run = %v, want an IncompleteError that wraps the error of Sleep", err)
	}
	if incomplete.Profile != "web" {
		t.Errorf("the error is about profile %q", incomplete.Profile)
	}
}
