// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// script is a role that answers by a list, the last entry for ever, and notes what
// it was asked.
type script struct {
	cloud    *fake.Cloud
	prepared []fargate.Role
	retired  []fargate.Role
	err      error
	asked    []string
}

func next(answers *[]fargate.Role) fargate.Role {
	switch n := len(*answers); n {
	case 0:
		return fargate.Role{}
	case 1:
		return (*answers)[0]
	default:
		first := (*answers)[0]
		*answers = (*answers)[1:]
		return first
	}
}

func (s *script) Prepare(_ context.Context, _ fargate.Desired, profile string) (fargate.Role, error) {
	s.asked = append(s.asked, fmt.Sprintf("prepare %s after %d calls", profile, s.cloud.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource")))
	return next(&s.prepared), s.err
}

func (s *script) Retire(_ context.Context, d fargate.Desired) (fargate.Role, error) {
	s.asked = append(s.asked, "retire "+d.Spec.Name)
	return next(&s.retired), s.err
}

func (s *script) options(o *lifecycle.Options) { o.Roles = s }

// withoutRole names no role: whoever prepares it says which.
func withoutRole(c *fake.Cloud) fargate.Desired {
	d := oldSpec(c)
	d.Spec.PodExecutionRoleARN = ""
	return d
}

// What a role says before the create decides about the step, and then nothing is
// created: preparing the role can have been the one write of the step.
func TestPreparingTheRole(t *testing.T) {
	tests := map[string]struct {
		role   fargate.Role
		action fargate.Action
		reason fargate.Reason
		after  time.Duration
	}{
		"it is not ready":       {fargate.Role{Wait: true, Message: "made it", RequeueAfter: 7 * time.Second}, fargate.ActionWait, fargate.ReasonRoleNotReady, 7 * time.Second},
		"it says no time":       {fargate.Role{Wait: true}, fargate.ActionWait, fargate.ReasonRoleNotReady, 5 * time.Second},
		"it is blocked":         {fargate.Role{Blocked: true, Message: "not ours"}, fargate.ActionBlocked, fargate.ReasonRoleBlocked, 5 * time.Minute},
		"it does not trust EKS": {fargate.Role{ARN: "arn:aws:iam::111122223333:role/fargate-pods", Trust: fargate.TrustMissing}, fargate.ActionBlocked, fargate.ReasonRoleNotTrusted, 5 * time.Minute},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			s := &script{cloud: c, prepared: []fargate.Role{tt.role}}
			out, err := lifecycle.New(c.EKS(), s.options).Step(t.Context(), withoutRole(c), fargate.Memory{})
			if err != nil || out.Action != tt.action || out.Reason != tt.reason || out.RequeueAfter != tt.after {
				t.Errorf("Step() = %s %s after %s, %v; want %s %s after %s", out.Action, out.Reason, out.RequeueAfter, err, tt.action, tt.reason, tt.after)
			}
			if n := c.CallCount("CreateFargateProfile"); n > 0 || len(s.asked) != 1 {
				t.Errorf("%d creates after %v", n, s.asked)
			}
		})
	}
}

func TestARoleThatIsMadeOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		ready := fargate.Role{ARN: c.RoleARN(fake.RoleName), Trust: fargate.TrustGiven}
		s := &script{cloud: c, prepared: []fargate.Role{{Wait: true, Message: "made it"}, {Wait: true, Message: "attached it"}, ready}}
		r := lifecycle.New(c.EKS(), s.options)
		o, err := r.Run(t.Context(), withoutRole(c))
		if err != nil || o.Spec.PodExecutionRoleARN != ready.ARN {
			t.Fatalf("Run() = %+v, %v", o, err)
		}
		name := o.Spec.Name
		want := fmt.Sprintf("prepare %s after 0 calls", name)
		if !slices.Equal(s.asked, []string{want, want, want}) {
			t.Errorf("asked %v, want three times %q: under the physical name, before any write", s.asked, want)
		}

		// Nothing to do: the role is not asked.
		s.asked = nil
		if out, err := r.Step(t.Context(), withoutRole(c), fargate.Memory{}); err != nil || !out.Settled || len(s.asked) > 0 {
			t.Errorf("Step() = %s, %v, and the role was asked %v", out.Reason, err, s.asked)
		}

		// A successor needs the trust under its own name, before its predecessor is
		// marked.
		if _, err := r.Run(t.Context(), with(withoutRole, selects("api"))(c)); err != nil {
			t.Fatal(err)
		}
		left := names(t, c.EKS())
		if want := fmt.Sprintf("prepare %s after 1 calls", left[0]); len(s.asked) == 0 || s.asked[0] != want || left[0] == name {
			t.Errorf("asked %v, want first %q", s.asked, want)
		}
	})
}

func TestRetiringTheRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		s := &script{cloud: c, retired: []fargate.Role{{Wait: true, Message: "marked it"}, {Blocked: true, Message: "a policy of others"}, {Message: "not ours: left alone"}}}
		r := lifecycle.New(c.EKS(), s.options)
		var mem fargate.Memory
		var seen []string
		for {
			out, err := r.StepDelete(t.Context(), oldSpec(c), mem)
			if err != nil {
				t.Fatal(err)
			}
			if there := len(names(t, c.EKS())) > 0; there && len(s.asked) > 0 {
				t.Fatal("the role was asked to go while the profile is there")
			}
			if len(s.asked) > 0 {
				seen = append(seen, fmt.Sprintf("%s %s, gone %v", out.Action, out.Reason, out.Gone))
			}
			if mem = out.Memory; out.Gone {
				break
			}
			time.Sleep(out.RequeueAfter)
		}
		if want := []string{"wait RoleNotReady, gone false", "blocked RoleBlocked, gone false", "no-op Gone, gone true"}; !slices.Equal(seen, want) {
			t.Errorf("outcomes %q, want %q", seen, want)
		}
	})
}

func TestRolesThatCannotBeAsked(t *testing.T) {
	broken := errors.New("no IAM")
	c := fake.New()
	s := &script{cloud: c, err: broken}
	r := lifecycle.New(c.EKS(), s.options)
	out, err := r.Step(t.Context(), withoutRole(c), fargate.Memory{})
	if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "preparing the role" || !errors.Is(err, broken) || c.CallCount("CreateFargateProfile") > 0 {
		t.Errorf("Step() = %+v, %v", out, err)
	}
	out, err = r.StepDelete(t.Context(), withoutRole(c), fargate.Memory{})
	if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "retiring the role" || !errors.Is(err, broken) || out.Gone {
		t.Errorf("StepDelete() = %+v, %v", out, err)
	}
}

// Run and Delete pass what the role says on: a block is an error, in the end the
// role is gone.
func TestRunAndDeleteWithARole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		s := &script{cloud: c, prepared: []fargate.Role{{Blocked: true, Message: "the role belongs to others"}}}
		_, err := lifecycle.New(c.EKS(), s.options).Run(t.Context(), withoutRole(c))
		blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
		if !ok || blocked.Outcome.Reason != fargate.ReasonRoleBlocked || blocked.Unwrap() != nil {
			t.Errorf("Run() = %v", err)
		}
		s = &script{cloud: c, retired: []fargate.Role{{Wait: true}, {Wait: true}, {}}}
		if err := lifecycle.New(c.EKS(), s.options).Delete(t.Context(), withoutRole(c)); err != nil || len(s.asked) != 3 {
			t.Errorf("Delete() = %v after %v", err, s.asked)
		}
	})
}
