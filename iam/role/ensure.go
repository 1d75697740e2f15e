// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"errors"
	"time"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/waiter"
)

// Ensure repeats Step in [iam.ModeEnsure] until the role has all that it needs. It
// blocks, and it has no deadline of its own: that is the context's. Where it made
// the role or changed its trust policy, it goes on until that has been good for
// [waiter.DefaultRoleSettle]: EKS sees a change later than IAM's readers do.
//
// A role of that name which is not ours and has all that it needs is used as it is,
// and the reason is [iam.ReasonRoleNotOurs].
//
// It returns a [*BlockedError] where somebody must change something first, an
// [*IncompleteError] when the context ended before, and an [*Error] for invalid
// input or an error that no repetition can mend. In each case the same call
// continues where this one stopped.
func (r *Roles) Ensure(ctx context.Context, desired iam.DesiredRole) (Outcome, error) {
	desired.Mode = iam.ModeEnsure
	return r.repeat(ctx, desired)
}

// Delete repeats Step in [iam.ModeDelete] until the role is gone, or is kept because
// it is not ours, is still in use or serves others, too: the Outcome says which. It
// needs Options.Profiles.
// Its errors are those of [Roles.Ensure].
func (r *Roles) Delete(ctx context.Context, desired iam.DesiredRole) (Outcome, error) {
	desired.Mode = iam.ModeDelete
	return r.repeat(ctx, desired)
}

// run is one repetition of a step.
type run struct {
	*Roles
	desired iam.DesiredRole
	memory  iam.RoleMemory
	errors  int       // in a row
	doubt   time.Time // since when IAM contradicts itself
}

func (r *Roles) repeat(ctx context.Context, desired iam.DesiredRole) (Outcome, error) {
	run := &run{Roles: r, desired: desired}
	for {
		out, err := r.Step(ctx, desired, run.memory)
		run.memory = out.Memory
		if done, verdict := run.judge(ctx, out, err); done {
			return out, verdict
		}
		if stop := r.options.Sleep(ctx, run.pause(out, err)); stop != nil {
			return out, run.incomplete(out, errors.Join(stop, err))
		}
	}
}

// judge says whether the run is over.
func (r *run) judge(ctx context.Context, out Outcome, err error) (bool, error) {
	switch {
	case err != nil && ctx.Err() != nil:
		return true, r.incomplete(out, errors.Join(ctx.Err(), err))
	case err != nil:
		return !retryable(err), err
	case out.Action == iam.RoleActionBlocked, r.impatient(out):
		return true, &BlockedError{Role: r.desired.RoleName(), Cluster: r.desired.Scope.Cluster, Outcome: out}
	default:
		return out.Settled && r.unsettled(out) <= 0, nil
	}
}

// unsettled is how long EKS may still see what was before the last change.
func (r *run) unsettled(out Outcome) time.Duration {
	if !out.Settled || r.memory.ChangedAt.IsZero() || r.desired.Mode != iam.ModeEnsure {
		return 0
	}
	return waiter.DefaultRoleSettle - r.options.Now().Sub(r.memory.ChangedAt)
}

// impatient reports whether IAM has contradicted itself for too long.
func (r *run) impatient(out Outcome) bool {
	now := r.options.Now()
	if out.Reason != ReasonLookAgain {
		r.doubt = time.Time{}
		return false
	}
	if r.doubt.IsZero() {
		r.doubt = now
	}
	return now.Sub(r.doubt) >= r.options.Patience
}

func retryable(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Retryable()
}

// pause is how long to sleep: the settling at the end, what the step asks for, or
// longer and longer after errors.
func (r *run) pause(out Outcome, err error) time.Duration {
	if err != nil {
		r.errors++
		return min(lookAgain<<min(r.errors-1, 5), 30*time.Second)
	}
	r.errors = 0
	return max(out.RequeueAfter, r.unsettled(out), lookAgain/10)
}

func (r *run) incomplete(out Outcome, err error) error {
	return &IncompleteError{Role: r.desired.RoleName(), Cluster: r.desired.Scope.Cluster, Outcome: out, Err: err}
}
