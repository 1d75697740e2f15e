// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awserr"
	"github.com/eksfargate/eksfargate/selector"
)

// Reconciler brings Fargate profiles to their desired state. It keeps no state of
// its own between calls, starts no goroutine that outlives a call, and is safe for
// concurrent use.
type Reconciler struct {
	api     API
	options Options
}

// New returns a Reconciler that calls api, which *eks.Client satisfies.
func New(api API, optFns ...func(*Options)) *Reconciler {
	var o Options
	for _, fn := range optFns {
		fn(&o)
	}
	o.setDefaults()
	return &Reconciler{api: api, options: o}
}

// Step observes one profile, decides, and makes at most one write. It never
// blocks: the Outcome says when to call again. Where nothing must be done it makes
// exactly one call to AWS.
//
// An error means that no decision could be made or that a write failed for a
// reason that says nothing about the profile: it is an [*Error], and its
// Retryable says whether to try again. It wraps a [*fargate.ValidationError] where
// the desired state is invalid, and then nothing was called. A refusal is no
// error, but an Outcome whose action is blocked or wait, with the refusal as its
// Cause.
//
// mem is the Memory of the Outcome before; the zero value is always safe. The
// Memory of the Outcome is worth keeping also when there is an error.
func (r *Reconciler) Step(ctx context.Context, desired fargate.Desired, mem fargate.Memory) (Outcome, error) {
	in := r.input(desired, mem)
	if err := desired.Validate(func(l *fargate.Limits) { *l = r.options.Limits }); err != nil {
		return outcome(in, fargate.Decide(in), nil, nil), r.fail("validation", desired.Spec, err)
	}
	return r.step(ctx, in)
}

// StepDelete is Step for a profile that must not exist. It needs the cluster, the
// logical name, the owner and the policy of desired. When the profile is gone it
// retires the role, too, where the options have Roles. The Outcome's Gone says that
// nothing of ours is left.
func (r *Reconciler) StepDelete(ctx context.Context, desired fargate.Desired, mem fargate.Memory) (Outcome, error) {
	in := r.input(desired, mem)
	in.Absent = true
	if err := desired.ValidateIdentity(); err != nil {
		return outcome(in, fargate.Decide(in), nil, nil), r.fail("validation", desired.Spec, err)
	}
	out, err := r.step(ctx, in)
	if err != nil || !out.Gone || r.options.Roles == nil {
		return out, err
	}
	return r.retire(ctx, in, out)
}

// Preview makes the reads of Step and returns what Step would decide, without a
// write. The role is looked at where Options.Roles is a [RoleLooker], since
// preparing it may be a write. Its errors are those of Step.
func (r *Reconciler) Preview(ctx context.Context, desired fargate.Desired, mem fargate.Memory) (fargate.Decision, error) {
	in := r.input(desired, mem)
	if err := desired.Validate(func(l *fargate.Limits) { *l = r.options.Limits }); err != nil {
		return fargate.Decide(in), r.fail("validation", desired.Spec, err)
	}
	if err := r.observe(ctx, &in); err != nil {
		return fargate.Decision{}, err
	}
	return r.decide(ctx, &in, r.lookAtList, r.lookAtCluster, r.lookAtPods, r.previewRole, r.lookAtPods)
}

// input is what is known before anybody looked. A memory that another version of
// the library wrote counts as none.
func (r *Reconciler) input(desired fargate.Desired, mem fargate.Memory) fargate.Input {
	if mem.Version != fargate.MemoryVersion {
		mem = fargate.Memory{}
	}
	return fargate.Input{Desired: desired, Memory: mem, Limits: r.options.Limits, Now: r.options.Now()}
}

func (r *Reconciler) step(ctx context.Context, in fargate.Input) (Outcome, error) {
	if err := r.observe(ctx, &in); err != nil {
		return Outcome{Memory: in.Memory}, err
	}
	// The role comes after what can keep the profile as it is, since preparing it can
	// be the one write of the step. What it lets through can be at the cost of pods.
	d, err := r.decide(ctx, &in, r.lookAtList, r.lookAtCluster, r.lookAtPods, r.lookAtRole, r.lookAtPods)
	if err != nil {
		return Outcome{Memory: in.Memory}, err
	}
	r.report(ctx, level(in, d), in, d)
	if d.Call == nil {
		return outcome(in, d, in.Observed, nil), nil
	}
	return r.act(ctx, in, d)
}

// look gets something that a decision lacks, and reports whether it did.
type look func(context.Context, *fargate.Input, fargate.Decision) (bool, error)

