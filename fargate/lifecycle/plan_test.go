// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

func TestPlanAndApply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "old", "old") })(t, c)
		r := lifecycle.New(c.EKS())
		p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{
			Cluster: "demo", Desired: []fargate.Desired{desired(c, "b", "b"), desired(c, "a", "a")},
			Prune: true, Owner: fargate.Owner{ID: me},
		})
		if err != nil {
			t.Fatal(err)
		}
		report, err := r.Apply(t.Context(), p)
		if err != nil || len(report.Results) != 3 {
			t.Fatalf("Apply() = %+v, %v", report, err)
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("profiles = %v", got)
		}
		again, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Desired: p.Desired})
		if err != nil || again.HasChanges() {
			t.Errorf("a plan after the plan = %+v, %v", again.Steps, err)
		}
	})
}

func TestAStalePlanIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "web", "web") })(t, c)
		r := lifecycle.New(c.EKS())
		p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{desired(c, "api", "api")}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.EKS().TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: aws.String(p.Observed[0].ARN), Tags: map[string]string{"by": "hand"}}); err != nil {
			t.Fatal(err)
		}
		_, err = r.Apply(t.Context(), p)
		stale, ok := errors.AsType[*lifecycle.StalePlanError](err)
		if !ok || !slices.Equal(stale.Changes, []string{"profile web has another set of tags"}) {
			t.Errorf("Apply() = %v", err)
		}
		edited := p
		edited.Desired = []fargate.Desired{desired(c, "api", "api")}
		edited.Desired[0].Spec.ClusterName = "other"
		if _, err := r.Apply(t.Context(), edited); err == nil || !strings.Contains(err.Error(), "the plan is for cluster demo") {
			t.Errorf("Apply() of a plan that reaches into another cluster = %v", err)
		}
		p.Version = 99
		if _, err := r.Apply(t.Context(), p); err == nil {
			t.Error("a plan of an unknown version was applied")
		}
	})
}
