// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// The generation rises between S0 and S1, so that the successor bears a newer one.
func TestTeardownInTheMiddleOfAReplacementOfTwoGenerations(t *testing.T) {
	generation := func(n int64) func(*fargate.Desired) { return func(d *fargate.Desired) { d.Generation = n } }
	first := with(oldSpec, generation(1))
	second := with(with(first, selects("web", "api")), generation(2))
	third := with(second, generation(3))
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		until(first, second, fargate.ReasonNamingSuccessor)(t, c)
		r := lifecycle.New(c.EKS())
		for out := (lifecycle.Outcome{}); out.Reason != fargate.ReasonCreatingSuccessor; {
			var err error
			if out, err = r.Step(t.Context(), third(c), out.Memory); err != nil || out.Action == fargate.ActionBlocked {
				t.Fatalf("start: %+v, %v", out, err)
			}
			time.Sleep(out.RequeueAfter)
		}
		if _, err := r.Teardown(t.Context(), "demo", fargate.Owner{ID: me}, fargate.Policy{}); err != nil {
			t.Error(err)
		}
		if got := names(t, c.EKS()); len(got) != 0 {
			t.Errorf("profiles left: %v", got)
		}
	})
}

// retired counts the roles that it was asked to retire.
type retired struct {
	lifecycle.Roles
	names []string
}

func (r *retired) Retire(_ context.Context, d fargate.Desired) (fargate.Role, error) {
	if d.Spec.PodExecutionRoleARN == "" { // a role that a spec names is the caller's own
		r.names = append(r.names, d.Spec.Name)
	}
	return fargate.Role{}, nil
}

func TestTeardownRetiresTheRolesThatTheLibraryMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		roles := &retired{}
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles = roles })
		if _, err := r.Teardown(t.Context(), "demo", fargate.Owner{ID: me}, fargate.Policy{}); err != nil {
			t.Fatal(err)
		}
		if len(roles.names) != 1 || roles.names[0] != "web" {
			t.Errorf("roles retired: %v, want that of web", roles.names)
		}
	})
}

// Nothing of a cluster outlives it: to tear down what is gone is done.
func TestScenario_B79_TeardownOfAClusterThatIsGone(t *testing.T) {
	c := fake.New()
	report, err := lifecycle.New(c.EKS()).Teardown(t.Context(), "gone", fargate.Owner{ID: me}, fargate.Policy{})
	if err != nil || len(report.Results) != 0 {
		t.Errorf("Teardown() = %+v, %v", report, err)
	}
}

func TestATeardownThatIsNotValidCallsNothing(t *testing.T) {
	tests := map[string]struct {
		cluster string
		owner   fargate.Owner
		policy  fargate.Policy
		field   string
	}{
		"no owner":               {"demo", fargate.Owner{}, fargate.Policy{}, "owner.id"},
		"no cluster":             {"", fargate.Owner{ID: me}, fargate.Policy{}, "spec.clusterName"},
		"a deletion of no sense": {"demo", fargate.Owner{ID: me}, fargate.Policy{Deletion: "perhaps"}, "policy.deletion"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			_, err := lifecycle.New(c.EKS()).Teardown(t.Context(), tt.cluster, tt.owner, tt.policy)
			e, failed := errors.AsType[*lifecycle.Error](err)
			invalid, ok := errors.AsType[*fargate.ValidationError](err)
			if !failed || e.Op != "validation" || !ok || len(invalid.Errors) != 1 || invalid.Errors[0].Field != tt.field || invalid.Profile != "" {
				t.Errorf("Teardown() = %v, want a fault of %s and no profile", err, tt.field)
			}
			if n := c.CallCount(); n != 0 {
				t.Errorf("%d calls", n)
			}
		})
	}
}
