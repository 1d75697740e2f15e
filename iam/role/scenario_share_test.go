// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// worker makes the steps of one profile when they are due, as the queue of a
// controller does.
type worker struct {
	step func(context.Context, fargate.Desired, fargate.Memory) (lifecycle.Outcome, error)
	d    fargate.Desired
	out  lifecycle.Outcome
	due  time.Time
}

func (w *worker) work(t *testing.T) {
	t.Helper()
	time.Sleep(time.Until(w.due))
	var err error
	if w.out, err = w.step(t.Context(), w.d, w.out.Memory); err != nil {
		t.Fatal(err)
	}
	w.due = time.Now().Add(w.out.RequeueAfter)
}

func (w *worker) done() bool { return w.out.Settled || w.out.Gone }

// The last user of a role goes while another profile of the cluster wants the role. The
// one marks it for deletion, the other removes the mark: they must not do that to each
// other for ever.
func TestARoleThatIsTakenAwayAndWantedAtOnce(t *testing.T) {
	for _, later := range []time.Duration{0, 100 * time.Millisecond, 500 * time.Millisecond, 900 * time.Millisecond, 3 * time.Second} {
		t.Run(later.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settled(t, c, "fp-a")
				r := newReconciler(c)
				leaving := &worker{step: r.StepDelete, d: desiredProfile("fp-a"), due: time.Now()}
				for leaving.out.Reason != fargate.ReasonRoleNotReady {
					leaving.work(t)
				}
				coming := &worker{step: r.Step, d: desiredProfile("fp-b"), due: time.Now().Add(later)}
				for range 100 {
					next := leaving
					if leaving.done() || !coming.done() && coming.due.Before(leaving.due) {
						next = coming
					}
					if next.done() {
						break
					}
					next.work(t)
				}
				if !leaving.done() || !coming.done() {
					t.Errorf("the one that goes: %s (%s); the one that comes: %s (%s)", leaving.out.Reason, leaving.out.Message, coming.out.Reason, coming.out.Message)
				}
				if got := rolesOfOurs(t, c); len(got) != 1 {
					t.Errorf("roles: %v", got)
				}
			})
		})
	}
}
