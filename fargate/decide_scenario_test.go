// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

func TestScenario_B15_DecideComparesAProfileWhoseNameIsTaken(t *testing.T) {
	wantReason(t, "made by ourselves", about(wish(), seen("web")), fargate.ReasonInSync)
	wantReason(t, "made by ourselves, another version", about(wish(), seen("web", other)), fargate.ReasonReplacementForbidden)
	wantReason(t, "made by another", about(wish(), seen("web", foreign)), fargate.ReasonForeign)
}

func TestScenario_B17_DecideReplacesWithoutATimeInWhichPodsMatchNothing(t *testing.T) {
	both := func(d *fargate.Desired) { d.Spec.Selectors = []selector.Selector{on("web"), on("api")} }
	first := fargate.Decide(about(wish(wishing(createFirst()), both), seen(oldName)))
	if first.Reason != fargate.ReasonNamingSuccessor || slices.Contains(warningsOf(first), fargate.WarningNewPodsMatchNothing) {
		t.Errorf("create-first: %s, %v", verdict(first), warningsOf(first))
	}
	second := fargate.Decide(about(wish(wishing(deleteFirst()), both), seen("web")))
	if second.Reason != fargate.ReasonDeletingFirst || !slices.Contains(warningsOf(second), fargate.WarningNewPodsMatchNothing) {
		t.Errorf("delete-first does not name the outage: %s, %v", verdict(second), warningsOf(second))
	}
}

func TestScenario_B18_DecideRefusesCreateFirstUnderAPinnedName(t *testing.T) {
	d := fargate.Decide(about(wish(wishing(fargate.Policy{Replacement: fargate.ReplacementCreateFirst})), seen("web", other)))
	if d.Reason != fargate.ReasonInvalidDesired || d.Call != nil {
		t.Errorf("Decide() = %s", verdict(d))
	}
}

func TestScenario_B20_EveryDeleteNamesThePodsThatEnd(t *testing.T) {
	inputs := map[string]fargate.Input{
		"undesired":    undesired(wish(), seen("web")),
		"delete-first": about(wish(wishing(deleteFirst())), seen("web", other)),
		"S3":           about(wish(wishing(createFirst())), seen("web", other, peerOf(newName)), seen(newName, peerOf("web"))),
		"rolling back": about(wish(wishing(createFirst())), seen(oldName, peerOf("web-997-aaaaaaaa")), seen("web-997-aaaaaaaa", other)),
	}
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) {
			target := fargate.Decide(in).Call.Profile
			in.Pods = []selector.Placed{placedOn(target, "p1"), placedOn("elsewhere", "p2")}
			d := fargate.Decide(in)
			if d.Call.Operation != fargate.OperationDelete || !slices.Equal(d.Warnings[0].Pods, []string{"web/p1"}) {
				t.Errorf("%s warns of %+v", verdict(d), d.Warnings)
			}
		})
	}
}

func TestScenario_B22_DecideUpdatesReplacesAndLeavesAlone(t *testing.T) {
	wantReason(t, "a changed tag", about(wish(tagWish), seen("web")), fargate.ReasonTagsDiffer)
	wantReason(t, "a changed selector", about(wish(wishing(deleteFirst())), seen("web", other)), fargate.ReasonDeletingFirst)
	wantReason(t, "one that is not ours", undesired(wish(), seen("web", ownerless)), fargate.ReasonNotOurs)
}

func TestScenario_B25_DecideNeverCallsAnImmutableEditInSync(t *testing.T) {
	edits := map[fargate.Field]func(*fargate.Desired){
		fargate.FieldSelectors: func(d *fargate.Desired) { d.Spec.Selectors = []selector.Selector{on("api")} },
		fargate.FieldSubnets:   func(d *fargate.Desired) { d.Spec.Subnets = []string{subnetA} },
		fargate.FieldRole:      func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = roleOther },
	}
	policies := []fargate.Policy{{}, deleteFirst(), createFirst()}
	for field, edit := range edits {
		for _, p := range policies {
			d := fargate.Decide(about(wish(wishing(p), edit), seen("web")))
			if d.Action != fargate.ActionReplace && d.Action != fargate.ActionBlocked || !d.Drift.Has(field) {
				t.Errorf("%s under %q: %s, drift %v", field, p.Replacement, verdict(d), d.Drift)
			}
		}
	}
}

