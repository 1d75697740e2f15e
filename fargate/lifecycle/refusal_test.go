// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// A refused write is an outcome, not an error: a wait for what passes by itself,
// a block for what somebody must change.
func TestRefusedWrites(t *testing.T) {
	type want struct {
		action fargate.Action
		reason fargate.Reason
		says   string
	}
	tests := map[string]struct {
		code, message string
		want          want
	}{
		"name taken":     {"ResourceInUseException", "A Fargate Profile already exists with this name in this cluster.", want{fargate.ActionWait, fargate.ReasonNameTaken, "taken"}},
		"peer busy":      {"ResourceInUseException", "Cannot create Fargate Profile web because cluster demo currently has Fargate profile fp-a in status CREATING", want{fargate.ActionWait, fargate.ReasonPeerBusy, "fp-a is CREATING"}},
		"cluster busy":   {"ResourceInUseException", "Cannot Delete Fargate Profile web because cluster demo currently has an update in progress", want{fargate.ActionWait, fargate.ReasonClusterBusy, "update in progress"}},
		"in use somehow": {"ResourceInUseException", "words of the future", want{fargate.ActionWait, fargate.ReasonInUse, "words of the future"}},
		"not active":     {"InvalidRequestException", "Cluster 'demo' is not in ACTIVE status", want{fargate.ActionWait, fargate.ReasonClusterNotActive, "not ACTIVE"}},
		"trust":          {"InvalidParameterException", "Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal", want{fargate.ActionWait, fargate.ReasonTrustNotUsable, "eks-fargate-pods.amazonaws.com"}},
		"no cluster":     {"ResourceNotFoundException", "No cluster found for name: demo.", want{fargate.ActionBlocked, fargate.ReasonClusterNotFound, "name of the cluster"}},
		"quota":          {"ResourceLimitExceededException", "Fargate Profile limit exceeded for cluster.", want{fargate.ActionBlocked, fargate.ReasonQuotaExceeded, "quota"}},
		"denied":         {"AccessDeniedException", "User: u is not authorized to perform: iam:PassRole on resource: r", want{fargate.ActionBlocked, fargate.ReasonAccessDenied, "allow the caller iam:PassRole on r"}},
		"denied inside":  {"InvalidRequestException", "Failed to validate if SLR: X already exists due to missing permissions for 'iam:GetRole'", want{fargate.ActionBlocked, fargate.ReasonAccessDenied, "allow the caller iam:GetRole"}},
		"denied at all":  {"ExpiredTokenException", "expired", want{fargate.ActionBlocked, fargate.ReasonAccessDenied, "credentials"}},
		"public subnet":  {"InvalidParameterException", "Subnet subnet-0ccc provided in Fargate Profile is not a private subnet", want{fargate.ActionBlocked, fargate.ReasonPublicSubnet, "subnet-0ccc"}},
		"zone":           {"InvalidParameterException", "Fargate Profile creation for the Availability Zone ca-central-1d for Subnet subnet-1 is not supported", want{fargate.ActionBlocked, fargate.ReasonUnsupportedZone, "ca-central-1d"}},
		"invalid":        {"InvalidParameterException", "no", want{fargate.ActionBlocked, fargate.ReasonRejected, "no"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: tt.code, Message: tt.message})
			out, err := lifecycle.New(c.EKS()).Step(t.Context(), desired(c, "web", "web"), fargate.Memory{})
			if err != nil {
				t.Fatal(err)
			}
			if out.Action != tt.want.action || out.Reason != tt.want.reason || !strings.Contains(out.Message, tt.want.says) {
				t.Errorf("Step() = %s %s %q, want %+v", out.Action, out.Reason, out.Message, tt.want)
			}
			if cause, ok := errors.AsType[*lifecycle.Error](out.Cause); !ok || cause.Op != "CreateFargateProfile" || cause.Profile != "web" {
				t.Errorf("Cause = %v", out.Cause)
			}
			if out.RequeueAfter <= 0 || out.Call != nil || out.Settled {
				t.Errorf("outcome = %+v", out)
			}
			if len(names(t, c.EKS())) != 0 {
				t.Error("the refused create had an effect")
			}
		})
	}
}

