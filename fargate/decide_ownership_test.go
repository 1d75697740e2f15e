// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
)

// apply does to the tags of a profile what a tag call does.
func apply(t *testing.T, o fargate.Observed, c *fargate.Call) fargate.Observed {
	t.Helper()
	if c == nil || c.ARN != o.ARN || c.Operation != fargate.OperationTag && c.Operation != fargate.OperationUntag {
		t.Fatalf("the call %+v is no tag call on %s", c, o.ARN)
	}
	o.Spec.Tags = maps.Clone(o.Spec.Tags)
	if o.Spec.Tags == nil {
		o.Spec.Tags = map[string]string{}
	}
	maps.Copy(o.Spec.Tags, c.SetTags)
	for _, key := range c.RemoveTags {
		delete(o.Spec.Tags, key)
	}
	return o
}

// walk applies tag calls until there is none, each time without memory, as after a
// kill between any two calls. It returns the reasons on the way and the profile.
func walk(t *testing.T, d fargate.Desired, o fargate.Observed) ([]fargate.Reason, fargate.Observed) {
	t.Helper()
	var reasons []fargate.Reason
	for range 10 {
		got := fargate.Decide(about(d, o))
		reasons = append(reasons, got.Reason)
		if got.Call == nil {
			return reasons, o
		}
		o = apply(t, o, got.Call)
	}
	t.Fatalf("no end: %v", reasons)
	return nil, o
}

// A newer generation of ours may have written to the other one of two profiles only.
func TestAnOlderGenerationTakesNothingOver(t *testing.T) {
	takes := wish(wishing(createFirst()), takeYou)
	wantReason(t, "the successor is newer", about(takes, pair(contested, generation(6))...), fargate.ReasonStaleDesired)
	wantReason(t, "the predecessor is newer", about(takes, pair(generation(6), contested)...), fargate.ReasonStaleDesired)
	wantReason(t, "neither is newer", about(takes, pair(contested, other)...), fargate.ReasonTakingOver)
	takes.Generation = 0
	wantReason(t, "of no generation", about(takes, pair(contested, generation(6))...), fargate.ReasonStaleDesired)
}

func TestTakingOver(t *testing.T) {
	ours := map[string]string{owner.Key(me): me, owner.ProfileKey: "web", owner.GenerationKey: "5"}
	tests := map[string]struct {
		desired  fargate.Desired
		observed fargate.Observed
		reasons  []fargate.Reason
		tags     map[string]string
	}{
		"from another owner, in two writes": {
			desired:  wish(takeYou),
			observed: seen("web", foreign),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     ours,
		},
		"from Cluster API, in two writes": {
			desired:  wish(takeCAPA),
			observed: seen("web", ownerless, tagged(map[string]string{capaKey: "owned", "team": "x"})),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     with2(ours, "team", "x"),
		},
		"from Cluster API, but the user wants its tag": {
			desired:  wish(takeCAPA, func(d *fargate.Desired) { d.Spec.Tags = map[string]string{capaKey: "owned"} }),
			observed: seen("web", ownerless, tagged(map[string]string{capaKey: "owned"})),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     with2(ours, capaKey, "owned"),
		},
		"Cluster API is not named": {
			desired:  wish(takeYou),
			observed: seen("web", ownerless, tagged(map[string]string{capaKey: "owned"})),
			reasons:  []fargate.Reason{fargate.ReasonForeign},
			tags:     map[string]string{capaKey: "owned"},
		},
		"one of two owners is not named": {
			desired:  wish(takeYou),
			observed: seen("web", foreign, tagged(map[string]string{owner.Key("third"): "third"})),
			reasons:  []fargate.Reason{fargate.ReasonForeign},
			tags:     map[string]string{owner.Key(you): you, owner.ProfileKey: "web", owner.Key("third"): "third"},
		},
		"contested with one that is not named": {
			desired:  wish(),
			observed: seen("web", contested),
			reasons:  []fargate.Reason{fargate.ReasonContested},
			tags:     with2(ours, owner.Key(you), you),
		},
		"a torn mark under our key is overwritten": {
			desired:  wish(func(d *fargate.Desired) { d.Policy.TakeOverFrom = []string{owner.Key(me)} }),
			observed: seen("web", tagged(map[string]string{owner.Key(me): "torn"})),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     ours,
		},
		"the generation of another owner does not count, if we have none": {
			desired:  wish(takeYou, func(d *fargate.Desired) { d.Generation = 0 }),
			observed: seen("web", foreign, generation(100)),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     map[string]string{owner.Key(me): me, owner.ProfileKey: "web"},
		},
		"our own stale replica does not finish a take-over": {
			desired:  wish(takeYou, stale),
			observed: seen("web", contested),
			reasons:  []fargate.Reason{fargate.ReasonStaleDesired},
			tags:     with2(ours, owner.Key(you), you),
		},
		"what the other owner remembers is not ours": {
			desired:  wish(takeYou),
			observed: seen("web", foreign, tagged(map[string]string{"team": "x", owner.TagsKey: claimOf("team")})),
			reasons:  []fargate.Reason{fargate.ReasonTakingOver, fargate.ReasonTakingOver, fargate.ReasonInSync},
			tags:     with2(ours, "team", "x"),
		},
		"nor what a former owner left behind": {
			desired:  wish(adoptAny),
			observed: seen("web", ownerless, tagged(map[string]string{"team": "x", owner.TagsKey: claimOf("team"), owner.GenerationKey: "100"})),
			reasons:  []fargate.Reason{fargate.ReasonAdopting, fargate.ReasonMarksDiffer, fargate.ReasonInSync},
			tags:     with2(ours, "team", "x"),
		},
		"nor its generation, if we have none": {
			desired:  wish(adoptAny, func(d *fargate.Desired) { d.Generation = 0 }),
			observed: seen("web", ownerless, generation(100)),
			reasons:  []fargate.Reason{fargate.ReasonAdopting, fargate.ReasonInSync},
			tags:     map[string]string{owner.Key(me): me, owner.ProfileKey: "web", owner.GenerationKey: "0"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			reasons, o := walk(t, tt.desired, tt.observed)
			if diff := cmp.Diff(tt.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.tags, o.Spec.Tags); diff != "" {
				t.Errorf("tags at the end (-want +got):\n%s", diff)
			}
		})
	}
}

