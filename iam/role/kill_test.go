// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// killCase is a start, what a process that is killed tries to reach, and what the
// next one with an empty memory tries.
type killCase struct {
	start     func(*testing.T, *fake.Cloud)
	mortal    deed
	successor deed
	// left is how many profiles and roles of ours there are in the end.
	left int
}

// deed runs to a desired state within an hour.
type deed func(ctx context.Context, c *fake.Cloud) error

func create(ctx context.Context, c *fake.Cloud) error {
	_, err := rich(c).Run(ctx, desiredProfile("web"))
	return err
}

func remove(ctx context.Context, c *fake.Cloud) error {
	return rich(c).Delete(ctx, desiredProfile("web"))
}

// rich makes roles with something of everything.
func rich(c *fake.Cloud) *lifecycle.Reconciler {
	return newReconciler(c, withInline, func(o *role.Options) {
		o.Role.ManagedPolicies = []string{"arn:aws:iam::111122223333:policy/logs"}
		o.Role.PermissionsBoundary = "arn:aws:iam::111122223333:policy/boundary"
		o.Role.Description, o.Role.MaxSession = "pods of demo", 2*time.Hour
		o.Role.Tags = map[string]string{"team": "x"}
	})
}

func killCases() map[string]killCase {
	nothing := func(*testing.T, *fake.Cloud) {}
	made := func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		if err := create(within(t, time.Hour), c); err != nil {
			t.Fatalf("start: %v", err)
		}
		time.Sleep(time.Minute)
	}
	bare := func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		addRole(t, c, desiredRole().RoleName(), nodeTrust, true)
		tag(t, c, desiredRole().RoleName(), iam.DeletingTag, "2026-01-01T00:00:00Z")
	}
	return map[string]killCase{
		"create":                           {nothing, create, create, 1},
		"mend and create":                  {bare, create, create, 1},
		"create, and the next one deletes": {nothing, create, remove, 0},
		"delete":                           {made, remove, remove, 0},
		"delete, and the next one creates": {made, remove, create, 1},
	}
}

// TestKill stops a process at each of its calls, before the effect and before the
// reply, and lets a new one with an empty memory go on: nothing is made twice,
// nothing is left over and nothing foreign is touched.
func TestKill(t *testing.T) {
	for name, tt := range killCases() {
		t.Run(name, func(t *testing.T) {
			total := killAt(t, tt, 0, fake.BeforeEffect)
			t.Logf("%d calls", total)
			if total < 10 {
				t.Fatalf("%d calls were made: little was tested", total)
			}
			for at := 1; at <= total; at++ {
				killAt(t, tt, at, fake.BeforeEffect)
				killAt(t, tt, at, fake.AfterEffect)
			}
		})
	}
}

const foreign = "fargate-demo-foreign"

// killAt runs one case with one death and returns how many calls the mortal made.
func killAt(t *testing.T, tt killCase, at int, moment fake.KillMoment) (made int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(func(o *fake.Options) { quick(o); o.PageSize, o.EmptyFirstPage = 0, false })
		addPolicy(t, c, "logs")
		addPolicy(t, c, "boundary")
		before := addForeign(t, c)
		tt.start(t, c)
		c.ForgetCalls()
		ctx := within(t, time.Hour)
		if at > 0 {
			ctx = fake.KillAt(ctx, at, moment)
		}
		err := tt.mortal(ctx, c)
		made = c.CallCount()
		when := fmt.Sprintf("killed at call %d %s the effect", at, moment)
		if at > 0 && !errors.Is(context.Cause(ctx), fake.ErrKilled) {
			t.Fatalf("%s: the process ended with %v", when, err)
		}
		if err := tt.successor(within(t, time.Hour), c); err != nil {
			t.Fatalf("%s: %v\n%s", when, err, journal(c))
		}
		if got := profiles(t, c); len(got) != tt.left {
			t.Fatalf("%s: profiles %v, want %d\n%s", when, got, tt.left, journal(c))
		}
		if diff := cmp.Diff(before, snapshot(t, c, foreign)); diff != "" {
			t.Errorf("%s: the foreign role changed (-before +after):\n%s", when, diff)
		}
		checkRoles(t, c, tt.left, when)
	})
	return made
}

