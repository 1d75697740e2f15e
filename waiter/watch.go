// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

// watch is one wait for one profile. It does no I/O and reads no clock: it is told
// each answer and the time of it, and says when to look again. Blocking waits and
// the Poller drive the same watch.
type watch struct {
	ref  Ref
	role string // the name of the role, if one is waited for
	goal Goal
	o    *Options

	since   time.Time // when EKS accepted the operation, if it was told
	started time.Time
	polls   int
	errors  patience
	last    fargate.Observed

	seen     bool          // EKS has reported the profile
	deleting bool          // it was DELETING at some look
	activeAt time.Time     // when it was first seen ACTIVE without a break
	pending  time.Duration // the age at which it was last known to be in progress
	lastErr  error         // what the last look met
}

// unknownAge means that the operation was never known to be in progress.
const unknownAge = time.Duration(-1)

func newWatch(ref Ref, goal Goal, since time.Time, o *Options, at time.Time) *watch {
	w := &watch{ref: ref, goal: goal, o: o, since: since, started: at, pending: unknownAge}
	if !w.since.IsZero() {
		w.pending = 0
	}
	return w
}

// check refuses a wait that cannot be meant.
func (w *watch) check() error {
	goals := []Goal{GoalActive, GoalSettled, GoalDeleted, GoalIdle}
	if slices.Contains(goals, w.goal) && w.ref.Cluster != "" && w.ref.Profile != "" {
		return nil
	}
	return &EndedError{State: w.state(w.started), Reason: ReasonInvalidInput}
}

// kind is the operation that the goal is the end of.
func (w *watch) kind() fargate.Status {
	if w.goal == GoalDeleted {
		return fargate.StatusDeleting
	}
	return fargate.StatusCreating
}

// age is how long ago the operation began. The clocks of AWS and of this machine
// may differ, so that a createdAt in the future counts for nothing.
func (w *watch) age(at time.Time) time.Duration {
	origin := w.started
	switch {
	case !w.since.IsZero():
		origin = w.since
	case w.goal != GoalDeleted && !w.last.CreatedAt.IsZero() && w.last.CreatedAt.Before(w.started):
		origin = w.last.CreatedAt
	}
	return max(at.Sub(origin), 0)
}

// first returns the delay before the first look. It is zero unless the operation
// began so recently that the schedule has no look planned yet.
func (w *watch) first() time.Duration {
	if w.since.IsZero() || w.goal == GoalIdle {
		return 0
	}
	age, polls := w.age(w.started), w.o.schedule().Polls(w.kind())
	if len(polls) == 0 || age >= polls[0] {
		return 0
	}
	return w.o.jittered(polls[0] - age)
}

// step is what follows from a look: the end, or the delay before the next look.
type step struct {
	done  bool
	err   error
	delay time.Duration
}

func ended(err error) step { return step{done: true, err: err} }

// take judges one answer.
func (w *watch) take(at time.Time, observed fargate.Observed, err error) step {
	w.polls++
	w.lastErr = err
	if err != nil {
		return w.takeError(at, err)
	}
	w.errors.since = time.Time{}
	if w.isOther(observed) {
		return w.staleOr(at, ReasonReplaced, nil)
	}
	w.last, w.seen = observed, true
	s := w.judge(at)
	if observed.Status.InProgress() {
		w.pending = w.age(at)
	}
	return s
}

// isOther reports whether the answer is about another profile of the same name.
func (w *watch) isOther(observed fargate.Observed) bool {
	pinned := w.ref.ARN
	if pinned == "" {
		pinned = w.last.ARN
	}
	return pinned != "" && observed.ARN != "" && observed.ARN != pinned
}

// again is the step that looks again when the schedule says so.
func (w *watch) again(at time.Time) step {
	w.errors.bad = 0
	return step{delay: w.o.jittered(w.o.schedule().Next(w.last.Status, w.age(at)))}
}

// staleOr takes an answer that contradicts the operation for a stale read while
// the operation is young, and ends the wait after that.
func (w *watch) staleOr(at time.Time, reason Reason, err error) step {
	if w.age(at) < w.o.Grace {
		return step{delay: w.o.jittered(w.errors.backoff())}
	}
	return w.end(at, reason, err)
}

func (w *watch) end(at time.Time, reason Reason, err error) step {
	return ended(&EndedError{State: w.state(at), Reason: reason, Err: err})
}

// learn records how long the operation took, if both ends of the span are known.
func (w *watch) learn(kind fargate.Status, at time.Time) {
	known := w.pending != unknownAge && (kind == fargate.StatusCreating || !w.since.IsZero())
	if w.o.History != nil && known {
		w.o.History.Record(kind, w.pending, w.age(at))
	}
}

func (w *watch) state(at time.Time) State {
	return State{
		Ref: w.ref, Role: w.role, Goal: w.goal, Status: w.last.Status, Issues: w.last.Issues,
		Age: w.age(at), Waited: at.Sub(w.started), Polls: w.polls,
	}
}

// noteLast keeps the error of a call that the context cut short, unless it says no
// more than that.
func (w *watch) noteLast(err error) {
	if err != nil && !isContextError(err) {
		w.lastErr = err
	}
}

func (w *watch) timeout(ctx context.Context, at time.Time) error {
	e := &TimeoutError{State: w.state(at), Err: ctx.Err(), Last: w.lastErr}
	if cause := context.Cause(ctx); !errors.Is(e.Err, cause) {
		e.Cause = cause
	}
	return e
}

// report tells the caller what a look found.
func (w *watch) report(ctx context.Context, at time.Time, s step) {
	p := Progress{
		State: w.state(at), Next: s.delay, Err: s.err,
		Expected: w.o.schedule().Expected(w.last.Status, w.age(at)),
	}
	if p.Err == nil {
		p.Err = w.lastErr
	}
	if s.done && s.err == nil {
		p.Expected, p.Err = 1, nil
	}
	w.log(ctx, p, s)
	if w.o.OnPoll != nil {
		w.o.OnPoll(p)
	}
}

func (w *watch) log(ctx context.Context, p Progress, s step) {
	attrs := []slog.Attr{
		slog.String("cluster", w.ref.Cluster), slog.String("profile", w.ref.Profile),
		slog.String("role", w.role), slog.String("goal", string(w.goal)), slog.String("status", string(p.Status)),
		slog.Duration("age", p.Age), slog.Int("polls", p.Polls), slog.Duration("next", p.Next),
	}
	if w.lastErr != nil && !s.done {
		w.o.Logger.LogAttrs(ctx, slog.LevelWarn, "tolerating an error", append(attrs, slog.Any("err", w.lastErr))...)
		return
	}
	w.o.Logger.LogAttrs(ctx, slog.LevelDebug, "looked at the profile", attrs...)
}
