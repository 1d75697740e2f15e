// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// A released profile keeps its derived name: it is reported, and not created over
// and over again.
func TestAReleasedDerivedProfileIsReportedAndCanBeAdopted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		r := lifecycle.New(c.EKS())
		if err := r.Delete(t.Context(), with(oldSpec, func(d *fargate.Desired) { d.Policy.Deletion = fargate.DeletionRelease })(c)); err != nil {
			t.Fatal(err)
		}
		released := names(t, c.EKS())
		out, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{})
		if err != nil || out.Reason != fargate.ReasonUnowned {
			t.Fatalf("Step() = %s, %v", out.Reason, err)
		}
		adopted, err := r.Run(t.Context(), with(oldSpec, func(d *fargate.Desired) { d.Policy.Adoption = fargate.AdoptionWhenEqual })(c))
		if err != nil || !slices.Equal(names(t, c.EKS()), released) || adopted.Spec.Name != released[0] {
			t.Errorf("Run() = %s, %v; profiles %v, before %v", adopted.Spec.Name, err, names(t, c.EKS()), released)
		}
	})
}

// rolesByName records for which profile the role was prepared.
type rolesByName struct{ names []string }

func (r *rolesByName) Prepare(_ context.Context, _ fargate.Desired, profile string) (fargate.Role, error) {
	r.names = append(r.names, profile)
	return fargate.Role{Trust: fargate.TrustGiven}, nil
}

func (r *rolesByName) Retire(context.Context, fargate.Desired) (fargate.Role, error) {
	return fargate.Role{}, nil
}

func TestTheRoleIsPreparedForTheNameThatIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		before := names(t, c.EKS())[0]
		var roles rolesByName
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles = &roles })
		o, err := r.Run(t.Context(), with(oldSpec, selects("web", "api"))(c))
		if err != nil || slices.Contains(roles.names, before) || !slices.Contains(roles.names, o.Spec.Name) {
			t.Errorf("Run() = %s, %v; the role was prepared for %v", o.Spec.Name, err, roles.names)
		}
	})
}
