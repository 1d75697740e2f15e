// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

var errKilled = errors.New("the process was killed")

// mortal is an API whose caller dies at one of its calls: before the call, or
// after its effect and before the reply.
type mortal struct {
	lifecycle.API
	at    int // which call; 0 for none
	after bool
	made  int
}

// die counts a call and reports whether the caller is dead before it.
func (m *mortal) die() bool {
	m.made++
	return m.at > 0 && (m.made > m.at || m.made == m.at && !m.after)
}

func live[I, O any](ctx context.Context, m *mortal, do func(context.Context, *I, ...func(*eks.Options)) (*O, error), in *I) (*O, error) {
	if m.die() {
		return nil, errKilled
	}
	out, err := do(ctx, in)
	if m.made == m.at {
		return nil, errKilled
	}
	return out, err
}

func (m *mortal) CreateFargateProfile(ctx context.Context, in *eks.CreateFargateProfileInput, _ ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error) {
	return live(ctx, m, m.API.CreateFargateProfile, in)
}

func (m *mortal) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	return live(ctx, m, m.API.DescribeFargateProfile, in)
}

func (m *mortal) ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, _ ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return live(ctx, m, m.API.ListFargateProfiles, in)
}

func (m *mortal) DeleteFargateProfile(ctx context.Context, in *eks.DeleteFargateProfileInput, _ ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error) {
	return live(ctx, m, m.API.DeleteFargateProfile, in)
}

func (m *mortal) TagResource(ctx context.Context, in *eks.TagResourceInput, _ ...func(*eks.Options)) (*eks.TagResourceOutput, error) {
	return live(ctx, m, m.API.TagResource, in)
}

func (m *mortal) UntagResource(ctx context.Context, in *eks.UntagResourceInput, _ ...func(*eks.Options)) (*eks.UntagResourceOutput, error) {
	return live(ctx, m, m.API.UntagResource, in)
}

// killCase is a start, and a desired state to reach from there.
type killCase struct {
	// start brings the cloud into the state in which the mortal process begins.
	start func(t *testing.T, c *fake.Cloud)
	// reach is the desired state; nil stands for a deletion of the old spec.
	reach func(c *fake.Cloud) fargate.Desired
	// left is how many profiles of ours are there in the end.
	left int
}

const foreignProfile = "zz-foreign"

// quick shortens what the fake takes, so that a run has few calls.
func quick(o *fake.Options) {
	o.Delays = fake.Delays{
		CreateFirst: fake.Fixed(6 * time.Second), Create: fake.Fixed(6 * time.Second),
		Delete: fake.Fixed(6 * time.Second), Busy: fake.Fixed(time.Second),
	}
}

func oldSpec(c *fake.Cloud) fargate.Desired {
	d := desired(c, "web", "web")
	d.Spec.Tags = map[string]string{"team": "x", "old": "1"}
	d.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
	return d
}

func with(base func(*fake.Cloud) fargate.Desired, change func(*fargate.Desired)) func(*fake.Cloud) fargate.Desired {
	return func(c *fake.Cloud) fargate.Desired {
		d := base(c)
		change(&d)
		return d
	}
}

func selects(namespaces ...string) func(*fargate.Desired) {
	return func(d *fargate.Desired) {
		d.Spec.Selectors = nil
		for _, ns := range namespaces {
			d.Spec.Selectors = append(d.Spec.Selectors, selector.Selector{Namespace: ns})
		}
	}
}

func settle(d func(*fake.Cloud) fargate.Desired) func(*testing.T, *fake.Cloud) {
	return func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		if _, err := lifecycle.New(c.EKS()).Run(t.Context(), d(c)); err != nil {
			t.Fatalf("start: %v", err)
		}
		time.Sleep(time.Minute) // past the hidden update
	}
}

// until settles the first, then steps towards the second until a step has the
// reason.
func until(first, second func(*fake.Cloud) fargate.Desired, reason fargate.Reason) func(*testing.T, *fake.Cloud) {
	return func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		settle(first)(t, c)
		runPods(t, c)
		r := lifecycle.New(c.EKS(), withPods(c))
		var mem fargate.Memory
		for range 200 {
			out, err := r.Step(t.Context(), second(c), mem)
			if err != nil {
				t.Fatalf("start: %v", err)
			}
			mem = out.Memory
			if out.Reason == reason {
				return
			}
			moveAway(c, out)
			time.Sleep(out.RequeueAfter)
		}
		t.Fatalf("start: no step had the reason %s; last: %s", reason, mem.Reason)
	}
}

