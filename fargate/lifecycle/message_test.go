// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// What people read says where it is about, once, and what to do.
func TestErrorsNameOnlyWhatTheyAreAbout(t *testing.T) {
	tests := map[string]struct {
		err  lifecycle.Error
		want string
	}{
		"a profile":              {lifecycle.Error{Op: "validation", Cluster: "demo", Profile: "web"}, "lifecycle: validation of profile web in cluster demo: no"},
		"a cluster":              {lifecycle.Error{Op: "planning", Cluster: "demo"}, "lifecycle: planning of cluster demo: no"},
		"a profile of nowhere":   {lifecycle.Error{Op: "validation", Profile: "web"}, "lifecycle: validation of profile web: no"},
		"nothing that has names": {lifecycle.Error{Op: "validation"}, "lifecycle: validation: no"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.err.Err = errors.New("no")
			if got := tt.err.Error(); got != tt.want {
				t.Errorf("Error() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestABlockedErrorNamesTheProfileOnce(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: "InvalidParameterException", Message: "no"})
	_, err := lifecycle.New(c.EKS()).Run(t.Context(), desired(c, "web", "web"))
	const want = "lifecycle: profile web of cluster demo is blocked (Rejected): AWS refused it: no (change what AWS names)"
	if err == nil || err.Error() != want {
		t.Errorf("Run() = %v, want %s", err, want)
	}
}

func TestARunThatNeverSawTheProfileSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		c.Inject(fake.Throttle("DescribeFargateProfile", -1))
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		_, err := lifecycle.New(c.EKS()).Run(ctx, desired(c, "web", "web"))
		if err == nil || !strings.Contains(err.Error(), "is not settled: context deadline exceeded; last answer: ") {
			t.Errorf("Run() = %v", err)
		}
	})
}

func TestARefusedRoleIsNamed(t *testing.T) {
	c := fake.New()
	d := desired(c, "web", "web")
	d.Spec.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/nobody-made-it"
	out, err := lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{})
	if err != nil || out.Reason != fargate.ReasonTrustNotUsable || !strings.Contains(out.Message, d.Spec.PodExecutionRoleARN) {
		t.Errorf("Step() = %s %q, %v", out.Reason, out.Message, err)
	}
}

func TestAPlanOfNoClusterSaysWhatToDo(t *testing.T) {
	c := fake.New()
	_, err := lifecycle.New(c.EKS()).PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "nowhere"})
	if err == nil || !strings.Contains(err.Error(), "of cluster nowhere") || !strings.Contains(err.Error(), "check the name of the cluster, the account and the region") {
		t.Errorf("PlanCluster() = %v", err)
	}
}

// A refusal changes a decision, and metrics and logs must learn of it.
func TestHooksAndLogHearOfARefusal(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: "ResourceLimitExceededException", Message: "Fargate Profile limit exceeded for cluster."})
	var reasons []fargate.Reason
	var log strings.Builder
	r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
		o.Hooks.Decision = func(_ context.Context, d fargate.Decision, _ time.Duration) { reasons = append(reasons, d.Reason) }
	})
	if _, err := r.Step(t.Context(), desired(c, "web", "web"), fargate.Memory{}); err != nil {
		t.Fatal(err)
	}
	if want := []fargate.Reason{fargate.ReasonAbsent, fargate.ReasonQuotaExceeded}; !slices.Equal(reasons, want) {
		t.Errorf("the hook heard of %v, want %v", reasons, want)
	}
	if !strings.Contains(log.String(), "reason=QuotaExceeded") {
		t.Errorf("the log lacks the refusal:\n%s", log.String())
	}
}

// The log of a run at its ordinary level has what is new, not each look.
func TestTheLogDoesNotRepeatItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		var log strings.Builder
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		if _, err := r.Run(t.Context(), desired(c, "web", "web")); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(log.String(), "reason="); n != 3 {
			t.Errorf("%d records, want those of Absent, Creating and Confirming:\n%s", n, log.String())
		}
	})
}

// What has no status has had it for no time.
func TestADecisionWithoutAProfileHasNoAge(t *testing.T) {
	c := fake.New()
	heard := false
	r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
		o.Hooks.Decision = func(_ context.Context, d fargate.Decision, age time.Duration) {
			heard = true
			if age != 0 {
				t.Errorf("%s for %s, want no time", d.Reason, age)
			}
		}
	})
	if _, err := r.StepDelete(t.Context(), desired(c, "web", "web"), fargate.Memory{}); err != nil || !heard {
		t.Errorf("heard = %t, %v", heard, err)
	}
}

// To name the other owner helps a profile that is desired, and nobody else.
func TestAContestedProfileSaysTheWayOut(t *testing.T) {
	c := fake.New()
	d := desired(c, "web", "web")
	thief := d
	thief.Owner.ID, thief.Policy.TakeOverFrom = "another/team", []string{d.Owner.ID}
	r := lifecycle.New(c.EKS())
	for _, halfway := range []fargate.Desired{d, thief} {
		if _, err := r.Step(t.Context(), halfway, fargate.Memory{}); err != nil {
			t.Fatal(err)
		}
		c.Advance(10 * time.Minute) // longer than a create
	}
	wanted, err := r.Step(t.Context(), d, fargate.Memory{})
	if err != nil || wanted.Reason != fargate.ReasonContested || !strings.Contains(wanted.Message, "policy.takeOverFrom") {
		t.Errorf("Step() = %s %q, %v", wanted.Reason, wanted.Message, err)
	}
	unwanted, err := r.StepDelete(t.Context(), d, fargate.Memory{})
	if err != nil || unwanted.Reason != fargate.ReasonContested || strings.Contains(unwanted.Message, "takeOverFrom") {
		t.Errorf("StepDelete() = %s %q, %v", unwanted.Reason, unwanted.Message, err)
	}
}