// decide gets what a first decision says that it lacks, and decides again.
func (r *Reconciler) decide(ctx context.Context, in *fargate.Input, looks ...look) (fargate.Decision, error) {
	d := fargate.Decide(*in)
	for _, look := range looks {
		looked, err := look(ctx, in, d)
		if err != nil {
			return d, err
		}
		if looked {
			d = fargate.Decide(*in)
		}
	}
	return d, nil
}

func (r *Reconciler) lookAtPods(ctx context.Context, in *fargate.Input, d fargate.Decision) (bool, error) {
	if r.options.Pods == nil || in.Pods != nil || !endsPods(d) {
		return false, nil
	}
	pods, err := r.options.Pods(ctx, in.Desired.Spec.ClusterName)
	if err != nil {
		return false, r.fail("listing the pods", in.Desired.Spec, err)
	}
	in.Pods = append([]selector.Placed{}, pods...) // not nil: somebody looked
	return true, nil
}

func (r *Reconciler) lookAtCluster(ctx context.Context, in *fargate.Input, d fargate.Decision) (bool, error) {
	if !slices.Contains(d.Unchecked, fargate.PreconditionCluster) {
		return false, nil
	}
	all, gone, err := r.caller(in.Desired.Spec).readCluster(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) { // it vanished since the first look
		in.ClusterMissing = true
		return true, nil
	}
	if err != nil {
		return false, err
	}
	in.Cluster = all
	renew(in, all, gone)
	if i := slices.IndexFunc(all, in.Desired.Claims); in.Observed == nil && i >= 0 {
		in.Observed = &all[i]
	}
	in.Memory.Unlisted = in.Memory.Unlisted || claims(in.Desired, all) > len(in.Peers)+1
	return true, nil
}

func (r *Reconciler) lookAtRole(ctx context.Context, in *fargate.Input, d fargate.Decision) (bool, error) {
	if r.options.Roles == nil {
		return false, nil
	}
	return r.askRole(ctx, in, d, "preparing the role", r.options.Roles.Prepare)
}

func (r *Reconciler) previewRole(ctx context.Context, in *fargate.Input, d fargate.Decision) (bool, error) {
	looker, ok := r.options.Roles.(RoleLooker)
	if !ok {
		return false, nil
	}
	return r.askRole(ctx, in, d, "looking at the role", looker.Look)
}

func (r *Reconciler) askRole(ctx context.Context, in *fargate.Input, d fargate.Decision, op string, ask func(context.Context, fargate.Desired, string) (fargate.Role, error)) (bool, error) {
	if !slices.Contains(d.Unchecked, fargate.PreconditionRole) {
		return false, nil
	}
	role, err := ask(ctx, in.Desired, cmp.Or(d.Next, d.Target(in.Desired.Spec.Name)))
	if err != nil {
		return false, r.fail(op, in.Desired.Spec, err)
	}
	in.Role = &role
	return true, nil
}

// endsPods reports whether pods are at stake.
func endsPods(d fargate.Decision) bool {
	return slices.ContainsFunc(d.Warnings, func(w fargate.Warning) bool { return w.Code == fargate.WarningPodsEnd })
}

// retire takes the role away after the profile.
func (r *Reconciler) retire(ctx context.Context, in fargate.Input, out Outcome) (Outcome, error) {
	role, err := r.options.Roles.Retire(ctx, in.Desired)
	if err != nil {
		out.Gone = false
		return out, r.fail("retiring the role", in.Desired.Spec, err)
	}
	d, pending := out.AwaitRole(role)
	if !pending {
		return out, nil
	}
	r.report(ctx, level(in, d), in, d)
	return outcome(in, d, nil, nil), nil
}

// level is info for what is new and for calls. To look and to find the same again
// is for those who want to see everything.
func level(in fargate.Input, d fargate.Decision) slog.Level {
	if d.Call != nil || news(in, d) {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

func (r *Reconciler) report(ctx context.Context, level slog.Level, in fargate.Input, d fargate.Decision) {
	if hook := r.options.Hooks.Decision; hook != nil {
		hook(ctx, d, age(in, d))
	}
	r.options.Logger.LogAttrs(ctx, level, "decided",
		slog.String("cluster", in.Desired.Spec.ClusterName), slog.String("profile", in.Desired.Spec.Name),
		slog.String("action", string(d.Action)), slog.String("reason", string(d.Reason)), slog.String("message", d.Message))
}

// age is for how long the profile has had its status; zero where it has none.
func age(in fargate.Input, d fargate.Decision) time.Duration {
	if d.Memory.Since.IsZero() {
		return 0
	}
	return in.Now.Sub(d.Memory.Since)
}