func then(starts ...func(*testing.T, *fake.Cloud)) func(*testing.T, *fake.Cloud) {
	return func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		for _, start := range starts {
			start(t, c)
		}
	}
}

// failsOnce makes the next change of that kind fail on its way.
func failsOnce(operation string) func(*testing.T, *fake.Cloud) {
	return func(t *testing.T, c *fake.Cloud) {
		t.Helper()
		c.Inject(fake.Fault{Operation: operation, Outcome: fake.FailAfter(3*time.Second, "InternalFailure", "try again")})
	}
}

// killCases are all ways from one state to another, from what oldSpec is like.
func killCases(oldSpec func(*fake.Cloud) fargate.Desired) map[string]killCase {
	newSpec := with(oldSpec, selects("web", "api"))
	thirdSpec := with(oldSpec, selects("web", "cron"))
	pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{Drain: d.Policy.Drain} })
	deleteFirst := func(d *fargate.Desired) {
		d.Policy = fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Drain: d.Policy.Drain}
	}
	nothing := func(*testing.T, *fake.Cloud) {}
	return map[string]killCase{
		"create":                                  {nothing, oldSpec, 1},
		"create under a pinned name":              {nothing, pinned, 1},
		"create after a failed create":            {failsOnce("CreateFargateProfile"), oldSpec, 1},
		"change and remove tags":                  {settle(oldSpec), with(oldSpec, func(d *fargate.Desired) { d.Spec.Tags = map[string]string{"team": "y", "new": "1"} }), 1},
		"replace delete-first":                    {settle(pinned), with(with(pinned, selects("api")), deleteFirst), 1},
		"replace create-first":                    {settle(oldSpec), newSpec, 1},
		"replace create-first from a plain name":  {settle(pinned), newSpec, 1},
		"replace though the successor fails once": {then(settle(oldSpec), failsOnce("CreateFargateProfile")), newSpec, 1},
		"replace though the first delete fails":   {then(settle(oldSpec), failsOnce("DeleteFargateProfile")), newSpec, 1},
		"back after S0":                           {until(oldSpec, newSpec, fargate.ReasonNamingSuccessor), oldSpec, 1},
		"back after S1":                           {until(oldSpec, newSpec, fargate.ReasonCreatingSuccessor), oldSpec, 1},
		"back in S2":                              {until(oldSpec, newSpec, fargate.ReasonCreating), oldSpec, 1},
		"back after S3":                           {until(oldSpec, newSpec, fargate.ReasonDeletingPredecessor), oldSpec, 1},
		"back in S4":                              {until(oldSpec, newSpec, fargate.ReasonDeleting), oldSpec, 1},
		"back after S5":                           {until(oldSpec, newSpec, fargate.ReasonForgettingPeer), oldSpec, 1},
		"a third spec after S0":                   {until(oldSpec, newSpec, fargate.ReasonNamingSuccessor), thirdSpec, 1},
		"a third spec in S2":                      {until(oldSpec, newSpec, fargate.ReasonCreating), thirdSpec, 1},
		"a third spec in S4":                      {until(oldSpec, newSpec, fargate.ReasonDeleting), thirdSpec, 1},
		"delete-first from S1 on":                 {until(oldSpec, newSpec, fargate.ReasonCreatingSuccessor), with(newSpec, deleteFirst), 1},
		"delete-first to a third spec in S2":      {until(oldSpec, newSpec, fargate.ReasonCreating), with(thirdSpec, deleteFirst), 1},
		"back by a policy that forbids in S2":     {until(oldSpec, newSpec, fargate.ReasonCreating), pinned, 1},
		"delete":                                  {settle(oldSpec), nil, 0},
		"delete in S0":                            {until(oldSpec, newSpec, fargate.ReasonNamingSuccessor), nil, 0},
		"delete in S2":                            {until(oldSpec, newSpec, fargate.ReasonCreating), nil, 0},
		"delete in S4":                            {until(oldSpec, newSpec, fargate.ReasonDeleting), nil, 0},
		"delete though it fails once":             {then(settle(oldSpec), failsOnce("DeleteFargateProfile")), nil, 0},
	}
}

// TestKill stops a process at each of its calls, before the call and before its
// reply, and lets a new one with an empty memory go on: it always settles, leaves
// nothing over and touches nothing foreign.
func TestKill(t *testing.T) { killEverywhere(t, killCases(oldSpec)) }

// TestKillWithDrainGate is the same with pods that must be moved away before a
// delete: no replacement and no way back ends one of them.
func TestKillWithDrainGate(t *testing.T) { killEverywhere(t, killCases(drainedSpec)) }

