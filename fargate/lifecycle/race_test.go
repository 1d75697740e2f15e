// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// Two reconcilers run on one profile at once, from every start of the kill test,
// with policies that disagree. Whatever they do to each other, what both want is
// there in the end, once, and nothing is left over.
func TestTwoPoliciesOnOneProfile(t *testing.T) {
	newer := with(oldSpec, selects("web", "api"))
	policies := map[string]fargate.Policy{
		"create-first": {Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived},
		"delete-first": {Replacement: fargate.ReplacementDeleteFirst, Name: fargate.NameDerived},
		"forbid":       {Name: fargate.NameDerived},
	}
	for first, a := range policies {
		for second, b := range policies {
			if first == "forbid" && second == "forbid" {
				continue // nobody replaces
			}
			for start, tt := range killCases(oldSpec) {
				if tt.reach == nil {
					continue
				}
				t.Run(fmt.Sprintf("%s and %s from %s", first, second, start), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						c := fake.New(quick)
						before := addForeign(t, c)
						tt.start(t, c)
						var wait sync.WaitGroup
						for i, p := range []fargate.Policy{a, b} {
							d := newer(c)
							d.Policy = p
							wait.Go(func() {
								time.Sleep(time.Duration(i) * 700 * time.Millisecond)
								_, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
								blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
								if forbidden := ok && blocked.Outcome.Reason == fargate.ReasonReplacementForbidden && p.Replacement == ""; err != nil && !forbidden {
									t.Errorf("under %q: %v\n%s", p.Replacement, err, journal(c))
								}
							})
						}
						wait.Wait()
						checkSettled(t, c, killCase{reach: newer, left: 1}, "two policies")
						if after := tagsOf(t, c, foreignProfile); len(after) != len(before) {
							t.Errorf("the foreign profile had the tags %v, and now %v", before, after)
						}
					})
				})
			}
		}
	}
}

// The older of two generations stops as soon as the newer one has written.
func TestTwoGenerationsOnOneProfile(t *testing.T) {
	for name, tt := range killCases(oldSpec) {
		if tt.reach == nil {
			continue
		}
		t.Run("from "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				tt.start(t, c)
				older, newer := with(oldSpec, selects("web", "cron"))(c), with(oldSpec, selects("web", "api"))(c)
				older.Generation, newer.Generation = 7, 8
				var wait sync.WaitGroup
				wait.Go(func() {
					_, err := lifecycle.New(c.EKS()).Run(t.Context(), older)
					blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
					if err != nil && (!ok || blocked.Outcome.Reason != fargate.ReasonStaleDesired) {
						t.Errorf("the older generation: %v", err)
					}
				})
				wait.Go(func() {
					time.Sleep(5 * time.Second)
					if _, err := lifecycle.New(c.EKS()).Run(t.Context(), newer); err != nil {
						t.Errorf("the newer generation: %v\n%s", err, journal(c))
					}
				})
				wait.Wait()
				checkSettled(t, c, killCase{reach: func(*fake.Cloud) fargate.Desired { return newer }, left: 1}, "two generations")
				out, err := lifecycle.New(c.EKS()).Step(t.Context(), older, fargate.Memory{})
				if err != nil || out.Reason != fargate.ReasonStaleDesired {
					t.Errorf("the older generation afterwards: %s, %v", out.Reason, err)
				}
			})
		})
	}
}

// A stale writer can make its successor in the very moment in which the newer one
// forgets that peer. The newer one must look once more.
func TestASuccessorThatComesWhileItsMarkIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		older := with(oldSpec, selects("web", "cron"))
		until(oldSpec, older, fargate.ReasonNamingSuccessor)(t, c)
		kept := names(t, c.EKS())
		c.Before(5, func() { // right before the mark is removed
			out, err := lifecycle.New(c.EKS()).Step(t.Context(), older(c), fargate.Memory{})
			if err != nil || out.Reason != fargate.ReasonCreatingSuccessor {
				t.Errorf("the older writer: %s, %v", out.Reason, err)
			}
		})
		if _, err := lifecycle.New(c.EKS()).Run(t.Context(), oldSpec(c)); err != nil {
			t.Fatal(err)
		}
		if got := names(t, c.EKS()); len(got) != 1 || got[0] != kept[0] {
			t.Errorf("profiles = %v, want %v\n%s", got, kept, journal(c))
		}
	})
}
