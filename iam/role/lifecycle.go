// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"errors"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Prepare brings the role of a profile into a state in which EKS can create the
// profile of the physical name, or says what is missing: one step of [Roles.Step].
// It satisfies the Roles of package lifecycle.
//
// After a write it says Wait. Trust says what the trust policy says to EKS, where
// that was read. A role that was just made may be refused by EKS all the same;
// then it is lifecycle that tries again.
//
// A role to be verified that the caller may not read is no error: it can be used
// without being read, and EKS will say what it thinks of it.
func (r *Roles) Prepare(ctx context.Context, desired fargate.Desired, profile string) (fargate.Role, error) {
	return r.forCreate(ctx, desired, profile, r.stepFor)
}

// Look says what [Roles.Prepare] would say, and writes nothing: it is for plans and
// previews. Wait says that Prepare would change the role first. It satisfies the
// RoleLooker of package lifecycle.
func (r *Roles) Look(ctx context.Context, desired fargate.Desired, profile string) (fargate.Role, error) {
	return r.forCreate(ctx, desired, profile, func(ctx context.Context, _ fargate.Desired, d iam.DesiredRole) (Outcome, error) {
		_, out, err := r.preview(ctx, d, iam.RoleMemory{})
		return out, err
	})
}

// forCreate asks for the role with which a profile is made.
func (r *Roles) forCreate(ctx context.Context, desired fargate.Desired, profile string, ask func(context.Context, fargate.Desired, iam.DesiredRole) (Outcome, error)) (fargate.Role, error) {
	d, err := r.Desired(ctx, desired, profile)
	if err != nil {
		return fargate.Role{}, err
	}
	if d.Mode != iam.ModeEnsure && d.ARN == "" {
		return fargate.Role{}, nil // the decision on the profile says that it names no role
	}
	out, err := ask(ctx, desired, d)
	if d.Mode == iam.ModeVerify && awserr.Is(err, awserr.Denied) {
		return fargate.Role{ARN: d.ARN, Message: err.Error()}, nil
	}
	if err != nil {
		return fargate.Role{}, err
	}
	return prepared(d, profile, out), nil
}

// Retire takes the role away after the profile is gone, if it is ours, no other
// profile of the cluster uses it and it serves nobody else: one step of
// [Roles.Step], and Wait says that it is not done yet. A role that is still in use
// gets what it lacks instead, and one that the profile names is left alone. It
// satisfies the Roles of package lifecycle.
func (r *Roles) Retire(ctx context.Context, desired fargate.Desired) (fargate.Role, error) {
	d, err := r.Desired(ctx, desired, "")
	if err != nil || d.Mode != iam.ModeEnsure {
		return fargate.Role{}, err
	}
	d.Mode = iam.ModeDelete
	out, err := r.stepFor(ctx, desired, d)
	if err == nil && out.Reason == iam.ReasonRoleInUse {
		// Whoever wants the role may have been overtaken by a step of its deletion:
		// what that took goes back.
		d.Mode = iam.ModeEnsure
		out, err = r.stepFor(ctx, desired, d)
	}
	if err != nil {
		return fargate.Role{}, err
	}
	return pending(d, out), nil
}

// stepFor makes a step with what this process remembers of the role.
func (r *Roles) stepFor(ctx context.Context, desired fargate.Desired, d iam.DesiredRole) (Outcome, error) {
	key := d.Scope.Account + "/" + d.RoleName()
	out, err := r.Step(ctx, d, r.recall(key, d.Mode))
	r.remember(key, d.Mode, out)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Profile = desired.Spec.Name
	}
	return out, err
}

// recollection is what this process remembers of a role: the last memory, and what
// was told in each mode, for [Roles.Retire] decides in two of them by turns.
type recollection struct {
	iam.RoleMemory
	told map[iam.Mode]string
}

func (r *Roles) recall(key string, mode iam.Mode) iam.RoleMemory {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.remembered[key]
	c.Told = c.told[mode]
	return c.RoleMemory
}

func (r *Roles) remember(key string, mode iam.Mode, out Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if out.Gone || out.Memory == (iam.RoleMemory{}) {
		delete(r.remembered, key)
		return
	}
	c := r.remembered[key]
	if c.told == nil {
		c.told = map[iam.Mode]string{}
	}
	c.RoleMemory, c.told[mode] = out.Memory, out.Memory.Told
	r.remembered[key] = c
}

// prepared says of an outcome what the decision on the profile needs.
func prepared(d iam.DesiredRole, profile string, out Outcome) fargate.Role {
	role := pending(d, out)
	if out.Observed == nil {
		return role
	}
	role.ARN = out.Observed.ARN
	switch v := iam.Evaluate(out.Observed.Trust, d.Scope.Request(profile)); {
	case out.Observed.TrustFault != "":
	case v.Allowed():
		role.Trust = fargate.TrustGiven
	case v.Result == iam.ResultDeny:
		role.Trust = fargate.TrustMissing
		if lacks := out.Review.Shortcomings; role.Blocked && len(lacks) == 1 {
			// Only the trust is wrong, and that is a reason of its own.
			role.Blocked, role.Message = false, string(v.Reason)+": "+lacks[0].Message+" ("+lacks[0].Fix+")"
		}
	}
	return role
}

// pending says what is left to do for the role.
func pending(d iam.DesiredRole, out Outcome) fargate.Role {
	role := fargate.Role{ARN: d.ARN, Message: out.Message, RequeueAfter: out.RequeueAfter}
	switch {
	case out.Call != nil, out.Action == iam.RoleActionWait:
		role.Wait = true
	default:
		role.Blocked = out.Action == iam.RoleActionBlocked
	}
	return role
}
