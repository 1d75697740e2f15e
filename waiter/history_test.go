// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

func TestAnEmptyHistoryHasTheDefaultSchedule(t *testing.T) {
	var h waiter.History
	for _, kind := range []fargate.Status{fargate.StatusCreating, fargate.StatusDeleting} {
		if diff := cmp.Diff(waiter.DefaultSchedule().Polls(kind), h.Schedule().Polls(kind)); diff != "" {
			t.Errorf("%s (-default +history):\n%s", kind, diff)
		}
	}
}

func TestAHistoryMovesLooksToWhereOperationsEnd(t *testing.T) {
	var h waiter.History
	for range 20 {
		h.Record(fargate.StatusCreating, 39*time.Second, 41*time.Second)
	}
	near := 0
	for _, at := range h.Schedule().Polls(fargate.StatusCreating) {
		if at >= 38*time.Second && at <= 46*time.Second {
			near++
		}
	}
	if near == 0 {
		t.Errorf("no look near 41 s: %v", h.Schedule().Polls(fargate.StatusCreating))
	}
	if got := h.Durations(fargate.StatusCreating).Done(46 * time.Second); got < 0.9 {
		t.Errorf("Done(46s) = %v after 20 creates of about 40 s", got)
	}
}

func TestAHistoryForgetsTheOldest(t *testing.T) {
	var h waiter.History
	for range 100 {
		h.Record(fargate.StatusDeleting, time.Hour, 2*time.Hour)
	}
	for range 64 {
		h.Record(fargate.StatusDeleting, 50*time.Second, 60*time.Second)
	}
	if got := h.Len(fargate.StatusDeleting); got != 64 {
		t.Errorf("Len() = %d, want 64", got)
	}
	if got := h.Durations(fargate.StatusDeleting).Longest(); got > 30*time.Minute {
		t.Errorf("Longest() = %s: what is old still counts", got)
	}
}

func TestAHistoryIgnoresWhatMeansNothing(t *testing.T) {
	var h waiter.History
	h.Record(fargate.StatusActive, 0, time.Minute)
	h.Record(fargate.StatusCreating, time.Minute, time.Minute)
	h.Record(fargate.StatusCreating, time.Minute, time.Second)
	if n := h.Len(fargate.StatusCreating) + h.Len(fargate.StatusDeleting) + h.Len(fargate.StatusActive); n != 0 {
		t.Errorf("%d operations are remembered", n)
	}
	if d := h.Durations(fargate.StatusActive); d != nil {
		t.Errorf("ACTIVE has durations %v", d)
	}
}

func TestAHistoryIsSafeForConcurrentUse(t *testing.T) {
	var h waiter.History
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 10 {
				h.Record(fargate.StatusCreating, time.Second, time.Duration(i+2)*time.Second)
				h.Schedule().Next(fargate.StatusCreating, 0)
			}
		})
	}
	wg.Wait()
	if got := h.Len(fargate.StatusCreating); got != 64 {
		t.Errorf("Len() = %d, want 64", got)
	}
}

func TestSeededJitterRepeatsItselfWithinItsShare(t *testing.T) {
	a, b := waiter.SeededJitter(7, 0.2), waiter.SeededJitter(7, 0.2)
	moved := false
	for range 1000 {
		x, y := a(time.Minute), b(time.Minute)
		if x != y || x < 48*time.Second || x > 72*time.Second {
			t.Fatalf("got %s and %s", x, y)
		}
		moved = moved || x != time.Minute
	}
	if !moved || waiter.SeededJitter(7, 0)(time.Minute) != time.Minute {
		t.Error("a share of 0.2 moves nothing, or one of 0 moves something")
	}
}
