// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// makeByHand makes a profile that bears no mark, and waits until it is ACTIVE.
func makeByHand(t *testing.T, c *fake.Cloud, d fargate.Desired, tags map[string]string) {
	t.Helper()
	in := &eks.CreateFargateProfileInput{ClusterName: aws.String("demo"), FargateProfileName: &d.Spec.Name, PodExecutionRoleArn: &d.Spec.PodExecutionRoleARN, Tags: tags}
	for _, s := range d.Spec.Selectors {
		in.Selectors = append(in.Selectors, types.FargateProfileSelector{Namespace: aws.String(s.Namespace)})
	}
	if _, err := c.EKS().CreateFargateProfile(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	c.Advance(5 * time.Minute)
}

func writes(c *fake.Cloud) int {
	return c.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource", "UntagResource")
}

func TestScenario_B80_AForeignProfileIsNeitherAdoptedNorDeleted(t *testing.T) {
	c := fake.New()
	d := desired(c, "fp-a", "web")
	makeByHand(t, c, d, nil)
	c.ForgetCalls()
	r := lifecycle.New(c.EKS())
	out, err := r.Step(t.Context(), d, fargate.Memory{})
	if err != nil || out.Reason != fargate.ReasonUnowned {
		t.Errorf("Step() = %s, %v", out.Reason, err)
	}
	out, err = r.StepDelete(t.Context(), d, out.Memory)
	if err != nil || out.Reason != fargate.ReasonNotOurs || !out.Gone {
		t.Errorf("StepDelete() = %s, gone %v, %v", out.Reason, out.Gone, err)
	}
	if n := writes(c); n > 0 {
		t.Errorf("%d writes to a profile that is not ours", n)
	}
}

func TestScenario_B22_ASetIsApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		makeByHand(t, c, desired(c, "foo", "foo"), nil)
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "fp-default", "default", "kube-system") })(t, c)
		changed := desired(c, "fp-default", "default", "other")
		changed.Policy.Replacement = fargate.ReplacementDeleteFirst
		r := lifecycle.New(c.EKS())
		p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{changed, desired(c, "fp-dev", "dev")}, Prune: true, Owner: fargate.Owner{ID: me}})
		if err != nil || len(p.Unmanaged) != 1 || p.Unmanaged[0].Name != "foo" {
			t.Fatalf("PlanCluster() = %+v, %v", p.Unmanaged, err)
		}
		if _, err := r.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{"foo", "fp-default", "fp-dev"}) {
			t.Errorf("profiles = %v", got)
		}
		if tags := tagsOf(t, c, "foo"); len(tags) > 0 {
			t.Errorf("foo has the tags %v", tags)
		}
	})
}

func TestScenario_B25_B30_WhatDiffersIsSaidByEachStep(t *testing.T) {
	tests := map[string]struct {
		change func(*fake.Cloud, *fargate.Desired)
		field  fargate.Field
	}{
		"B25 another selector": {func(_ *fake.Cloud, d *fargate.Desired) { selects("api")(d) }, fargate.FieldSelectors},
		"B30 another role":     {func(c *fake.Cloud, d *fargate.Desired) { d.Spec.PodExecutionRoleARN = c.RoleARN("other") }, fargate.FieldRole},
		"B25 other subnets":    {func(_ *fake.Cloud, d *fargate.Desired) { d.Spec.Subnets = fake.PrivateSubnetIDs()[:1] }, fargate.FieldSubnets},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				c.AddRole("other", fake.PodTrust)
				pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{} })
				settle(pinned)(t, c)
				d := pinned(c)
				tt.change(c, &d)
				before := writes(c)
				out, err := lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{})
				if err != nil || out.Settled || out.Reason != fargate.ReasonReplacementForbidden || !out.Drift.Has(tt.field) || writes(c) != before {
					t.Errorf("Step() = %s with the drift %q, %v", out.Reason, out.Drift, err)
				}
				drifted := slices.ContainsFunc(out.Conditions, func(x lifecycle.Condition) bool {
					return x.Type == fargate.ConditionDrifted && x.Status == fargate.ConditionTrue
				})
				if !drifted {
					t.Errorf("conditions = %+v", out.Conditions)
				}
			})
		})
	}
}

func TestScenario_B26_B34_TagsAreChangedInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		before := names(t, c.EKS())
		d := oldSpec(c)
		d.Spec.Tags = map[string]string{"team": "y", "new": "1"}
		o, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
		if err != nil || o.Spec.Tags["team"] != "y" || o.Spec.Tags["new"] != "1" || o.Spec.Tags["old"] != "" {
			t.Errorf("Run() = %v, %v", o.Spec.Tags, err)
		}
		if n := c.CallCount("CreateFargateProfile"); n != 1 || !slices.Equal(names(t, c.EKS()), before) {
			t.Errorf("%d creates, profiles %v", n, names(t, c.EKS()))
		}
	})
}

func TestScenario_B36_TagsOfOthersSurviveUnlessExact(t *testing.T) {
	for mode, want := range map[fargate.TagMode]string{fargate.TagsMerge: "42", fargate.TagsExact: ""} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settle(oldSpec)(t, c)
				r := lifecycle.New(c.EKS())
				o, err := r.Run(t.Context(), oldSpec(c))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.EKS().TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: &o.ARN, Tags: map[string]string{"costcenter": "42"}}); err != nil {
					t.Fatal(err)
				}
				d := oldSpec(c)
				d.Policy.TagMode, d.Spec.Tags = mode, map[string]string{"team": "x"}
				if o, err = r.Run(t.Context(), d); err != nil || o.Spec.Tags["costcenter"] != want || o.Spec.Tags["old"] != "" {
					t.Errorf("Run() = %v, %v; want costcenter %q", o.Spec.Tags, err, want)
				}
			})
		})
	}
}

// The same parameter error ends the work only where waiting cannot help.
func TestScenario_B40_TrustIsRetriedAndQuotaIsNot(t *testing.T) {
	const trust = "Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal"
	tests := map[string]struct {
		code, message string
		succeeds      bool
	}{
		"the trust of a fresh role": {"InvalidParameterException", trust, true},
		"another parameter":         {"InvalidParameterException", "no", false},
		"the quota":                 {"ResourceLimitExceededException", "Fargate Profile limit exceeded for cluster.", false},
		"in use":                    {"ResourceInUseException", "words of the future", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: tt.code, Message: tt.message, Count: 3})
				_, err := lifecycle.New(c.EKS()).Run(t.Context(), oldSpec(c))
				if (err == nil) != tt.succeeds {
					t.Errorf("Run() = %v, want success: %v", err, tt.succeeds)
				}
				if n := c.CallCount("CreateFargateProfile"); !tt.succeeds && n != 1 {
					t.Errorf("%d creates, want one", n)
				}
			})
		})
	}
}

func TestScenario_B20_TheDeleteNamesThePodsThatEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		runPods(t, c)
		var named []string
		r := lifecycle.New(c.EKS(), withPods(c), func(o *lifecycle.Options) {
			o.Progress = func(_ context.Context, p lifecycle.Progress) {
				for _, w := range p.Outcome.Warnings {
					named = append(named, w.Pods...)
				}
			}
		})
		if err := r.Delete(t.Context(), oldSpec(c)); err != nil || !slices.Equal(named, []string{"web/one", "web/two"}) {
			t.Errorf("Delete() = %v, and the pods named are %v", err, named)
		}
	})
}
