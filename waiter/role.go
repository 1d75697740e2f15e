// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// DefaultRoleSettle is for how long a trust policy must have been read as good
// before [RoleUsable] believes it without an attempt. Ten seconds is what people
// wait between CreateRole and CreateFargateProfile.
const DefaultRoleSettle = 10 * time.Second

// GoalUsable is the goal of [RoleUsable]. No profile can be waited for with it.
const GoalUsable Goal = "usable"

// Role is a pod execution role and what it is to be used for.
type Role struct {
	// Name is the name of the role, without its path.
	Name string
	// Request is the call of EKS that the role must allow; see [iam.Scope.Request].
	// The zero value is EKS without a profile.
	Request iam.Request
}

// RoleUsable waits until EKS can assume a role that is new or was just changed.
// IAM shows a role to its readers before every part of AWS can use it, so that the
// only proof is a call that needs it. There are two ways to tell, and each may be
// nil:
//
//   - attempt makes that call, usually CreateFargateProfile, and returns its error.
//     While that is EKS's refusal of the trust policy, the wait goes on, and tries
//     again after 1, 2, 4, 8 and then every 15 seconds. Any other answer ends the
//     wait, and its error is returned as it is: the role is not in the way.
//   - api reads the trust policy. One that does not allow the request is an
//     *[EndedError] at once, since waiting does not mend it; within [Options.Grace]
//     of Since, when the role was last changed, it counts as a stale read. Without
//     the permission to read, the wait relies on attempt.
//
// Without attempt, a policy that allows the request is believed once it has been
// read for [Options.Settle], by default [DefaultRoleSettle].
//
// The context is the only limit; two minutes is what other tools allow. When it
// ends, the error is a *[TimeoutError] that wraps EKS's last refusal. Schedule and
// History are not used.
func RoleUsable(ctx context.Context, api awsiam.GetRoleAPIClient, role Role, attempt func(context.Context) error, optFns ...func(*Options)) error {
	settle := func(o *Options) { o.Settle = DefaultRoleSettle }
	o := newOptions(append([]func(*Options){settle}, optFns...))
	w := &roleWatch{
		watch: newWatch(Ref{}, GoalUsable, o.Since, o, now()),
		api:   api, role: role, attempt: attempt,
	}
	w.watch.role = role.Name
	if role.Name == "" || api == nil && attempt == nil {
		return w.end(w.started, ReasonInvalidInput, nil).err
	}
	return w.run(ctx)
}

// roleWatch is one wait for a role.
type roleWatch struct {
	*watch
	api       awsiam.GetRoleAPIClient // nil when it cannot be read
	role      Role
	attempt   func(context.Context) error
	tries     int
	allowedAt time.Time // since when the trust policy has been read as good
}

func (w *roleWatch) run(ctx context.Context) error {
	var delay time.Duration
	for {
		if err := w.pause(ctx, delay); err != nil {
			return w.timeout(ctx, now())
		}
		w.polls++
		s := w.look(ctx)
		if ctx.Err() != nil && (!s.done || s.err != nil) {
			w.noteLast(s.err)
			return w.timeout(ctx, now())
		}
		w.report(ctx, now(), s)
		if s.done {
			return s.err
		}
		delay = s.delay
	}
}

// look reads the role, if it can, and tries to use it, if the reading does not
// speak against it.
func (w *roleWatch) look(ctx context.Context) step {
	if w.api != nil {
		out, err := w.api.GetRole(ctx, &awsiam.GetRoleInput{RoleName: &w.role.Name})
		if s, decided := w.read(now(), out, err); decided {
			return s
		}
	}
	if w.attempt == nil {
		return w.believe(now())
	}
	err := w.attempt(ctx)
	if awserr.Is(err, awserr.TrustNotUsable) {
		w.lastErr = err
		return w.later()
	}
	return ended(err)
}

// later is the step that tries again after a while.
func (w *roleWatch) later() step {
	d := 15 * time.Second
	if w.tries < 4 {
		d = time.Second << w.tries
	}
	w.tries++
	return step{delay: w.o.jittered(d)}
}

// believe ends the wait when the trust policy has been good for long enough.
func (w *roleWatch) believe(at time.Time) step {
	if left := w.o.Settle - at.Sub(w.allowedAt); left > 0 {
		return step{delay: left}
	}
	return ended(nil)
}

// read judges what IAM says of the role and reports whether that decides what comes
// next.
func (w *roleWatch) read(at time.Time, out *awsiam.GetRoleOutput, err error) (step, bool) {
	if err != nil {
		w.allowedAt = time.Time{}
		return w.readError(at, err)
	}
	w.lastErr, w.errors = nil, patience{}
	document := ""
	if out != nil && out.Role != nil {
		document = aws.ToString(out.Role.AssumeRolePolicyDocument)
	}
	trust, err := iam.ParseDocument(document)
	if err != nil {
		return w.undecided(at, err)
	}
	return w.judgeTrust(at, iam.Evaluate(trust, w.role.Request))
}

func (w *roleWatch) judgeTrust(at time.Time, v iam.Verdict) (step, bool) {
	if v.Result != iam.ResultAllow {
		w.allowedAt = time.Time{}
	}
	switch v.Result {
	case iam.ResultAllow:
		if w.allowedAt.IsZero() {
			w.allowedAt = at
		}
		return step{}, false
	case iam.ResultDeny:
		err := &TrustError{Verdict: v}
		w.lastErr = err
		if !w.since.IsZero() && w.age(at) < w.o.Grace {
			return w.later(), true
		}
		return w.end(at, ReasonTrustRefuses, err), true
	default:
		return w.undecided(at, &TrustError{Verdict: v})
	}
}

// undecided leaves the answer to the attempt, and ends the wait if there is none.
func (w *roleWatch) undecided(at time.Time, err error) (step, bool) {
	if w.attempt != nil {
		return step{}, false
	}
	return w.end(at, ReasonTrustUndecidable, err), true
}

func (w *roleWatch) readError(at time.Time, err error) (step, bool) {
	w.lastErr = err
	switch kindOf(err) {
	case awserr.NoSuchEntity:
		if w.age(at) < w.o.Grace {
			return w.later(), true
		}
		return w.end(at, ReasonRoleNotFound, err), true
	case awserr.Throttled, awserr.Transient:
		return w.tolerate(at, err), true
	case awserr.Denied:
		if w.attempt == nil {
			return w.end(at, ReasonDenied, err), true
		}
		w.api, w.lastErr = nil, nil
		return step{}, false
	default:
		return w.end(at, ReasonCallFailed, err), true
	}
}

// TrustError is what the trust policy of a role says to EKS.
type TrustError struct {
	// Verdict is the evaluation of the trust policy.
	Verdict iam.Verdict
}

// Error says why.
func (e *TrustError) Error() string {
	return "the trust policy: " + string(e.Verdict.Reason) + ": " + e.Verdict.Message
}
