// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// placedPods shows the pods of a cluster of the fake as a caller would list them.
func placedPods(c *fake.Cloud, cluster string) []selector.Placed {
	var out []selector.Placed
	for _, p := range c.Pods() {
		if p.Cluster != cluster {
			continue
		}
		out = append(out, selector.Placed{
			Pod:       selector.Pod{Namespace: p.Namespace, Name: p.Name, Labels: p.Labels, Annotations: p.Annotations},
			Scheduler: p.Scheduler, Node: p.Node, Profile: p.Profile, Created: p.Created,
			Template: &selector.Pod{Namespace: p.Template.Namespace, Name: p.Template.Name, Labels: p.Template.Labels, Annotations: p.Template.Annotations},
		})
	}
	return out
}

// withPods shows the pods to the reconciler, and moves them away when that is what
// it waits for.
func withPods(c *fake.Cloud) func(*lifecycle.Options) {
	return func(o *lifecycle.Options) {
		o.Pods = func(_ context.Context, cluster string) ([]selector.Placed, error) { return placedPods(c, cluster), nil }
		o.Progress = func(_ context.Context, p lifecycle.Progress) { moveAway(c, p.Outcome) }
	}
}

func drainedSpec(c *fake.Cloud) fargate.Desired {
	d := oldSpec(c)
	d.Policy.Drain = fargate.DrainConfirmed
	return d
}

// runPods makes pods that every version of the profile selects.
func runPods(t *testing.T, c *fake.Cloud) {
	t.Helper()
	for _, name := range []string{"one", "two"} {
		if slices.ContainsFunc(c.Pods(), func(p fake.PodStatus) bool { return p.Template.Name == name }) {
			continue
		}
		if _, err := c.RunPod(fake.Pod{Namespace: "web", Name: name}); err != nil {
			t.Fatal(err)
		}
	}
}

// moveAway does what an operator does at a closed gate: the pods of the profile are
// made again, so that EKS gives them to the successor. One that comes back to the
// same profile, or would be matched by none, is ended by its owner.
func moveAway(c *fake.Cloud, out lifecycle.Outcome) {
	if out.Reason != fargate.ReasonDrainNotConfirmed {
		return
	}
	for _, p := range c.Pods() {
		if p.Profile != out.Profile {
			continue
		}
		if again, err := c.RecreatePod(p.Pod); err == nil && again.Profile == out.Profile {
			c.DeletePod(again.Pod)
		}
	}
}

// checkPods looks whether the drain gate kept the pods.
func checkPods(t *testing.T, c *fake.Cloud, tt killCase) {
	t.Helper()
	if tt.left == 0 || tt.reach(c).Policy.Drain != fargate.DrainConfirmed {
		return
	}
	if n := c.PodStats("demo").EndedByProfiles; n > 0 {
		t.Errorf("%d pods were ended by a replacement behind a drain gate\n%s", n, journal(c))
	}
}

// watchNewPods makes a pod at each tick and after each call until stop is called,
// and tells which of them matched nothing.
func watchNewPods(t *testing.T, c *fake.Cloud, namespace string) (hook func(*lifecycle.Options), stop func() (made int, unmatched []string)) {
	t.Helper()
	var mu sync.Mutex // ticks and calls can come at once
	var unmatched []string
	made := 0
	makeOne := func(when string) {
		mu.Lock()
		defer mu.Unlock()
		made++
		p, err := c.RunPod(fake.Pod{Namespace: namespace, Name: fmt.Sprint("tick-", made)})
		if err != nil {
			t.Error(err)
		}
		if p.Profile == "" {
			unmatched = append(unmatched, fmt.Sprintf("%s at %s, %s", p.Name, c.Now().Format(time.TimeOnly), when))
		}
		c.DeletePod(p.Pod)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				makeOne("at a tick")
			}
		}
	}()
	hook = func(o *lifecycle.Options) {
		o.Hooks.Call = func(_ context.Context, i lifecycle.CallInfo) { makeOne("after " + i.Operation) }
	}
	return hook, func() (int, []string) { close(done); <-ended; return made, unmatched }
}