// with2 is the map with one entry more.
func with2(m map[string]string, key, value string) map[string]string {
	out := maps.Clone(m)
	out[key] = value
	return out
}

// claimOf is the memory that claims a key, as a profile that we create carries it.
func claimOf(key string) string {
	d := fargate.Decide(about(wish(func(d *fargate.Desired) { d.Spec.Tags = map[string]string{key: "v"} })))
	return d.Call.Spec.Tags[owner.TagsKey]
}

func TestNobodyElsesProfileIsTouched(t *testing.T) {
	otherLogical := tagged(map[string]string{owner.ProfileKey: "api"})
	tests := map[string]decideCase{
		"our mark for another logical name":                 {about(wish(adoptAny), seen("web", otherLogical)), "blocked Foreign -"},
		"the same, contested by one that may be taken":      {about(wish(adoptAny, takeYou), seen("web", otherLogical, contested)), "blocked Foreign -"},
		"our mark without a logical name on another name":   {about(wish(adoptAny), seen("api", tagged(map[string]string{owner.ProfileKey: ""}))), "blocked Foreign -"},
		"our mark without a logical name on this name":      {about(wish(), seen("web", tagged(map[string]string{owner.ProfileKey: ""}))), "update-tags MarksDiffer tag:web"},
		"in the middle of the replacement of another":       {about(wish(takeYou), seen("web", foreign, peerOf("web-999-aaaaaaaa"))), "blocked AdoptionMidway -"},
		"in the middle of the replacement of nobody":        {about(wish(adoptAny), seen("web", ownerless, peerOf("web-999-aaaaaaaa"))), "blocked AdoptionMidway -"},
		"no room for our marks":                             {about(wish(adoptAny), seen("web", ownerless, tagged(manyTags(48)))), "blocked TooManyTags -"},
		"just enough room, for aws: tags do not count":      {about(wish(adoptAny), seen("web", ownerless, tagged(manyTags(47)), tagged(map[string]string{"aws:x": "y"}))), "update-tags Adopting tag:web"},
		"undesired, unowned beside ours, and DELETE_FAILED": {undesired(wish(), seen(oldName, ownerless, inStatus(fargate.StatusDeleteFailed)), seen(newName)), "delete Undesired delete:new"},
		"undesired, ours beside unowned":                    {undesired(wish(), seen(oldName), seen(newName, ownerless)), "delete Undesired delete:old"},
		"undesired and to be released, ours beside unowned": {undesired(wish(releasing), seen(oldName, ownerless), seen(newName)), "update-tags Releasing untag:new"},
		"a stranger with a name that is not needed":         {changed(about(wish()), strangers(seen("web-999-aaaaaaaa", ownerless))), "create Absent create:web"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := verdict(fargate.Decide(tt.in)); got != tt.want {
				t.Errorf("Decide() = %s, want %s", got, tt.want)
			}
		})
	}
}

func strangers(s ...fargate.Observed) func(*fargate.Input) {
	return func(in *fargate.Input) { in.Strangers = s }
}

// A profile that was released keeps its derived name. Creating another of that name
// can never succeed, so that it must be adopted or reported.
func TestANamesakeIsNotCreatedAgain(t *testing.T) {
	d := wish(wishing(createFirst()))
	name := fargate.Decide(about(d)).Next
	released := seen(name, ownerless)
	tests := map[string]struct {
		in   fargate.Input
		want string
	}{
		"it is reported":                        {changed(about(d), strangers(released)), "blocked Unowned -"},
		"also where only the list shows it":     {changed(about(d), clusterOf(released)), "blocked Unowned -"},
		"it is adopted":                         {changed(about(wish(wishing(createFirst()), adoptAny)), strangers(released)), "update-tags Adopting tag:derived"},
		"its end is waited for":                 {changed(about(d), strangers(seen(name, ownerless, inStatus(fargate.StatusDeleting)))), "wait Deleting -"},
		"it is another owner's":                 {changed(about(d), strangers(seen(name, foreign))), "blocked Foreign -"},
		"it means nothing when none is desired": {changed(undesired(d), strangers(released)), "no-op Gone -"},
	}
	for situation, tt := range tests {
		t.Run(situation, func(t *testing.T) {
			if got := verdict(fargate.Decide(tt.in)); got != tt.want {
				t.Errorf("Decide() = %s, want %s", got, tt.want)
			}
		})
	}
}

