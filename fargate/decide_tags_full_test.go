// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
)

// full is a profile with 50 tags: our own, our marks, and tags of others.
func full(t *testing.T, d fargate.Desired) fargate.Observed {
	t.Helper()
	o := stands(t, d)
	for i := 0; len(o.Spec.Tags) < 50; i++ {
		o.Spec.Tags[fmt.Sprintf("foreign-%d", i)] = "v"
	}
	return o
}

func TestReplacementOfAProfileWithFiftyTags(t *testing.T) {
	old := planned("web", "web")
	old.Spec.Tags = manyTags(44)
	old.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
	edited := func(change func(*fargate.Desired)) fargate.Desired {
		d := old
		d.Spec.Tags = maps.Clone(old.Spec.Tags)
		d.Spec.Selectors = planned("web", "api").Spec.Selectors
		change(&d)
		return d
	}
	tests := map[string]struct {
		desired fargate.Desired
		reason  fargate.Reason
		removed int
	}{
		"tags that nobody wants any more make room": {
			edited(func(d *fargate.Desired) { delete(d.Spec.Tags, "key-00") }), fargate.ReasonTagsDiffer, 1,
		},
		"tags of others make room where they must go": {
			edited(func(d *fargate.Desired) { d.Policy.TagMode = fargate.TagsExact }), fargate.ReasonTagsDiffer, 2,
		},
		"tags of others stay": {edited(func(*fargate.Desired) {}), fargate.ReasonTooManyTags, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := full(t, old)
			got := fargate.Decide(about(tt.desired, o))
			if got.Reason != tt.reason {
				t.Fatalf("reason = %s: %s", got.Reason, got.Message)
			}
			if tt.removed == 0 {
				return
			}
			if n := len(got.Call.RemoveTags); n != tt.removed || slices.ContainsFunc(got.Call.RemoveTags, owner.IsMark) {
				t.Fatalf("removes %v", got.Call.RemoveTags)
			}
			if next := fargate.Decide(about(tt.desired, apply(t, o, got.Call))); next.Reason != fargate.ReasonNamingSuccessor {
				t.Errorf("then %s: %s", next.Reason, next.Message)
			}
		})
	}
}

// What lies under our prefix and is no mark that we can set is somebody else's.
func TestReleaseKeepsTagsThatOnlyLookLikeMarks(t *testing.T) {
	d := planned("web", "web")
	d.Policy.Deletion = fargate.DeletionRelease
	o := stands(t, d)
	o.Spec.Tags["EKSfargate.io/Profile"], o.Spec.Tags["eksfargate.io/notes"] = "x", "y"
	got := fargate.Decide(undesired(d, o))
	if want := []string{owner.Key(d.Owner.ID), owner.ProfileKey}; got.Reason != fargate.ReasonReleasing || !slices.Equal(got.Call.RemoveTags, want) {
		t.Errorf("%s removes %v, want %v", got.Reason, got.Call, want)
	}
}
