// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
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

func TestAnInvalidPlanCallsNothing(t *testing.T) {
	c := fake.New()
	r := lifecycle.New(c.EKS())
	for name, in := range map[string]fargate.ClusterInput{
		"no cluster":         {},
		"an invalid profile": {Cluster: "demo", Desired: []fargate.Desired{desired(c, "eks-a", "a")}},
		"prune for nobody":   {Cluster: "demo", Prune: true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.PlanCluster(t.Context(), in)
			if _, ok := errors.AsType[*fargate.ValidationError](err); !ok || len(calls(c)) > 0 {
				t.Errorf("PlanCluster() = %v after the calls %v", err, calls(c))
			}
		})
	}
}

// looking is a role that can be looked at.
type looking struct {
	script
	role fargate.Role
	err  error
	at   []string
}

func (l *looking) Look(_ context.Context, _ fargate.Desired, profile string) (fargate.Role, error) {
	l.at = append(l.at, profile)
	return l.role, l.err
}

// The role is looked at under the name that the profile will have, once for each
// profile that is made, and it is not prepared.
func TestPlansAndPreviewsLookAtTheRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "old", "old") })(t, c)
		l := &looking{role: fargate.Role{Blocked: true, Message: "somebody else's"}}
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles = l })
		derived := desired(c, "new", "new")
		derived.Policy.Name = fargate.NameDerived
		in := fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{derived, desired(c, "old", "old")}}
		p, err := r.PlanCluster(t.Context(), in)
		if err != nil || len(p.Steps) != 1 || p.Steps[0].Reason != fargate.ReasonRoleBlocked || !strings.Contains(p.Steps[0].Message, "somebody else's") {
			t.Errorf("PlanCluster() = %+v, %v", p.Steps, err)
		}
		if len(l.at) != 1 || !strings.HasPrefix(l.at[0], "new-999-") || len(l.asked) > 0 {
			t.Errorf("looked at the role for %v and prepared it for %v", l.at, l.asked)
		}
		d, err := r.Preview(t.Context(), derived, fargate.Memory{})
		if err != nil || d.Reason != fargate.ReasonRoleBlocked || len(l.at) != 2 || l.at[1] != l.at[0] || len(l.asked) > 0 {
			t.Errorf("Preview() = %+v, %v after looking for %v", d, err, l.at)
		}
		l.err = errors.New("no IAM")
		for op, call := range map[string]func() error{
			"PlanCluster": func() error {
				p, err := r.PlanCluster(t.Context(), in)
				if len(p.Steps) > 0 {
					t.Errorf("PlanCluster() = %+v beside its error", p)
				}
				return err
			},
			"Preview": func() error { _, err := r.Preview(t.Context(), derived, fargate.Memory{}); return err },
		} {
			if e, ok := errors.AsType[*lifecycle.Error](call()); !ok || e.Op != "looking at the role" || e.Profile != "new" || !errors.Is(e, l.err) {
				t.Errorf("%s() = %v", op, e)
			}
		}
	})
}