func TestScenario_B26_DecideNeverReplacesForTags(t *testing.T) {
	for _, p := range []fargate.Policy{{}, deleteFirst(), createFirst()} {
		d := fargate.Decide(about(wish(wishing(p), tagWish), seen("web")))
		if d.Action != fargate.ActionUpdateTags || d.Call.SetTags["team"] != "x" {
			t.Errorf("under %q: %s", p.Replacement, verdict(d))
		}
	}
}

func TestScenario_B27_B29_B32_DecideSeesNoDifferenceInSpelling(t *testing.T) {
	desired := wish(wishing(deleteFirst()), func(d *fargate.Desired) {
		d.Spec.Selectors = []selector.Selector{on("default"), on("kube-system", "k8s-app", "kube-dns")}
	})
	for name, empty := range map[string]map[string]string{"nil": nil, "empty": {}} {
		reversed := seen("web", func(o *fargate.Observed) {
			o.Spec.Selectors = []selector.Selector{on("kube-system", "k8s-app", "kube-dns"), {Namespace: "default", Labels: empty}}
		})
		wantReason(t, name+" labels", about(desired, reversed), fargate.ReasonInSync)
	}
}

func TestScenario_B30_DecideSeesAProfileThatWasMadeAgainOutOfBand(t *testing.T) {
	wantReason(t, "with our mark and another role",
		about(wish(), seen("web", func(o *fargate.Observed) { o.Spec.PodExecutionRoleARN = roleOther })), fargate.ReasonReplacementForbidden)
}

func TestScenario_B33_DecideMergesDefaultsBelowTheProfile(t *testing.T) {
	d := fargate.Decide(about(wish(func(d *fargate.Desired) {
		d.DefaultTags, d.Spec.Tags = map[string]string{"env": "dev", "team": "x"}, map[string]string{"team": "y"}
	})))
	want := map[string]string{"env": "dev", "team": "y", owner.Key(me): me, owner.ProfileKey: "web", owner.GenerationKey: "5", owner.PeerKey: "web"}
	got := d.Call.Spec.Tags
	memory := got[owner.TagsKey]
	delete(got, owner.TagsKey)
	if diff := cmp.Diff(want, got); diff != "" || memory == "" {
		t.Errorf("tags of the new profile (-want +got):\n%s\nmemory %q", diff, memory)
	}
	bare := fargate.Decide(about(wish())).Call.Spec.Tags
	if _, claims := bare[owner.TagsKey]; claims || bare[owner.Key(me)] != me {
		t.Errorf("without tags of the user: %v", bare)
	}
}

// tagsAfter applies tag calls until there is none, and returns all keys that were
// removed on the way.
func tagsAfter(t *testing.T, d fargate.Desired, o fargate.Observed) (tags map[string]string, removed []string) {
	t.Helper()
	for range 5 {
		got := fargate.Decide(about(d, o))
		if got.Call == nil {
			return o.UserTags(), removed
		}
		removed = append(removed, got.Call.RemoveTags...)
		o = apply(t, o, got.Call)
	}
	t.Fatal("the tags never settle")
	return nil, nil
}

func TestScenario_B34_DecideChangesTagsInPlace(t *testing.T) {
	value := func(v string) func(*fargate.Desired) {
		return func(d *fargate.Desired) { d.Spec.Tags = map[string]string{"a": v} }
	}
	made := seen("web", func(o *fargate.Observed) { o.Spec.Tags = fargate.Decide(about(wish(value("1")))).Call.Spec.Tags })
	delete(made.Spec.Tags, owner.PeerKey)
	tags, removed := tagsAfter(t, wish(value("2")), made)
	if diff := cmp.Diff(map[string]string{"a": "2"}, tags); diff != "" || removed != nil {
		t.Errorf("tags (-want +got):\n%s\nremoved %v", diff, removed)
	}
	tags, removed = tagsAfter(t, wish(), made)
	if len(tags) != 0 || !slices.Contains(removed, "a") {
		t.Errorf("a tag that is not desired any more: left %v, removed %v", tags, removed)
	}
}

