// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// A preview says what the step would do, for every state of the kill test, and
// writes nothing.
func TestPreviewSaysWhatTheStepDoes(t *testing.T) {
	for name, tt := range killCases(oldSpec) {
		if tt.reach == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				tt.start(t, c)
				c.ForgetCalls()
				r := lifecycle.New(c.EKS(), withPods(c))
				d, err := r.Preview(t.Context(), tt.reach(c), fargate.Memory{})
				if err != nil || c.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource", "UntagResource") > 0 {
					t.Fatalf("Preview() = %+v, %v after the calls %v", d, err, calls(c))
				}
				out, err := r.Step(t.Context(), tt.reach(c), fargate.Memory{})
				if err != nil || out.Action != d.Action || out.Reason != d.Reason || out.Message != d.Message {
					t.Errorf("Preview() = %s %s %q and Step() = %s %s %q, %v", d.Action, d.Reason, d.Message, out.Action, out.Reason, out.Message, err)
				}
			})
		})
	}
}

func TestPreviewDoesNotAskTheRole(t *testing.T) {
	c := fake.New()
	s := &script{cloud: c}
	d, err := lifecycle.New(c.EKS(), s.options).Preview(t.Context(), withoutRole(c), fargate.Memory{})
	if err != nil || d.Reason != fargate.ReasonRoleNotReady || len(s.asked) > 0 || !slices.Contains(d.Unchecked, fargate.PreconditionRole) {
		t.Errorf("Preview() = %+v, %v; asked %v", d, err, s.asked)
	}
}

func TestPreviewThatCannotBe(t *testing.T) {
	c := fake.New()
	r := lifecycle.New(c.EKS())
	invalid := oldSpec(c)
	invalid.Spec.Selectors = nil
	d, err := r.Preview(t.Context(), invalid, fargate.Memory{})
	if _, ok := errors.AsType[*fargate.ValidationError](err); !ok || d.Reason != fargate.ReasonInvalidDesired || len(calls(c)) > 0 {
		t.Errorf("Preview() = %s, %v after %v", d.Reason, err, calls(c))
	}
	c.Inject(fake.Throttle("DescribeFargateProfile", 1))
	if _, err := r.Preview(t.Context(), oldSpec(c), fargate.Memory{}); lifecycle.Classify(err).Kind != "Throttled" {
		t.Errorf("Preview() = %v, want throttled", err)
	}
}

func TestStepDeleteOfInvalidInputCallsNothing(t *testing.T) {
	c := fake.New()
	d := oldSpec(c)
	d.Owner.ID = ""
	out, err := lifecycle.New(c.EKS()).StepDelete(t.Context(), d, fargate.Memory{})
	if _, ok := errors.AsType[*fargate.ValidationError](err); !ok || out.Gone || len(calls(c)) > 0 {
		t.Errorf("StepDelete() = %+v, %v after %v", out, err, calls(c))
	}
	// A spec that became invalid does not keep its profile from being deleted.
	d = oldSpec(c)
	d.Spec.Selectors, d.Spec.PodExecutionRoleARN = nil, "no ARN"
	if out, err := lifecycle.New(c.EKS()).StepDelete(t.Context(), d, fargate.Memory{}); err != nil || !out.Gone {
		t.Errorf("StepDelete() = %+v, %v", out, err)
	}
}

// The pods are asked for only where some are at stake, and an error about them is
// an error of the step.
func TestPodsAreAskedForOnlyWhenAtStake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		asked, broken := 0, errors.New("no API server")
		var fail error
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
			o.Pods = func(_ context.Context, cluster string) ([]selector.Placed, error) {
				asked++
				return placedPods(c, cluster), fail
			}
		})
		if _, err := r.Run(t.Context(), oldSpec(c)); err != nil || asked > 0 {
			t.Fatalf("Run() = %v, and the pods were asked for %d times", err, asked)
		}
		fail = broken
		out, err := r.Step(t.Context(), with(oldSpec, selects("api"))(c), fargate.Memory{})
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "listing the pods" || !errors.Is(err, broken) || asked != 1 {
			t.Errorf("Step() = %+v, %v; asked %d times", out, err, asked)
		}
		if _, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo"}); !errors.Is(err, broken) {
			t.Errorf("PlanCluster() = %v", err)
		}
		fail = nil
		p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{with(oldSpec, selects("api"))(c)}})
		if err != nil || len(p.Steps) == 0 {
			t.Errorf("PlanCluster() = %+v, %v", p, err)
		}
	})
}

// Everything that one reconciler calls shares one rate.
func TestRateIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Rate = rate.NewLimiter(2, 1) })
		begun := time.Now()
		for range 7 {
			if _, err := r.Preview(t.Context(), oldSpec(c), fargate.Memory{}); err != nil { // two calls each
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); c.CallCount() != 14 || took != 6500*time.Millisecond {
			t.Errorf("%d calls took %s, want 14 in 6.5 s", c.CallCount(), took)
		}
	})
}
