// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"log/slog"
	"sync"

	"github.com/eksfargate/eksfargate/iam"
)

// Roles makes, looks after and deletes pod execution roles. It starts no goroutine
// and is safe for concurrent use.
//
// [Roles.Prepare] and [Roles.Retire] remember, in this process, when they changed
// a role, which unique id it had and what they told the log. That only makes them
// wait where IAM does not show yet what was just written: without it they do the
// same with more calls and more words.
type Roles struct {
	api     API
	options Options

	mu         sync.Mutex
	remembered map[string]recollection
}

// New returns Roles that call api, which *iam.Client of the SDK satisfies.
func New(api API, optFns ...func(*Options)) *Roles {
	var o Options
	for _, fn := range optFns {
		fn(&o)
	}
	o.setDefaults()
	return &Roles{api: api, options: o, remembered: map[string]recollection{}}
}

// Outcome is what a step found, decided and did.
type Outcome struct {
	// RoleDecision says what had to happen and why. Its Memory is what to give to the
	// next step, also when there was an error. Its RequeueAfter is when to make that.
	iam.RoleDecision
	// Observed is the role as it was read; nil where it is absent or nobody looked.
	Observed *iam.ObservedRole
	// Settled says that nothing is left to do: the role has all that it needs or, of
	// a deletion, it is gone or is kept.
	Settled bool
	// Cause is the refusal of AWS that led to a wait or a block, as an [*Error]; nil
	// for none.
	Cause error
}

// Step observes one role, decides, and makes at most one write. It never blocks:
// the Outcome says when to call again. The mode of desired says what it may do.
//
// An error means that no decision could be made or that a write failed for a
// reason that says nothing about the role: it is an [*Error], and its Retryable
// says whether to try again. It wraps each [*iam.RoleError] where desired has a
// fault, and then nothing was called. A read that is denied is such an error, as it
// is for the step of a profile: what can't be read is not absent, and nothing was
// decided. A write that is refused is no error, but an Outcome whose action is
// blocked or wait, with the refusal as its Cause.
//
// mem is the Memory of the Outcome before; the zero value is always safe.
func (r *Roles) Step(ctx context.Context, desired iam.DesiredRole, mem iam.RoleMemory) (Outcome, error) {
	in, out, err := r.preview(ctx, desired, mem)
	if err != nil || out.Cause != nil {
		return out, err
	}
	r.report(ctx, in, out.RoleDecision)
	if out.Call == nil {
		return out, nil
	}
	c := r.caller(desired)
	if err := c.write(ctx, *out.Call); err != nil {
		return c.refuse(in, out.RoleDecision, err)
	}
	out.RequeueAfter = lookAgain
	if out.Reason == iam.ReasonDeletionAnnounced {
		// Who looks earlier can only see that another profile, which wants the role,
		// removed the mark, and would set it again before that one has used the role.
		out.RequeueAfter = iam.DeletionDelay
	}
	return out, nil
}

// preview is a step up to its write: what was read, and what is to be done.
func (r *Roles) preview(ctx context.Context, desired iam.DesiredRole, mem iam.RoleMemory) (iam.RoleInput, Outcome, error) {
	in := iam.RoleInput{Desired: desired, Memory: mem, Now: r.options.Now()}
	c := r.caller(desired)
	if err := desired.Validate(); err != nil {
		return in, outcome(in, iam.DecideRole(in), nil), c.failed("validation", err)
	}
	if err := c.observe(ctx, &in); err != nil {
		out, err := c.unread(in, err)
		return in, out, err
	}
	return in, outcome(in, r.decide(in), nil), nil
}

// decide is the decision, which is blocked where nobody can ever tell who uses a
// role.
func (r *Roles) decide(in iam.RoleInput) iam.RoleDecision {
	d := iam.DecideRole(in)
	if d.Reason == iam.ReasonUsersUnknown && r.options.Profiles == nil {
		d.Action, d.RequeueAfter = iam.RoleActionBlocked, blockedAfter
		d.Message += ": set Profiles in the options"
	}
	return d
}

// outcome completes what a decision and its call left.
func outcome(in iam.RoleInput, d iam.RoleDecision, cause error) Outcome {
	return Outcome{RoleDecision: d, Observed: in.Observed, Settled: d.Action == iam.RoleActionNoOp, Cause: cause}
}

// news reports whether a decision says what the last one did not. That a role is
// gone which nobody remembers is none.
func news(in iam.RoleInput, d iam.RoleDecision) bool {
	return d.Memory.Told != in.Memory.Told && (!d.Gone || in.Memory != iam.RoleMemory{})
}

// report tells a decision: one that changes something or is news at level info, its
// warnings at level warn, and the same again at level debug.
func (r *Roles) report(ctx context.Context, in iam.RoleInput, d iam.RoleDecision) {
	if hook := r.options.Hooks.Decision; hook != nil {
		hook(ctx, in.Desired, d)
	}
	level, bad := slog.LevelDebug, slog.LevelDebug
	if news(in, d) || d.Call != nil {
		level, bad = slog.LevelInfo, slog.LevelWarn
	}
	r.options.Logger.LogAttrs(ctx, level, "decided",
		slog.String("role", in.Desired.RoleName()), slog.String("cluster", in.Desired.Scope.Cluster),
		slog.String("action", string(d.Action)), slog.String("reason", string(d.Reason)), slog.String("message", d.Message))
	for _, w := range d.Review.Warnings {
		r.options.Logger.LogAttrs(ctx, bad, w.Message,
			slog.String("role", in.Desired.RoleName()), slog.String("reason", string(w.Reason)), slog.String("fix", w.Fix))
	}
}

// Report is what [Roles.Verify] finds.
type Report struct {
	// Observed is the role; nil where it is absent.
	Observed *iam.ObservedRole
	// Review holds the shortcomings, each with its fix, and the warnings.
	iam.Review
}

// Fit reports whether the role was read and can be used as it is.
func (r Report) Fit() bool { return r.Observed != nil && len(r.Shortcomings) == 0 }

// Verify reads a role and reports what it lacks, whoever owns it and whatever the
// mode is: the role of the ARN or, without one, the role that Ensure would make for
// the Owner. It writes nothing. A shortcoming is no error; its errors are those of
// [Roles.Step].
func (r *Roles) Verify(ctx context.Context, desired iam.DesiredRole) (Report, error) {
	switch {
	case desired.Mode == iam.ModeEnsure:
	case desired.ARN == "" && desired.Owner != "":
		desired.Mode = iam.ModeEnsure
	default:
		desired.Mode = iam.ModeVerify
	}
	in := iam.RoleInput{Desired: desired}
	c := r.caller(desired)
	if err := desired.Validate(); err != nil {
		return Report{}, c.failed("validation", err)
	}
	if err := c.observe(ctx, &in); err != nil {
		return Report{}, err
	}
	if in.Observed == nil {
		return Report{Review: iam.Review{Shortcomings: []iam.Finding{{
			Reason: iam.ReasonRoleMissing, Message: "the role " + c.role + " does not exist", Fix: "create the role, or name another",
		}}}}, nil
	}
	return Report{Observed: in.Observed, Review: iam.ReviewRole(desired, *in.Observed)}, nil
}