// TestCreateFirstLeavesNoNewPodUnmatched makes pods at every moment of a
// replacement, and of each way back: as long as old and new selectors both cover
// them, one of the two takes them.
func TestCreateFirstLeavesNoNewPodUnmatched(t *testing.T) {
	for name, tt := range killCases(oldSpec) {
		if !coversAllTheTime(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				tt.start(t, c)
				hook, stop := watchNewPods(t, c, "web")
				_, err := lifecycle.New(c.EKS(), hook).Run(t.Context(), tt.reach(c))
				made, unmatched := stop()
				if err != nil || made < 10 || len(unmatched) > 0 {
					t.Errorf("Run() = %v; of %d pods were unmatched: %v\n%s", err, made, unmatched, journal(c))
				}
			})
		})
	}
}

// coversAllTheTime leaves out the ways that begin or end without a profile, and
// those on which nothing is replaced, or is by delete-first.
func coversAllTheTime(name string) bool {
	return !slices.Contains([]string{
		"create", "create under a pinned name", "create after a failed create", "change and remove tags", "replace delete-first",
		"delete", "delete in S0", "delete in S2", "delete in S4", "delete though it fails once",
		"delete-first to a third spec in S2",
	}, name)
}

// The watch itself must see a gap: a delete-first replacement has one.
func TestDeleteFirstLeavesNewPodsUnmatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		tt := killCases(oldSpec)["replace delete-first"]
		tt.start(t, c)
		hook, stop := watchNewPods(t, c, "web")
		_, err := lifecycle.New(c.EKS(), hook).Run(t.Context(), with(tt.reach, selects("web", "api"))(c))
		if _, unmatched := stop(); err != nil || len(unmatched) == 0 {
			t.Errorf("Run() = %v and no pod was unmatched", err)
		}
	})
}

// Without pods to look at, the gate opens only for what the caller names.
func TestDrainGateOpensByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(drainedSpec)(t, c)
		runPods(t, c)
		newer := with(drainedSpec, selects("web", "api"))(c)
		old := c.Pods()[0].Profile
		r := lifecycle.New(c.EKS())
		var mem fargate.Memory
		var out lifecycle.Outcome
		step := func() {
			t.Helper()
			var err error
			if out, err = r.Step(t.Context(), newer, mem); err != nil {
				t.Fatal(err)
			}
			mem = out.Memory
			time.Sleep(out.RequeueAfter)
		}
		for range 200 {
			step()
		}
		if out.Reason != fargate.ReasonDrainNotConfirmed || out.Profile != old || c.CallCount("DeleteFargateProfile") > 0 {
			t.Fatalf("the gate of %s: %s about %s", old, out.Reason, out.Profile)
		}
		newer.Drained = []string{"another"}
		if step(); out.Reason != fargate.ReasonDrainNotConfirmed {
			t.Errorf("the name of another profile opens the gate: %s", out.Reason)
		}
		moveAway(c, out)
		newer.Drained = []string{old}
		for !out.Settled {
			step()
		}
		if n := c.PodStats("demo").EndedByProfiles; n > 0 || len(c.Pods()) != 2 {
			t.Errorf("%d pods were ended, %d are left of 2", n, len(c.Pods()))
		}
	})
}

// Without a gate the pods end: what the gate is for.
func TestWithoutADrainGatePodsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		runPods(t, c)
		var warned []string
		r := lifecycle.New(c.EKS(), withPods(c), func(o *lifecycle.Options) {
			o.Progress = func(_ context.Context, p lifecycle.Progress) {
				for _, w := range p.Outcome.Warnings {
					if w.Code == fargate.WarningPodsEnd && p.Outcome.Reason == fargate.ReasonDeletingPredecessor {
						warned = w.Pods
					}
				}
			}
		})
		if _, err := r.Run(t.Context(), with(oldSpec, selects("web", "api"))(c)); err != nil {
			t.Fatal(err)
		}
		if n := c.PodStats("demo").EndedByProfiles; n != 2 || !slices.Equal(warned, []string{"web/one", "web/two"}) {
			t.Errorf("%d pods were ended, and the warning named %v", n, warned)
		}
	})
}