func killEverywhere(t *testing.T, cases map[string]killCase) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			total := killAt(t, tt, 0, false)
			t.Logf("%d calls", total)
			if total == 0 {
				t.Fatal("no call was made: nothing was tested")
			}
			for at := 1; at <= total; at++ {
				for _, after := range []bool{false, true} {
					killAt(t, tt, at, after)
				}
			}
		})
	}
}

// killAt runs one case with one death and returns how many calls were made.
func killAt(t *testing.T, tt killCase, at int, after bool) (made int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		before := addForeign(t, c)
		tt.start(t, c)
		runPods(t, c)
		m := &mortal{API: c.EKS(), at: at, after: after}
		err := reach(t.Context(), m, c, tt)
		if at > 0 && !errors.Is(err, errKilled) {
			t.Fatalf("killed at call %d: the process ended with %v", at, err)
		}
		if err := reach(t.Context(), c.EKS(), c, tt); err != nil {
			t.Fatalf("killed at call %d (after its effect: %v): %v\n%s", at, after, err, journal(c))
		}
		checkSettled(t, c, tt, fmt.Sprintf("killed at call %d (after its effect: %v)", at, after))
		checkPods(t, c, tt)
		if diff := cmp.Diff(before, tagsOf(t, c, foreignProfile)); diff != "" {
			t.Errorf("the foreign profile changed (-before +after):\n%s", diff)
		}
		made = m.made
	})
	return made
}

// reach runs to the desired state within an hour of virtual time.
func reach(ctx context.Context, api lifecycle.API, c *fake.Cloud, tt killCase) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	r := lifecycle.New(api, withPods(c))
	if tt.reach == nil {
		return r.Delete(ctx, oldSpec(c))
	}
	_, err := r.Run(ctx, tt.reach(c))
	return err
}

// addForeign makes a profile of somebody else whose name could be taken for ours.
func addForeign(t *testing.T, c *fake.Cloud) map[string]string {
	t.Helper()
	d := desired(c, foreignProfile, "foreign")
	d.Owner.ID = "somebody/else"
	settle(func(*fake.Cloud) fargate.Desired { return d })(t, c)
	return tagsOf(t, c, foreignProfile)
}

func tagsOf(t *testing.T, c *fake.Cloud, name string) map[string]string {
	t.Helper()
	out, err := c.EKS().DescribeFargateProfile(t.Context(), &eks.DescribeFargateProfileInput{ClusterName: aws.String("demo"), FargateProfileName: &name})
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(out.FargateProfile.Tags)
}

func checkSettled(t *testing.T, c *fake.Cloud, tt killCase, when string) {
	t.Helper()
	var ours []string
	for _, name := range names(t, c.EKS()) {
		if name != foreignProfile {
			ours = append(ours, name)
		}
	}
	if len(ours) != tt.left {
		t.Fatalf("%s: %v are left, want %d\n%s", when, ours, tt.left, journal(c))
	}
	for _, name := range ours {
		if peer := tagsOf(t, c, name)["eksfargate.io/peer"]; peer != "" {
			t.Fatalf("%s: profile %s still names its peer %s", when, name, peer)
		}
	}
	if tt.left == 0 {
		return
	}
	writes := c.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource", "UntagResource")
	out, err := lifecycle.New(c.EKS()).Step(t.Context(), tt.reach(c), fargate.Memory{})
	if err != nil || !out.Settled {
		t.Fatalf("%s: not settled: %+v, %v", when, out, err)
	}
	if c.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource", "UntagResource") != writes {
		t.Fatalf("%s: settled, and yet a write", when)
	}
}

// journal writes the calls for a failure.
func journal(c *fake.Cloud) string {
	var b strings.Builder
	for call := range c.Calls() {
		fmt.Fprintf(&b, "%3d %-24s %s %s\n", call.Number, call.Operation, call.Target.Profile, call.Code)
	}
	return b.String()
}

// Two writers that know different versions can both find the profile absent. EKS
// does not stop them, since their names differ: the second one must find what the
// first one made, and not forget it when the delete is refused.
func TestTwoWritersThatBothCreate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		newer := with(oldSpec, selects("web", "api"))
		c.Before(3, func() { settle(oldSpec)(t, c) }) // right before the create
		if _, err := lifecycle.New(c.EKS()).Run(t.Context(), newer(c)); err != nil {
			t.Fatal(err)
		}
		if got := names(t, c.EKS()); len(got) != 1 {
			t.Errorf("profiles = %v, want one\n%s", got, journal(c))
		}
	})
}