func checkRoles(t *testing.T, c *fake.Cloud, want int, when string) {
	t.Helper()
	names := rolesOfOurs(t, c)
	if len(names) != want {
		t.Fatalf("%s: roles %v, want %d\n%s", when, names, want, journal(c))
	}
	for _, name := range names {
		o := observe(t, c, name)
		if _, deleting := o.tags()[iam.DeletingTag]; deleting || len(o.policies) != 2 || len(o.inline) != 1 {
			t.Errorf("%s: the role is left with %v, %v and %v", when, o.tags(), o.policies, o.inline)
		}
	}
}

// addForeign makes a role of somebody else that looks like one of ours.
func addForeign(t *testing.T, c *fake.Cloud) []string {
	t.Helper()
	addRole(t, c, foreign, fake.PodTrust, false, managed)
	tag(t, c, foreign, otherMark, otherOwner)
	putInline(t, c, foreign, "theirs")
	return snapshot(t, c, foreign)
}

// snapshot is all that can be changed about a role.
func snapshot(t *testing.T, c *fake.Cloud, name string) []string {
	t.Helper()
	o := observe(t, c, name)
	if o == nil {
		return nil
	}
	return append([]string{*o.Role.RoleId, *o.Role.AssumeRolePolicyDocument, fmt.Sprint(o.tags())}, slices.Concat(o.policies, o.inline)...)
}

func TestTwoWritersOfOneRoleSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		both(t, func(name string) error {
			_, err := newReconciler(c).Run(within(t, time.Hour), desiredProfile(name))
			return err
		})
		if got := rolesOfOurs(t, c); len(got) != 1 || len(profiles(t, c)) != 2 {
			t.Fatalf("roles %v, profiles %v", got, profiles(t, c))
		}
		both(t, func(name string) error { return newReconciler(c).Delete(within(t, time.Hour), desiredProfile(name)) })
		if got := rolesOfOurs(t, c); len(got) > 0 || len(profiles(t, c)) > 0 {
			t.Errorf("left: roles %v, profiles %v", got, profiles(t, c))
		}
	})
}

// both does something for two profiles at once.
func both(t *testing.T, do func(name string) error) {
	t.Helper()
	errs := make(chan error)
	for _, name := range []string{"fp-a", "fp-b"} {
		go func() { errs <- do(name) }()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// TestARoleThatIsWantedAgainWhileItIsDeleted lets a second writer make a profile,
// with all that it takes, between any two calls of the deletion of the role.
func TestARoleThatIsWantedAgainWhileItIsDeleted(t *testing.T) {
	total := wantedAt(t, 0)
	if total < 10 {
		t.Fatalf("%d calls", total)
	}
	for at := 1; at <= total; at++ {
		wantedAt(t, at)
	}
}

func wantedAt(t *testing.T, at int) (made int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "fp-a")
		c.ForgetCalls()
		if at > 0 {
			c.Before(at, func() {
				if _, err := newReconciler(c).Run(within(t, time.Hour), desiredProfile("fp-b")); err != nil {
					t.Errorf("the second writer, before call %d: %v", at, err)
				}
				time.Sleep(time.Minute)
			})
		}
		if err := newReconciler(c).Delete(within(t, time.Hour), desiredProfile("fp-a")); err != nil {
			t.Fatalf("the deletion, overtaken before call %d: %v\n%s", at, err, journal(c))
		}
		made = c.CallCount()
		if at == 0 {
			return
		}
		if got := profiles(t, c); !slices.Equal(got, []string{"fp-b"}) {
			t.Errorf("before call %d: profiles %v", at, got)
		}
		if got := rolesOfOurs(t, c); len(got) != 1 {
			t.Fatalf("before call %d: roles %v\n%s", at, got, journal(c))
		}
		o := observe(t, c, desiredRole().RoleName())
		if _, deleting := o.tags()[iam.DeletingTag]; deleting || !slices.Equal(o.policies, []string{managed}) {
			t.Errorf("before call %d: the role is left with %v and %v", at, o.tags(), o.policies)
		}
		if out, err := newReconciler(c).Step(t.Context(), desiredProfile("fp-b"), fargate.Memory{}); err != nil || !out.Settled {
			t.Errorf("before call %d: fp-b is %+v, %v", at, out, err)
		}
	})
	return made
}
