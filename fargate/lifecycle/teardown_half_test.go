// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// A teardown finds both halves of a replacement, whatever its state.
func TestTeardownOfHalfReplacedProfiles(t *testing.T) {
	for name, tt := range killCases(oldSpec) {
		t.Run("in "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				addForeign(t, c)
				tt.start(t, c)
				owner := oldSpec(c).Owner
				report, err := lifecycle.New(c.EKS()).Teardown(t.Context(), "demo", owner, fargate.Policy{})
				if err != nil || len(report.Results) > 1 {
					t.Errorf("Teardown() = %+v, %v", report, err)
				}
				if got := names(t, c.EKS()); !slices.Equal(got, []string{foreignProfile}) {
					t.Errorf("profiles left: %v", got)
				}
			})
		})
	}
}

// One profile that cannot go does not keep the others.
func TestTeardownGoesOnAfterAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), five(c)); err != nil {
			t.Fatal(err)
		}
		c.Inject(fake.Fault{Operation: "DeleteFargateProfile", Target: fake.Target{Profile: "fp-2"}, Count: -1, Code: "AccessDeniedException", Message: "no"})
		report, err := lifecycle.New(c.EKS()).Teardown(t.Context(), "demo", fargate.Owner{ID: me}, fargate.Policy{})
		if failed := report.Failed(); err == nil || len(report.Results) != 5 || len(failed) != 1 || failed[0].Profile != "fp-2" {
			t.Errorf("Teardown() = %+v, %v", report, err)
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{"fp-2"}) {
			t.Errorf("profiles left: %v", got)
		}
	})
}

func TestScenario_B12_TheClusterGoesAfterItsProfiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		remove := func() error {
			_, err := c.EKS().DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("demo")})
			return err
		}
		if err := remove(); err == nil {
			t.Fatal("the cluster went with its profiles in it")
		}
		if _, err := lifecycle.New(c.EKS()).Teardown(t.Context(), "demo", oldSpec(c).Owner, fargate.Policy{}); err != nil {
			t.Fatal(err)
		}
		if err := remove(); err != nil {
			t.Errorf("the cluster stays after its profiles: %v", err)
		}
	})
}

// An apply that fails midway says what it did, and deletes nothing after an error.
func TestApplyThatFailsMidway(t *testing.T) {
	plan := func(t *testing.T, c *fake.Cloud) (*lifecycle.Reconciler, fargate.Plan) {
		t.Helper()
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "old", "old") })(t, c)
		r := lifecycle.New(c.EKS())
		p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{
			Cluster: "demo", Desired: []fargate.Desired{desired(c, "a", "a"), desired(c, "b", "b")}, Prune: true, Owner: fargate.Owner{ID: me},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, p
	}
	tests := map[string]struct {
		fault fake.Fault
		fails []string
		left  []string
	}{
		"at a create": {fake.Fault{Operation: "CreateFargateProfile", Code: "AccessDeniedException", Message: "no"}, []string{"a"}, []string{"b", "old"}},
		"at a delete": {fake.Fault{Operation: "DeleteFargateProfile", Code: "AccessDeniedException", Message: "no"}, []string{"old"}, []string{"a", "b", "old"}},
		"at the list": {fake.Fault{Operation: "ListFargateProfiles", Code: "AccessDeniedException", Message: "no"}, nil, []string{"old"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				r, p := plan(t, c)
				c.Inject(tt.fault)
				report, err := r.Apply(t.Context(), p)
				var failed []string
				for _, x := range report.Failed() {
					failed = append(failed, x.Profile)
				}
				if lifecycle.Classify(err).Kind != "Denied" || !slices.Equal(failed, tt.fails) {
					t.Errorf("Apply() = %+v, %v; want a failure of %v", report, err, tt.fails)
				}
				if got := names(t, c.EKS()); !slices.Equal(got, tt.left) {
					t.Errorf("profiles = %v, want %v", got, tt.left)
				}
			})
		})
	}
}

func TestPlanClusterThatCannotBe(t *testing.T) {
	c := fake.New()
	r := lifecycle.New(c.EKS())
	invalid := desired(c, "eks-web", "web")
	if _, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{invalid}}); err == nil {
		t.Error("an invalid profile was planned")
	} else if _, ok := errors.AsType[*fargate.ValidationError](err); !ok {
		t.Errorf("PlanCluster() = %v", err)
	}
	if _, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "gone"}); lifecycle.Classify(err).Kind != "ClusterNotFound" {
		t.Errorf("PlanCluster() = %v", err)
	}
}
