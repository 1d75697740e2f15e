// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// changing counts the profiles in progress at each call, which are all the moments
// at which something can begin.
type changing struct {
	mu   sync.Mutex
	most int
}

func (w *changing) watch(c *fake.Cloud) func(*lifecycle.Options) {
	return func(o *lifecycle.Options) {
		o.Hooks.Call = func(ctx context.Context, _ lifecycle.CallInfo) {
			n := 0
			out, err := c.EKS().ListFargateProfiles(ctx, &eks.ListFargateProfilesInput{ClusterName: aws.String("demo")})
			if err != nil {
				return
			}
			for _, name := range out.FargateProfileNames {
				p, err := c.EKS().DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{ClusterName: aws.String("demo"), FargateProfileName: &name})
				if err == nil && fargate.Status(p.FargateProfile.Status).InProgress() {
					n++
				}
			}
			w.mu.Lock()
			w.most = max(w.most, n)
			w.mu.Unlock()
		}
	}
}

func TestScenario_B01_TwoAppliesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		var w changing
		var wait sync.WaitGroup
		for _, name := range []string{"fp-a", "fp-b"} {
			wait.Go(func() {
				if _, err := lifecycle.New(sdkClient(c), w.watch(c)).Run(t.Context(), desired(c, name, name)); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if got := names(t, c.EKS()); !slices.Equal(got, []string{"fp-a", "fp-b"}) || w.most != 1 {
			t.Errorf("profiles %v, at most %d in progress at once", got, w.most)
		}
	})
}

func five(c *fake.Cloud) []fargate.Desired {
	var all []fargate.Desired
	for i := range 5 {
		name := fmt.Sprintf("fp-%d", i+1)
		all = append(all, desired(c, name, name))
	}
	return all
}

func TestScenario_B02_ParallelDeletesOfFive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), five(c)); err != nil {
			t.Fatal(err)
		}
		var w changing
		r := lifecycle.New(c.EKS(), w.watch(c))
		var wait sync.WaitGroup
		for _, d := range five(c) {
			wait.Go(func() {
				if err := r.Delete(t.Context(), d); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if got := names(t, c.EKS()); len(got) != 0 || w.most != 1 {
			t.Errorf("%v are left, at most %d in progress at once", got, w.most)
		}
	})
}

func TestScenario_B11_TeardownIsSerialAndSparesTheProfilesOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.PageSize, o.EmptyFirstPage = 2, true })
		addForeign(t, c)
		if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), five(c)); err != nil {
			t.Fatal(err)
		}
		// One vanishes between the listing and its delete.
		var once sync.Once
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
			o.Progress = func(ctx context.Context, p lifecycle.Progress) {
				if p.Outcome.Gone {
					once.Do(func() {
						time.Sleep(5 * time.Second)
						if err := lifecycle.New(c.EKS()).Delete(ctx, desired(c, "fp-4", "fp-4")); err != nil {
							t.Error(err)
						}
					})
				}
			}
		})
		report, err := r.Teardown(t.Context(), "demo", fargate.Owner{ID: me}, fargate.Policy{})
		if err != nil || len(report.Results) != 5 {
			t.Fatalf("Teardown() = %+v, %v", report, err)
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{foreignProfile}) {
			t.Errorf("profiles left: %v", got)
		}
	})
}

func TestScenario_B10_NextCreateWaitsForTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), five(c)); err != nil {
			t.Fatal(err)
		}
		var created time.Time
		for call := range c.Calls() {
			if call.Operation != "CreateFargateProfile" || call.Code != "" {
				continue
			}
			if !created.IsZero() && call.Time.Sub(created) < 6*time.Second {
				t.Errorf("%s was created %s after the one before, which takes 6 s", call.Target.Profile, call.Time.Sub(created))
			}
			created = call.Time
		}
	})
}

func TestScenario_B14_DeleteOfTwentyFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.Delays.Delete = fake.Fixed(25 * time.Minute) })
		settle(oldSpec)(t, c)
		c.ForgetCalls()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
		defer cancel()
		if err := lifecycle.New(c.EKS()).Delete(ctx, oldSpec(c)); err != nil {
			t.Fatal(err)
		}
		if n := c.CallCount("DescribeFargateProfile"); n > 100 {
			t.Errorf("%d Describe calls", n)
		}
	})
}