// Errors that say nothing about the profile stay errors, and change nothing.
func TestErrorsThatSayNothing(t *testing.T) {
	tests := map[string]struct {
		code      string
		retryable bool
	}{
		"throttled": {"ThrottlingException", true},
		"server":    {"ServerException", true},
		"denied":    {"AccessDeniedException", false},
		"unknown":   {"BrandNewException", false},
	}
	for name, tt := range tests {
		for _, operation := range []string{"DescribeFargateProfile", "ListFargateProfiles"} {
			t.Run(name+" "+operation, func(t *testing.T) {
				c := fake.New()
				c.Inject(fake.Fault{Operation: operation, Code: tt.code, Message: "m"})
				for step, do := range map[string]func(context.Context, fargate.Desired, fargate.Memory) (lifecycle.Outcome, error){
					"Step": lifecycle.New(c.EKS()).Step, "StepDelete": lifecycle.New(c.EKS()).StepDelete,
				} {
					c.ClearFaults()
					c.Inject(fake.Fault{Operation: operation, Code: tt.code, Message: "m"})
					out, err := do(t.Context(), desired(c, "web", "web"), fargate.Memory{})
					e, ok := errors.AsType[*lifecycle.Error](err)
					if !ok || e.Retryable() != tt.retryable || out.Gone || out.Settled {
						t.Errorf("%s = %+v, %v; want an error that is retryable: %v", step, out, err, tt.retryable)
					}
				}
				if n := c.CallCount("CreateFargateProfile", "DeleteFargateProfile"); n != 0 {
					t.Errorf("%d writes after an error", n)
				}
			})
		}
	}
}

func TestScenario_B86_OnlyNotFoundIsAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Code: "ThrottlingException", Message: "Rate exceeded"})
		out, err := lifecycle.New(c.EKS()).StepDelete(t.Context(), oldSpec(c), fargate.Memory{})
		if err == nil || out.Gone {
			t.Errorf("StepDelete() = %+v, %v: a throttled read is no absence", out, err)
		}
		if err := lifecycle.New(c.EKS()).Delete(t.Context(), oldSpec(c)); err != nil {
			t.Error(err)
		}
	})
}

func TestScenario_B07_BusyForElevenMinutesAfterActive(t *testing.T) {
	busy := func(o *fake.Options) { o.Delays.Busy = fake.Fixed(11 * time.Minute) }
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(busy)
		r := lifecycle.New(c.EKS())
		if _, err := r.Run(t.Context(), oldSpec(c)); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		err := r.Delete(short, oldSpec(c))
		incomplete, ok := errors.AsType[*lifecycle.IncompleteError](err)
		if !ok || !errors.Is(err, context.DeadlineExceeded) || lifecycle.Classify(incomplete.Outcome.Cause).Kind != "ClusterBusy" {
			t.Fatalf("Delete() within 5 minutes = %v", err)
		}
		if deletes := c.CallCount("DeleteFargateProfile"); deletes > 40 {
			t.Errorf("%d delete calls in 5 minutes", deletes)
		}
		if err := r.Delete(t.Context(), oldSpec(c)); err != nil {
			t.Errorf("Delete() = %v", err)
		}
	})
}

func TestScenario_B04_B06_ClusterUpdatesThatNobodySees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		c.BusyCluster("demo", 3*time.Minute)
		r := lifecycle.New(sdkClient(c))
		if _, err := r.Run(t.Context(), oldSpec(c)); err != nil {
			t.Fatalf("creating during an update: %v", err)
		}
		c.BusyCluster("demo", 3*time.Minute)
		if err := r.Delete(t.Context(), oldSpec(c)); err != nil {
			t.Errorf("deleting during an update: %v", err)
		}
	})
}

func TestScenario_B15_RacingCreateIsCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{} })
		settle(pinned)(t, c)
		// A replica whose reads are late sees nothing yet.
		c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Code: "ResourceNotFoundException", Message: "No Fargate Profile found with name: web."})
		r := lifecycle.New(c.EKS())
		out, err := r.Step(t.Context(), pinned(c), fargate.Memory{})
		if err != nil || out.Reason != fargate.ReasonNameTaken || out.Action != fargate.ActionWait {
			t.Fatalf("Step() = %s %s, %v; want to wait, since the name is taken", out.Action, out.Reason, err)
		}
		if out, err = r.Step(t.Context(), pinned(c), out.Memory); err != nil || !out.Settled {
			t.Errorf("the next Step() = %s %s, %v; want no-op", out.Action, out.Reason, err)
		}
	})
}

