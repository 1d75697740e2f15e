// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// late lets a writer of the second find nothing, and make its profile only after a
// writer of the first has made another one, which has become ACTIVE and settled. The
// reply is lost with the writer.
func late(first, second func(*fake.Cloud) fargate.Desired) func(*testing.T, *fake.Cloud) {
	return func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		before := len(names(t, c.EKS()))
		c.Before(3, func() { settle(first)(t, c) }) // right before the create
		out, err := lifecycle.New(c.EKS()).Step(t.Context(), second(c), fargate.Memory{})
		if err != nil || out.Reason != fargate.ReasonAbsent {
			t.Fatalf("start: %s, %v", out.Reason, err)
		}
		if got := names(t, c.EKS()); len(got) != before+2 {
			t.Fatalf("start: profiles %v, want a twin", got)
		}
	}
}

// twinCases are the ways in which two writers that disagree leave two profiles, of
// which no mark leads to the other.
func twinCases(oldSpec func(*fake.Cloud) fargate.Desired) map[string]killCase {
	pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{Drain: d.Policy.Drain} })
	deleteFirst := with(pinned, func(d *fargate.Desired) { d.Policy.Replacement = fargate.ReplacementDeleteFirst })
	newSpec := with(oldSpec, selects("web", "api"))
	return map[string]killCase{
		"a derived name beside a plain one":              {late(pinned, oldSpec), oldSpec, 1},
		"a derived name beside a plain one, replaced":    {late(pinned, oldSpec), newSpec, 1},
		"a derived name beside another version's":        {late(newSpec, oldSpec), oldSpec, 1},
		"the same, and the other version stays":          {late(newSpec, oldSpec), newSpec, 1},
		"a plain name beside a derived one":              {late(oldSpec, pinned), pinned, 1},
		"the same, with the other policy":                {late(oldSpec, pinned), oldSpec, 1},
		"a plain name beside a derived one, another one": {late(newSpec, deleteFirst), deleteFirst, 1},
		"a derived name beside a plain one, undesired":   {late(pinned, oldSpec), nil, 0},
		"a plain name beside a derived one, undesired":   {late(oldSpec, pinned), nil, 0},
	}
}

// A writer that finds nothing can be held up until another one has made a profile
// under another name. Whoever made the late one, or comes after it with an empty
// memory, finds the twin, wherever it is stopped.
func TestKillBesideATwin(t *testing.T) { killEverywhere(t, twinCases(oldSpec)) }

// TestKillBesideATwinWithDrainGate is the same with pods.
func TestKillBesideATwinWithDrainGate(t *testing.T) { killEverywhere(t, twinCases(drainedSpec)) }

// The writer that has settled on one of the twins keeps to its one call; the late one
// settles the matter for both.
func TestTheLateWriterSettlesTheTwin(t *testing.T) {
	pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{} })
	for name, second := range map[string]func(*fake.Cloud) fargate.Desired{"under its derived name": oldSpec, "under its plain name": pinned} {
		first := map[bool]func(*fake.Cloud) fargate.Desired{true: pinned, false: oldSpec}[name == "under its derived name"]
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				var settled fargate.Memory
				c.Before(3, func() {
					settle(first)(t, c)
					out, err := lifecycle.New(c.EKS()).Step(t.Context(), first(c), fargate.Memory{})
					if err != nil || !out.Settled {
						t.Errorf("the first writer: %s, %v", out.Reason, err)
					}
					settled = out.Memory
				})
				left, err := lifecycle.New(c.EKS()).Run(t.Context(), second(c))
				if err != nil {
					t.Fatal(err)
				}
				if got := names(t, c.EKS()); !slices.Equal(got, []string{left.Spec.Name}) {
					t.Errorf("profiles = %v, want %s alone\n%s", got, left.Spec.Name, journal(c))
				}
				out, err := lifecycle.New(c.EKS()).Step(t.Context(), first(c), settled)
				if err != nil || !out.Settled || out.Observed.Spec.Name != left.Spec.Name {
					t.Errorf("the first writer afterwards: %s, %v", out.Reason, err)
				}
			})
		})
	}
}

// The step that confirms a creation settles it, with the mark gone from what it
// returns. Where EKS refuses to remove the mark, nothing is settled.
func TestTheStepThatConfirmsSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS())
		created, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{})
		if err != nil || created.Observed.Spec.Tags[peerMark] != created.Observed.Spec.Name || created.Settled {
			t.Fatalf("Step() = %+v, %v, want a profile with the mark of a new one", created, err)
		}
		time.Sleep(time.Hour)
		c.Deny("eks:UntagResource")
		if out, err := r.Step(t.Context(), oldSpec(c), created.Memory); err != nil || out.Reason != fargate.ReasonAccessDenied || out.Settled {
			t.Errorf("Step() = %s, settled %v, %v, where the mark may not be removed", out.Reason, out.Settled, err)
		}
		c.ClearFaults()
		out, err := r.Step(t.Context(), oldSpec(c), created.Memory)
		if err != nil || out.Reason != fargate.ReasonConfirming || !out.Settled || out.Observed.Spec.Tags[peerMark] != "" {
			t.Errorf("Step() = %s, settled %v, %v; observed %v", out.Reason, out.Settled, err, out.Observed.Spec.Tags)
		}
		if again, err := r.Step(t.Context(), oldSpec(c), out.Memory); err != nil || again.Reason != fargate.ReasonInSync || !again.Settled {
			t.Errorf("Step() = %s, settled %v, %v", again.Reason, again.Settled, err)
		}
	})
}