func clusterOf(all ...fargate.Observed) func(*fargate.Input) {
	return func(in *fargate.Input) { in.Cluster = all }
}

func TestReleaseKeepsAllButOurMarks(t *testing.T) {
	o := seen("web", tagged(map[string]string{"team": "x", "aws:x": "y", capaKey: "owned", owner.TagsKey: claimOf("team"), owner.PeerKey: oldName}))
	d := fargate.Decide(undesired(wish(releasing), o))
	after := apply(t, o, d.Call)
	if diff := cmp.Diff(map[string]string{"team": "x", "aws:x": "y", capaKey: "owned"}, after.Spec.Tags); diff != "" {
		t.Errorf("tags that are left (-want +got):\n%s", diff)
	}
	if !slices.IsSorted(d.Call.RemoveTags) {
		t.Errorf("the keys are in no order: %v", d.Call.RemoveTags)
	}
	if got := fargate.Decide(undesired(wish(releasing), after)).Reason; got != fargate.ReasonNotOurs && got != fargate.ReasonForeign {
		t.Errorf("after the release: %s", got)
	}
}

// The rules that delete and release ask for the owner mark each for itself, and do
// not rely on a rule before them.
func TestNoRuleOfADeletionTouchesWhatIsNotOurs(t *testing.T) {
	rules := fargate.ChainTexts(true)
	for whose, change := range map[string]func(*fargate.Observed){"unowned": ownerless, "foreign": foreign, "contested": contested} {
		for _, status := range statuses() {
			for _, d := range []fargate.Desired{wish(), wish(releasing)} {
				in := undesired(d, seen("web", change, inStatus(fargate.Status(status))))
				for i, r := range rules {
					if got := fargate.DecideBy(in, []int{i}); got.Call != nil {
						t.Errorf("the rule %q alone: %s on a profile that is %s and %s", r.Name, verdict(got), whose, status)
					}
				}
			}
		}
	}
}

func TestTagsThatDoNotFit(t *testing.T) {
	full := seen("web", tagged(manyTags(47)))
	d := fargate.Decide(about(wish(tagWish), full))
	if d.Reason != fargate.ReasonTooManyTags || d.Call != nil {
		t.Errorf("with 50 tags: %s", verdict(d))
	}
	exact := wish(tagWish, func(d *fargate.Desired) { d.Policy.TagMode = fargate.TagsExact })
	d = fargate.Decide(about(exact, full))
	if d.Reason != fargate.ReasonTagsDiffer || len(d.Call.RemoveTags) != 47 {
		t.Errorf("those of others go first: %s", verdict(d))
	}
	limited := about(wish(tagWish), seen("web"))
	limited.Limits.Tags = 10
	wantReason(t, "below the limit", limited, fargate.ReasonTagsDiffer)
}

func TestInvalidDeletionDeletesNothing(t *testing.T) {
	d := wish(func(d *fargate.Desired) { d.Policy.Deletion, d.Policy.Replacement = "relase", "alsowrong" })
	got := fargate.Decide(undesired(d, seen("web")))
	if got.Reason != fargate.ReasonInvalidDesired || got.Call != nil || !strings.Contains(got.Message, "policy.deletion") {
		t.Errorf("Decide() = %s: %s", verdict(got), got.Message)
	}
	d.Policy.Deletion = ""
	if got := fargate.Decide(undesired(d, seen("web"))); got.Reason != fargate.ReasonUndesired {
		t.Errorf("a replacement policy that a deletion does not need: %s", verdict(got))
	}
}

// What is seen in the wrong place must not become what the next look is compared
// with, or the second step would write there.
func TestWrongPlaceStaysWrong(t *testing.T) {
	for name, in := range map[string]fargate.Input{"desired": about(wish(), seen("web", generation(4))), "undesired": undesired(wish(), seen("web"))} {
		t.Run(name, func(t *testing.T) {
			elsewhere(&in)
			remembered := in.Memory
			for step := range 3 {
				d := fargate.Decide(in)
				if d.Reason != fargate.ReasonWrongPlace || d.Call != nil {
					t.Fatalf("step %d: %s", step, verdict(d))
				}
				if d.Memory.ARN != remembered.ARN || d.Memory.Physical != remembered.Physical {
					t.Fatalf("step %d: the memory is of %s now", step, d.Memory.ARN)
				}
				in.Memory = d.Memory
			}
		})
	}
}
