// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awscall"
)

// Run repeats Step until the profile is settled, and returns it. It blocks, and it
// has no deadline of its own: that is the context's.
//
// It returns a [*BlockedError] where somebody must change something first, an
// [*IncompleteError] when the context ended before, and an [*Error] for invalid
// input or an error that no repetition can mend. In each case the same call
// continues where this one stopped.
func (r *Reconciler) Run(ctx context.Context, desired fargate.Desired) (fargate.Observed, error) {
	out, err := r.repeat(ctx, desired, r.Step)
	if err != nil {
		return fargate.Observed{}, err
	}
	return *out.Observed, nil
}

// Delete repeats StepDelete until nothing of ours is left. A profile that is not ours
// stays, and that is no error: [Options.Progress] is told [fargate.ReasonNotOurs]. Its
// errors are those of [Reconciler.Run].
func (r *Reconciler) Delete(ctx context.Context, desired fargate.Desired) error {
	_, err := r.repeat(ctx, desired, r.StepDelete)
	return err
}

type stepFunc func(context.Context, fargate.Desired, fargate.Memory) (Outcome, error)

// run is one repetition of a step.
type run struct {
	*Reconciler
	desired fargate.Desired
	begun   time.Time
	waiting time.Time // since when the reason to wait is the same
	reason  fargate.Reason
	memory  fargate.Memory
	errors  int // in a row
}

func (r *Reconciler) repeat(ctx context.Context, desired fargate.Desired, step stepFunc) (Outcome, error) {
	run := &run{Reconciler: r, desired: desired, begun: r.options.Now()}
	for {
		out, err := step(ctx, desired, run.memory)
		run.memory = out.Memory
		run.progress(ctx, out, err)
		if done, verdict := run.judge(ctx, out, err); done {
			return out, verdict
		}
		if stop := r.options.Sleep(ctx, run.pause(out, err)); stop != nil {
			return out, run.incomplete(out, err, stop)
		}
	}
}

// judge says whether the run is over.
func (r *run) judge(ctx context.Context, out Outcome, err error) (bool, error) {
	switch {
	case err != nil && ctx.Err() != nil:
		return true, r.incomplete(out, err, ctx.Err())
	case err != nil:
		return !retryable(err), err
	case out.Settled, out.Gone:
		return true, nil
	case out.Action == fargate.ActionBlocked, r.trustEnded(out):
		return true, &BlockedError{Cluster: r.desired.Spec.ClusterName, Profile: r.desired.Spec.Name, Outcome: out}
	}
	return false, nil
}

// trustEnded reports whether EKS has refused the role for longer than the budget.
func (r *run) trustEnded(out Outcome) bool {
	a, refused := out.Memory.Attempts[fargate.TroubleTrust]
	return refused && out.Reason == fargate.ReasonTrustNotUsable && r.options.Now().Sub(a.First) >= r.options.TrustBudget
}

func retryable(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Retryable()
}

func (r *run) incomplete(out Outcome, last, stop error) error {
	if errors.Is(last, stop) {
		last = nil
	}
	return &IncompleteError{Cluster: r.desired.Spec.ClusterName, Profile: r.desired.Spec.Name, Outcome: out, Last: last, Err: stop}
}

// lagShare is the inverse of how late a change may be seen, as a share of the time
// that it took: looking a fifteenth of the time later is late by a thirtieth on
// average, and 25 minutes need fewer than a hundred looks. Asking again for a
// change that was refused is a write, and so it is done less often. Why this is no
// schedule of package waiter stands in docs/adr/0008.
const (
	lagShare   = 15
	inUseShare = 10
)

// pause is how long to sleep: the poll interval at first, and longer the longer
// one thing has been waited for. What has a backoff of its own keeps it.
func (r *run) pause(out Outcome, err error) time.Duration {
	if err != nil {
		r.errors++
		return fargate.Backoff(r.errors, time.Second, 30*time.Second)
	}
	r.errors = 0
	now := r.options.Now()
	if r.reason != out.Reason {
		r.reason, r.waiting = out.Reason, now
	}
	share, longest := time.Duration(lagShare), progressLongest
	switch {
	case out.Action != fargate.ActionWait:
		return min(out.RequeueAfter, r.options.Poll)
	case hasBackoff(out.Reason):
		return out.RequeueAfter
	case out.Memory.Attempts[fargate.TroubleInUse].Count > 0:
		share, longest = inUseShare, clusterLongest
	}
	return min(max(r.options.Poll, now.Sub(r.waiting)/share), longest)
}

// hasBackoff reports whether the time until the next look has a meaning of its own.
func hasBackoff(r fargate.Reason) bool {
	return slices.Contains([]fargate.Reason{
		fargate.ReasonBackingOff, fargate.ReasonTrustNotUsable, fargate.ReasonRoleNotReady, fargate.ReasonVanished, fargate.ReasonStateChanged,
	}, r)
}

func (r *run) progress(ctx context.Context, out Outcome, err error) {
	if r.options.Progress == nil {
		return
	}
	r.options.Progress(ctx, Progress{
		Cluster: r.desired.Spec.ClusterName, Profile: r.desired.Spec.Name,
		Outcome: out, Elapsed: r.options.Now().Sub(r.begun), Err: err,
	})
}

func sleep(ctx context.Context, d time.Duration) error { return awscall.Sleep(ctx, d) }
