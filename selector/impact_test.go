// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/selector"
)

// running makes a pod that runs on a profile, labelled as EKS labels it.
func running(profile string, p selector.Pod) selector.Placed {
	labels := map[string]string{selector.ProfileLabel: profile}
	maps.Copy(labels, p.Labels)
	template := p
	p.Labels = labels
	return selector.Placed{
		Pod: p, Scheduler: selector.FargateScheduler, Node: "fargate-ip-10-0-0-1.ec2.internal", Template: &template,
	}
}

// elsewhere makes a pod that the default scheduler has.
func elsewhere(p selector.Pod) selector.Placed {
	return selector.Placed{Pod: p, Scheduler: "default-scheduler", Created: time.Unix(1, 0)}
}

func TestImpact(t *testing.T) {
	var (
		a       = profile("fp-a", on("web"))
		b       = profile("fp-b", on("web", "app", "api"))
		c       = profile("fp-c", on("*"))
		changed = profile("fp-a", on("web-*"), on("web", "app", "api"))
	)
	withoutTemplate := func(p selector.Placed) selector.Placed {
		p.Template = nil
		return p
	}
	for name, c := range map[string]struct {
		before, after []selector.Profile
		pod           selector.Placed
		want          string
	}{
		"the profile is deleted and nothing else matches": {
			profiles(a, b), profiles(b), running("fp-a", podIn("web")),
			"web/p loses fp-a, and no profile takes it (ProfileDeleted)",
		},
		"the profile is deleted and another matches": {
			profiles(a, b), profiles(b), running("fp-a", podIn("web", "app", "api")),
			"web/p moves from fp-a to fp-b (ProfileDeleted)",
		},
		"the profile stays": {
			profiles(a, b), profiles(a), running("fp-a", podIn("web")),
			"web/p stays on fp-a (Unchanged)",
		},
		"an equal profile is the same whatever the order": {
			profiles(profile("x", on("a"), on("b", "k", "v"))),
			profiles(profile("x", on("b", "k", "v"), selector.Selector{Namespace: "a", Labels: map[string]string{}}, on("a"))),
			running("x", podIn("a")), "a/p stays on x (Unchanged)",
		},
		"a profile with a selector less is another": {
			profiles(profile("x", on("a"), on("b"))), profiles(profile("x", on("a"))),
			running("x", podIn("a")), "a/p moves from x to x (ProfileReplaced)",
		},
		"a profile with a selector more is another": {
			profiles(profile("x", on("a"))), profiles(profile("x", on("a"), on("b"))),
			running("x", podIn("a")), "a/p moves from x to x (ProfileReplaced)",
		},
		"a profile with another label is another": {
			profiles(profile("x", on("a", "k", "1"), on("a"))), profiles(profile("x", on("a", "k", "2"), on("a"))),
			running("x", podIn("a")), "a/p moves from x to x (ProfileReplaced)",
		},
		"a replaced profile still matches": {
			profiles(a), profiles(changed), running("fp-a", podIn("web", "app", "api")),
			"web/p moves from fp-a to fp-a (ProfileReplaced)",
		},
		"a replaced profile matches no longer": {
			profiles(a), profiles(changed), running("fp-a", podIn("web")),
			"web/p loses fp-a, and no profile takes it (ProfileReplaced)",
		},
		"a running pod stays though new ones go elsewhere": {
			profiles(c), profiles(c, a), running("fp-c", podIn("web")),
			"web/p stays on fp-c, but a new one goes to fp-a (NewPodsGoElsewhere)",
		},
		"a running pod stays though its template matches nothing": {
			profiles(a), profiles(a), selector.Placed{
				Pod:      podIn("web", selector.ProfileLabel, "fp-a"),
				Node:     "fargate-ip-10-0-0-1.ec2.internal",
				Template: &selector.Pod{Annotations: map[string]string{selector.ComputeTypeAnnotation: selector.ComputeTypeEC2}},
			}, "web/p stays on fp-a, but no profile takes a new one (NewPodsGoElsewhere)",
		},
		"a pinned pod falls out when its profile goes": {
			profiles(a, c), profiles(c), running("fp-a", podIn("web", selector.ProfileLabel, "fp-a")),
			"web/p loses fp-a, and no profile takes it (PinnedProfileNotFound)",
		},
		"a pinned pod falls out when its profile matches no longer": {
			profiles(a, c), profiles(changed, c), running("fp-a", podIn("web", selector.ProfileLabel, "fp-a")),
			"web/p loses fp-a, and no profile takes it (PinnedProfileDoesNotMatch)",
		},
		"without a template the label is no pin": {
			profiles(a, c), profiles(c), withoutTemplate(running("fp-a", podIn("web"))),
			"web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"the template's namespace is the pod's": {
			profiles(a, c), profiles(c),
			selector.Placed{Pod: podIn("web"), Profile: "fp-a", Node: "n", Template: &selector.Pod{}},
			"web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"a pod that opts out by now is lost": {
			profiles(a), nil,
			selector.Placed{Pod: optingOut(podIn("web")), Profile: "fp-a", Node: "n"},
			"web/p loses fp-a, and no profile takes it (ProfileDeleted)",
		},
		"a pod whose template opts out goes off Fargate": {
			profiles(a), profiles(changed),
			selector.Placed{Pod: optingOut(podIn("web", "app", "api")), Profile: "fp-a", Node: "n"},
			"web/p loses fp-a, and no profile takes it (OptedOut)",
		},
		"the profile field comes before the label": {
			profiles(a), profiles(a),
			selector.Placed{Pod: podIn("web", selector.ProfileLabel, "other"), Profile: "fp-a", Node: "n"},
			"web/p stays on fp-a (Unchanged)",
		},
		"a profile that was not listed before is the same": {
			nil, profiles(a), running("fp-a", podIn("web")), "web/p stays on fp-a (Unchanged)",
		},
		"a profile that is not listed at all is gone": {
			nil, profiles(c), running("fp-a", podIn("web")), "web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"a pod created too early must be created again": {
			nil, profiles(a), elsewhere(podIn("web")),
			"web/p must be created again to run on fp-a (PlacedAtCreation)",
		},
		"so it is when nothing changes": {
			profiles(a), profiles(a), elsewhere(podIn("web")),
			"web/p must be created again to run on fp-a (PlacedAtCreation)",
		},
		"a pod on an EC2 node that no profile takes": {
			profiles(a), nil, elsewhere(podIn("web")), "web/p stays off Fargate (NoMatch)",
		},
		"a pod on an EC2 node that opts out": {
			nil, profiles(a), elsewhere(optingOut(podIn("web"))), "web/p stays off Fargate (OptedOut)",
		},
		"the label of a pod on an EC2 node is a pin": {
			nil, profiles(a, c), elsewhere(podIn("web", selector.ProfileLabel, "fp-c")),
			"web/p must be created again to run on fp-c (PlacedAtCreation)",
		},
		"a pod of the Fargate scheduler without a profile": {
			nil, profiles(a),
			selector.Placed{Pod: podIn("web"), Scheduler: selector.FargateScheduler},
			"web/p must be created again to run on fp-a (PlacedAtCreation)",
		},
		"a pod waiting for a node of a profile that goes": {
			profiles(a), profiles(c), selector.Placed{
				Pod: podIn("web", selector.ProfileLabel, "fp-a"), Scheduler: selector.FargateScheduler,
			}, "web/p must be created again to run on fp-c (NotRetried)",
		},
		"a pod waiting for a node of a profile that stays": {
			profiles(a), profiles(a), selector.Placed{
				Pod: podIn("web", selector.ProfileLabel, "fp-a"), Scheduler: selector.FargateScheduler,
			}, "web/p stays on fp-a (Unchanged)",
		},
		"a pod known by its profile only ends with it": {
			profiles(a), profiles(c),
			selector.Placed{Pod: podIn("web"), Profile: "fp-a"},
			"web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"a pod known by its age only is on its label's profile": {
			profiles(a), profiles(c),
			selector.Placed{Pod: podIn("web", selector.ProfileLabel, "fp-a"), Created: time.Unix(1, 0)},
			"web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"a new pod starts on Fargate": {
			nil, profiles(a), selector.Placed{Pod: podIn("web")}, "web/p starts on fp-a (NewlyMatched)",
		},
		"a new pod stays": {
			profiles(a), profiles(a, c), selector.Placed{Pod: podIn("web")}, "web/p stays on fp-a (Unchanged)",
		},
		"a new pod does not care that its profile is replaced": {
			profiles(a), profiles(changed), selector.Placed{Pod: podIn("web", "app", "api")}, "web/p stays on fp-a (Unchanged)",
		},
		"a new pod stays off": {
			profiles(a), profiles(a), selector.Placed{Pod: podIn("")}, "default/p stays off Fargate (NoMatch)",
		},
		"a new pod moves as its profile is deleted": {
			profiles(a), profiles(c), selector.Placed{Pod: podIn("web")}, "web/p moves from fp-a to fp-c (ProfileDeleted)",
		},
		"a new pod moves as its profile is replaced": {
			profiles(a), profiles(changed, c), selector.Placed{Pod: podIn("web")}, "web/p moves from fp-a to fp-c (ProfileReplaced)",
		},
		"a new pod moves to an earlier name": {
			profiles(c), profiles(c, a), selector.Placed{Pod: podIn("web")}, "web/p moves from fp-c to fp-a (TieDecidedByName)",
		},
		"a new pod goes pending": {
			profiles(a), nil, selector.Placed{Pod: podIn("web")}, "web/p loses fp-a, and no profile takes it (ProfileDeleted)",
		},
		"a new pod that is pinned goes pending": {
			profiles(a, c), profiles(c),
			selector.Placed{Pod: podIn("web", selector.ProfileLabel, "fp-a")},
			"web/p loses fp-a, and no profile takes it (PinnedProfileNotFound)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := selector.Impact(c.before, c.after, []selector.Placed{c.pod})
			if len(got) != 1 {
				t.Fatalf("%d moves, want 1", len(got))
			}
			if diff := cmp.Diff(c.want, got[0].String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScenario_B20_DeletingAProfileEndsItsPods(t *testing.T) {
	before := profiles(profile("fp-a", on("web")), profile("fp-b", on("web", "app", "api")))
	p1, p2 := podIn("web"), podIn("web", "app", "api")
	p1.Name, p2.Name = "p1", "p2"
	got := selector.Impact(before, before[1:], []selector.Placed{running("fp-a", p1), running("fp-a", p2)})
	want := []selector.Move{
		{Namespace: "web", Name: "p1", Kind: selector.MovePending, From: "fp-a", Reason: selector.ReasonProfileDeleted},
		{Namespace: "web", Name: "p2", Kind: selector.MoveMoves, From: "fp-a", To: "fp-b", Reason: selector.ReasonProfileDeleted},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScenario_B68_PodsOlderThanTheProfileAreNotMoved(t *testing.T) {
	web := profiles(profile("fp-a", on("web")))
	got := selector.Impact(nil, web, []selector.Placed{elsewhere(podIn("web"))})
	want := []selector.Move{{
		Namespace: "web", Name: "p", Kind: selector.MoveRecreate, To: "fp-a", Reason: selector.ReasonPlacedAtCreation,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestImpactNamesThePin(t *testing.T) {
	pod := running("fp-a", podIn("web", selector.ProfileLabel, "fp-a"))
	got := selector.Impact(profiles(profile("fp-a", on("web"))), nil, []selector.Placed{pod})
	if got[0].Pin != "fp-a" || got[0].Reason != selector.ReasonPinnedProfileNotFound {
		t.Errorf("%+v, want pin fp-a, PinnedProfileNotFound", got[0])
	}
}

func TestImpactLeavesItsArgumentsAlone(t *testing.T) {
	pod := selector.Placed{Pod: podIn("web", selector.ProfileLabel, "fp-a"), Node: "n"}
	selector.Impact(profiles(profile("fp-a", on("web"))), nil, []selector.Placed{pod})
	if pod.Labels[selector.ProfileLabel] != "fp-a" {
		t.Error("the pod's label is gone")
	}
}

func TestImpactOfTwoProfilesOfOneName(t *testing.T) {
	twice := profiles(profile("a", on("web")), profile("a", on("api")))
	got := selector.Impact(twice, twice, []selector.Placed{running("a", podIn("api")), {Pod: podIn("api")}})
	for _, m := range got {
		if m.Kind != selector.MoveStays || m.From != "a" {
			t.Errorf("%+v, want that it stays on a", m)
		}
	}
}