func TestScenario_B35_DecideNeverTouchesTagsOfAWS(t *testing.T) {
	const stack = "aws:cloudformation:stack-name"
	for _, mode := range []fargate.TagMode{fargate.TagsMerge, fargate.TagsExact} {
		o := seen("web", tagged(map[string]string{stack: "s", "team": "x"}))
		d := wish(wishing(fargate.Policy{TagMode: mode}), func(d *fargate.Desired) { d.Spec.Tags = map[string]string{"team": "y"} })
		tags, removed := tagsAfter(t, d, o)
		if tags["team"] != "y" || removed != nil {
			t.Errorf("%s: tags %v, removed %v", mode, tags, removed)
		}
	}
}

func TestScenario_B36_DecideKeepsTagsOfOthersUnlessExact(t *testing.T) {
	o := seen("web", tagged(map[string]string{"team": "x", "costcenter": "42"}))
	team := func(d *fargate.Desired) { d.Spec.Tags = map[string]string{"team": "x"} }
	wantReason(t, "merge", about(wish(team), o), fargate.ReasonInSync)
	d := fargate.Decide(about(wish(team, func(d *fargate.Desired) { d.Policy.TagMode = fargate.TagsExact }), o))
	if d.Call == nil || !slices.Equal(d.Call.RemoveTags, []string{"costcenter"}) {
		t.Errorf("exact: %s %+v", verdict(d), d.Call)
	}
}

func TestScenario_B48_DecideOfZeroValues(t *testing.T) {
	for name, in := range map[string]fargate.Input{
		"nothing": {}, "a profile": {Observed: &fargate.Observed{}}, "peers": {Peers: make([]fargate.Observed, 3)}, "undesired": {Absent: true},
		"no role": about(wish(func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = "" })),
	} {
		if d := fargate.Decide(in); d.Reason != fargate.ReasonInvalidDesired || d.Call != nil || d.Message == "" {
			t.Errorf("%s: %s: %s", name, verdict(d), d.Message)
		}
	}
}

func TestScenario_B77_AFailedDeleteIsAskedForAgainAndIsNotGone(t *testing.T) {
	d := fargate.Decide(undesired(wish(), seen("web", inStatus(fargate.StatusDeleteFailed), sick)))
	if verdict(d) != "delete RecoveringDelete delete:web" || len(d.Issues) != 1 {
		t.Errorf("Decide() = %s with %d issues", verdict(d), len(d.Issues))
	}
	wantReason(t, "only when it is gone", undesired(wish()), fargate.ReasonGone)
}

func TestScenario_B79_AClusterThatIsGoneTookTheProfileWithIt(t *testing.T) {
	d := fargate.Decide(changed(undesired(wish()), clusterMissing))
	if verdict(d) != "no-op ClusterGone -" {
		t.Errorf("Decide() = %s", verdict(d))
	}
}

func TestScenario_B80_WhatWasNotAdoptedIsNotDeleted(t *testing.T) {
	for name, whose := range map[string]func(*fargate.Observed){"unowned": ownerless, "foreign": foreign, "contested": contested} {
		for _, adoption := range []fargate.Adoption{fargate.AdoptionNever, fargate.AdoptionAlways} {
			in := undesired(wish(wishing(fargate.Policy{Adoption: adoption, TakeOverFrom: []string{you}})), seen("web", whose))
			if d := fargate.Decide(in); d.Call != nil {
				t.Errorf("%s under %s: %s", name, adoption, verdict(d))
			}
		}
	}
}

func TestScenario_B82_DecideKeepsWhatIsUnset(t *testing.T) {
	stored := seen("web", func(o *fargate.Observed) {
		o.Spec.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/demo-web_fargate"
	})
	in := about(wish(wishing(deleteFirst()), func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = "" }), stored)
	wantReason(t, "a role that was computed", in, fargate.ReasonInSync)
}

func TestScenario_B84_ADeletionIsOverWhenEKSHasNoProfile(t *testing.T) {
	wantReason(t, "it is DELETING", undesired(wish(), seen("web", inStatus(fargate.StatusDeleting))), fargate.ReasonDeleting)
	wantReason(t, "it is CREATING", undesired(wish(), seen("web", inStatus(fargate.StatusCreating))), fargate.ReasonCreating)
	wantReason(t, "desired again while DELETING", about(wish(), seen("web", inStatus(fargate.StatusDeleting))), fargate.ReasonDeleting)
}
