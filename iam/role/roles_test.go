// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
)

func TestAProfileWithARoleOfItsOwnFromCreateToGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := newReconciler(c)
		d := desiredProfile("web")
		made, err := r.Run(within(t, time.Hour), d)
		if err != nil {
			t.Fatalf("creating: %v\n%s", err, journal(c))
		}
		name := desiredRole().RoleName()
		if made.Spec.PodExecutionRoleARN != c.RoleARN(name) || made.Status != fargate.StatusActive {
			t.Fatalf("made %+v", made)
		}
		o := observe(t, c, name)
		if o == nil || !slices.Equal(o.policies, []string{managed}) {
			t.Fatalf("the role is %+v", o)
		}
		c.ForgetCalls()
		if err := r.Delete(within(t, time.Hour), d); err != nil {
			t.Fatalf("deleting: %v\n%s", err, journal(c))
		}
		if got := rolesOfOurs(t, c); len(got) > 0 || len(profiles(t, c)) > 0 {
			t.Errorf("left: roles %v, profiles %v", got, profiles(t, c))
		}
	})
}
