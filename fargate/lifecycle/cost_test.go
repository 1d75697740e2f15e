// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// callsBeside counts the calls of what do does, but for the looks at a profile in
// progress, of which there are as many as the caller likes.
func callsBeside(t *testing.T, c *fake.Cloud, do func()) map[string]int {
	t.Helper()
	c.ForgetCalls()
	do()
	counts := map[string]int{}
	for call := range c.Calls() {
		counts[call.Operation]++
	}
	return counts
}

// reachBySteps makes steps until the desired state is settled. It waits out what is in
// progress in one go, so that each state is looked at once.
func reachBySteps(t *testing.T, c *fake.Cloud, d fargate.Desired, mem fargate.Memory) fargate.Memory {
	t.Helper()
	r := lifecycle.New(c.EKS())
	for range 30 {
		out, err := r.Step(t.Context(), d, mem)
		if err != nil {
			t.Fatal(err)
		}
		if mem = out.Memory; out.Settled {
			return mem
		}
		time.Sleep(time.Minute)
	}
	t.Fatal("it does not settle")
	return mem
}

// The costs that docs/adr/0005 and docs/adr/0007 name, with two profiles of others in
// the cluster. No call is spent on what the caller knows.
func TestWhatCreatesAndReplacementsCost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		addForeign(t, c)
		settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "other", "other") })(t, c)
		edited := with(oldSpec, selects("web", "api"))
		var mem fargate.Memory
		costs := map[string]map[string]int{
			"create": callsBeside(t, c, func() { mem = reachBySteps(t, c, oldSpec(c), mem) }),
			"no-op":  callsBeside(t, c, func() { mem = reachBySteps(t, c, oldSpec(c), mem) }),
			"replacement": callsBeside(t, c, func() {
				mem = reachBySteps(t, c, edited(c), mem)
			}),
		}
		want := map[string]map[string]int{
			"create": {"DescribeFargateProfile": 2, "ListFargateProfiles": 2, "CreateFargateProfile": 1, "UntagResource": 1},
			"no-op":  {"DescribeFargateProfile": 1},
			"replacement": {
				"DescribeFargateProfile": 8 + 2*3, // S0 and S1 look at each of the three profiles of the cluster
				"ListFargateProfiles":    4, "TagResource": 1, "CreateFargateProfile": 1, "DeleteFargateProfile": 1, "UntagResource": 1,
			},
		}
		if diff := cmp.Diff(want, costs); diff != "" {
			t.Errorf("calls (-want +got):\n%s\n%s", diff, journal(c))
		}
	})
}