func TestScenario_B38_DeniedTagsNameTheAction(t *testing.T) {
	c := fake.New()
	c.Deny("eks:TagResource")
	_, err := lifecycle.New(sdkClient(c)).Run(t.Context(), oldSpec(c))
	blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
	if !ok || blocked.Outcome.Reason != fargate.ReasonAccessDenied || lifecycle.Classify(err).Action != "eks:TagResource" {
		t.Errorf("Run() = %v", err)
	}
}

func TestScenario_B71_B73_SubnetsThatFargateRefuses(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.UnsupportedZones = []string{"us-east-1e"} })
	c.AddSubnet(fake.Subnet{ID: "subnet-0ddd", Zone: "us-east-1e"})
	tests := map[string]struct {
		subnet string
		reason fargate.Reason
		names  func(lifecycle.Fault) string
		want   string
	}{
		"public": {fake.PublicSubnetID, fargate.ReasonPublicSubnet, func(f lifecycle.Fault) string { return f.Subnet }, fake.PublicSubnetID},
		"zone":   {"subnet-0ddd", fargate.ReasonUnsupportedZone, func(f lifecycle.Fault) string { return f.Zone }, "us-east-1e"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := oldSpec(c)
			d.Spec.Subnets = []string{fake.PrivateSubnetIDs()[0], tt.subnet}
			_, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
			blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
			if !ok || blocked.Outcome.Reason != tt.reason || tt.names(lifecycle.Classify(err)) != tt.want {
				t.Errorf("Run() = %v", err)
			}
		})
	}
}

func TestScenario_B29_B32_WhatAWSFillsInIsNoDrift(t *testing.T) {
	for _, style := range []fake.LabelStyle{fake.LabelsAbsent, fake.LabelsNull, fake.LabelsEmpty} {
		t.Run(string(style), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick, func(o *fake.Options) { o.EmptyLabels = style })
				d := desired(c, "web", "web", "api")
				r := lifecycle.New(sdkClient(c))
				o, err := r.Run(t.Context(), d)
				if err != nil || len(o.Spec.Subnets) == 0 {
					t.Fatalf("Run() = %+v, %v", o, err)
				}
				d.Spec.Selectors = []selector.Selector{{Namespace: "api", Labels: map[string]string{}}, {Namespace: "web"}}
				c.ForgetCalls()
				out, err := r.Step(t.Context(), d, fargate.Memory{})
				if err != nil || !out.Settled || !slices.Equal(calls(c), []string{"DescribeFargateProfile"}) {
					t.Errorf("Step() = %s, %v; calls %v", out.Reason, err, calls(c))
				}
			})
		})
	}
}

func TestScenario_B79_ClusterThatIsGoneTookItsProfilesAlong(t *testing.T) {
	c := fake.New()
	d := desired(c, "web", "web")
	d.Spec.ClusterName = "gone"
	out, err := lifecycle.New(c.EKS()).StepDelete(t.Context(), d, fargate.Memory{})
	if err != nil || !out.Gone || out.Reason != fargate.ReasonClusterGone {
		t.Errorf("StepDelete() = %+v, %v", out, err)
	}
	out, err = lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{})
	if err != nil || out.Reason != fargate.ReasonClusterNotFound {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}

func TestScenario_B77_B84_DeletionEndsOnlyWhenTheProfileIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		failsOnce("DeleteFargateProfile")(t, c)
		r := lifecycle.New(c.EKS())
		var mem fargate.Memory
		for range 100 {
			out, err := r.StepDelete(t.Context(), oldSpec(c), mem)
			if err != nil {
				t.Fatal(err)
			}
			if left := names(t, c.EKS()); out.Gone != (len(left) == 0) {
				t.Fatalf("Gone is %v while %v is there", out.Gone, left)
			}
			if mem = out.Memory; out.Gone {
				if n := c.CallCount("DeleteFargateProfile"); n != 2 {
					t.Errorf("%d delete calls, want 2", n)
				}
				return
			}
			time.Sleep(out.RequeueAfter)
		}
		t.Error("it is never gone")
	})
}

func TestWrongPlaceIsNoAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		out, err := lifecycle.New(c.EKS()).Step(t.Context(), oldSpec(c), fargate.Memory{})
		if err != nil || out.Memory.ARN == "" {
			t.Fatalf("Step() = %+v, %v", out, err)
		}
		elsewhere := fake.New(func(o *fake.Options) { o.Region = "eu-west-1" })
		places := map[string]*lifecycle.Reconciler{
			"by the client's region": lifecycle.New(eks.New(eks.Options{Region: "eu-west-1", HTTPClient: elsewhere.HTTPClient(), Credentials: sdkClient(c).Options().Credentials})),
			"by the identity": lifecycle.New(elsewhere.EKS(), func(o *lifecycle.Options) {
				o.Identity = func(context.Context) (fargate.Place, error) { return fargate.Place{Account: "444455556666"}, nil }
			}),
		}
		for name, r := range places {
			out, err := r.StepDelete(t.Context(), oldSpec(c), out.Memory)
			if err != nil || out.Gone || out.Reason != fargate.ReasonWrongPlace {
				t.Errorf("%s: StepDelete() = %s (gone: %v), %v", name, out.Reason, out.Gone, err)
			}
		}
		broken := lifecycle.New(elsewhere.EKS(), func(o *lifecycle.Options) {
			o.Identity = func(context.Context) (fargate.Place, error) { return fargate.Place{}, errors.New("no identity") }
		})
		if out, err := broken.StepDelete(t.Context(), oldSpec(c), out.Memory); err == nil || out.Gone {
			t.Errorf("without an identity: %+v, %v", out, err)
		}
	})
}

func TestEventsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS())
		var mem fargate.Memory
		var told []fargate.Reason
		for range 100 {
			out, err := r.Step(t.Context(), oldSpec(c), mem)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range out.Events {
				told = append(told, e.Reason)
			}
			// A controller keeps the memory as JSON.
			text, err := json.Marshal(out.Memory)
			if err != nil {
				t.Fatal(err)
			}
			mem = fargate.Memory{}
			if err := json.Unmarshal(text, &mem); err != nil {
				t.Fatal(err)
			}
			time.Sleep(max(out.RequeueAfter, time.Second))
		}
		if want := []fargate.Reason{fargate.ReasonAbsent, fargate.ReasonCreating, fargate.ReasonConfirming, fargate.ReasonInSync}; !slices.Equal(told, want) {
			t.Errorf("events = %v, want %v", told, want)
		}
	})
}

func TestHooksAndLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		var ops, reasons []string
		var log strings.Builder
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			o.Hooks.Call = func(_ context.Context, i lifecycle.CallInfo) { ops = append(ops, i.Operation) }
			o.Hooks.Decision = func(_ context.Context, d fargate.Decision, _ time.Duration) {
				reasons = append(reasons, string(d.Reason))
			}
		})
		if _, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ops, calls(c)) || !slices.Equal(reasons, []string{"Absent"}) {
			t.Errorf("hooks told %v and %v, the calls are %v", ops, reasons, calls(c))
		}
		for _, want := range []string{"operation=CreateFargateProfile", "reason=Absent", "profile=web"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log lacks %s:\n%s", want, log.String())
			}
		}
	})
}

func TestRunAllOfManyClustersTakesAsLongAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		var all []fargate.Desired
		for i := range 50 {
			cluster := fmt.Sprintf("c-%02d", i)
			c.AddCluster(fake.Cluster{Name: cluster, Subnets: fake.PrivateSubnetIDs()})
			d := desired(c, "web", "web")
			d.Spec.ClusterName = cluster
			all = append(all, d)
		}
		// One of them fails: the others go on.
		all[7].Spec.Subnets = []string{fake.PublicSubnetID}
		begun := time.Now()
		report, err := lifecycle.New(c.EKS()).RunAll(t.Context(), all)
		if err == nil || len(report.Results) != 50 || len(report.Failed()) != 1 || report.Failed()[0].Cluster != "c-07" {
			t.Fatalf("RunAll() = %d results, failed %+v, %v", len(report.Results), report.Failed(), err)
		}
		if took := time.Since(begun); took > 95*time.Second {
			t.Errorf("50 clusters took %s, one takes 90 s", took)
		}
	})
}

func TestRunAllRefusesTheSameProfileTwice(t *testing.T) {
	c := fake.New()
	if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), []fargate.Desired{oldSpec(c), oldSpec(c)}); err == nil || len(calls(c)) > 0 {
		t.Errorf("RunAll() = %v after the calls %v", err, calls(c))
	}
}