func TestScenario_B39_NewRoleIsRetriedAndAWrongOneIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		d := oldSpec(c)
		d.Spec.PodExecutionRoleARN = c.AddRole("wrong", strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods", "ec2"))
		begun := time.Now()
		_, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
		blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
		if !ok || blocked.Outcome.Reason != fargate.ReasonTrustNotUsable {
			t.Fatalf("Run() = %v", err)
		}
		if took := time.Since(begun); took < 2*time.Minute || took > 4*time.Minute {
			t.Errorf("it gave up after %s, want about 2 minutes", took)
		}
	})
}

func TestScenario_B75_FailedCreateEndsWithItsIssues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		c.Inject(fake.Fault{Operation: "CreateFargateProfile", Count: 100, Outcome: fake.FailAfter(3*time.Second, "PodExecutionRoleAlreadyInUse", "mapped for nodes", "r")})
		d := oldSpec(c)
		d.Policy.Attempts = 2
		var seen []string
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
			o.Progress = func(_ context.Context, p lifecycle.Progress) {
				if len(p.Outcome.Issues) > 0 && len(seen) == 0 {
					seen = append(seen, string(p.Outcome.Issues[0].Code))
				}
			}
		})
		_, err := r.Run(t.Context(), d)
		blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
		if !ok || blocked.Outcome.Reason != fargate.ReasonCreateFailed || !strings.Contains(err.Error(), "mapped for nodes") {
			t.Fatalf("Run() = %v", err)
		}
		if !slices.Equal(seen, []string{"PodExecutionRoleAlreadyInUse"}) {
			t.Errorf("issues seen: %v", seen)
		}
		if n := c.CallCount("CreateFargateProfile"); n < 3 || n > 12 {
			t.Errorf("%d creates for 2 further attempts", n)
		}
		if got := names(t, c.EKS()); len(got) != 1 {
			t.Errorf("the failed profile must stay for its issues to be seen: %v", got)
		}
	})
}

// A profile of others can have the very name that we would derive. Asking EKS to
// create it could never succeed.
func TestADerivedNameThatSomebodyHas(t *testing.T) {
	tests := map[string]struct {
		adoption fargate.Adoption
		want     fargate.Reason
	}{
		"is not asked for":           {fargate.AdoptionNever, fargate.ReasonUnowned},
		"can be adopted when we may": {fargate.AdoptionWhenEqual, fargate.ReasonAdopting},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				d := oldSpec(c)
				d.Policy.Adoption = tt.adoption
				first, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				disown(t, c, first)
				out, err := lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{})
				if err != nil || out.Reason != tt.want || out.Profile != first.Spec.Name {
					t.Errorf("Step() = %s %s about %s, %v; want %s about %s", out.Action, out.Reason, out.Profile, err, tt.want, first.Spec.Name)
				}
				if n := c.CallCount("CreateFargateProfile"); n != 1 {
					t.Errorf("%d creates in all, want the first alone", n)
				}
			})
		})
	}
}

// disown removes all of our marks by hand.
func disown(t *testing.T, c *fake.Cloud, o fargate.Observed) {
	t.Helper()
	var marks []string
	for key := range o.Spec.Tags {
		if strings.HasPrefix(key, "eksfargate.io/") {
			marks = append(marks, key)
		}
	}
	if _, err := c.EKS().UntagResource(t.Context(), &eks.UntagResourceInput{ResourceArn: &o.ARN, TagKeys: marks}); err != nil {
		t.Fatal(err)
	}
}

// hasty is a client whose own time limit cuts the first call short.
type hasty struct {
	lifecycle.API
	calls int
}

func (h *hasty) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, optFns ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	if h.calls++; h.calls == 1 {
		return nil, fmt.Errorf("awaiting headers: %w", context.DeadlineExceeded)
	}
	return h.API.DescribeFargateProfile(ctx, in, optFns...)
}

func TestATimeLimitOfTheClientIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		_, err := lifecycle.New(&hasty{API: c.EKS()}).Step(t.Context(), desired(c, "web", "web"), fargate.Memory{})
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || !e.Retryable() {
			t.Errorf("Step() = %v, want an error that is retryable", err)
		}
		if _, err := lifecycle.New(&hasty{API: c.EKS()}).Run(t.Context(), desired(c, "web", "web")); err != nil {
			t.Errorf("Run() = %v", err)
		}
	})
}
