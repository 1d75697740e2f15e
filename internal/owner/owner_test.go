// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package owner_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/internal/owner"
)

const me = "install/ns/web"

func TestOf(t *testing.T) {
	capa := "sigs.k8s.io/cluster-api-provider-aws/cluster/demo"
	tests := map[string]struct {
		tags   map[string]string
		want   owner.State
		others []string
	}{
		"no tags is unowned":                          {nil, owner.Unowned, nil},
		"tags of others say nothing":                  {map[string]string{"team": "x"}, owner.Unowned, nil},
		"our exact mark":                              {map[string]string{owner.Key(me): me}, owner.Owned, nil},
		"another owner's mark":                        {map[string]string{owner.Key("you"): "you"}, owner.Foreign, []string{"you"}},
		"two marks are contested":                     {map[string]string{owner.Key(me): me, owner.Key("you"): "you"}, owner.Contested, []string{"you"}},
		"our key with another value is not our mark":  {map[string]string{owner.Key(me): "you"}, owner.Foreign, []string{owner.Key(me)}},
		"our value under another key is not our mark": {map[string]string{owner.Key("you"): me}, owner.Foreign, []string{owner.Key("you")}},
		"a mark of Cluster API is foreign":            {map[string]string{capa: "owned"}, owner.Foreign, []string{capa}},
		"a shared cluster tag is no claim":            {map[string]string{"kubernetes.io/cluster/demo": "shared"}, owner.Unowned, nil},
		"a cluster tag that says owned is foreign":    {map[string]string{"kubernetes.io/cluster/demo": "owned"}, owner.Foreign, []string{"kubernetes.io/cluster/demo"}},
		"our mark outweighs the one of another tool":  {map[string]string{owner.Key(me): me, capa: "owned"}, owner.Owned, nil},
		"the peer mark alone does not make an owner":  {map[string]string{owner.PeerKey: "web-998"}, owner.Unowned, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, others := owner.Of(tt.tags, me)
			if got != tt.want || !slices.Equal(others, tt.others) {
				t.Errorf("Of() = %s %v, want %s %v", got, others, tt.want, tt.others)
			}
		})
	}
}

func TestEmptyOwnerOwnsNothing(t *testing.T) {
	if got, _ := owner.Of(map[string]string{owner.Key(""): ""}, ""); got == owner.Owned {
		t.Errorf("Of() with an empty id = %s: a caller without an identity must own nothing", got)
	}
}

func TestKeyIsAStableLegalTagKey(t *testing.T) {
	// The marks are a permanent contract: this value must never change.
	const want = "eksfargate.io/owner.7nxtkze6g2"
	if got := owner.Key(me); got != want {
		t.Errorf("Key(%q) = %q, want %q", me, got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if (owner.Key(a) == owner.Key(b)) != (a == b) {
			t.Fatalf("keys of %q and %q: %s, %s", a, b, owner.Key(a), owner.Key(b))
		}
	})
}

func TestIsMark(t *testing.T) {
	tests := map[string]bool{
		"eksfargate.io/owner.abc": true,
		"EKSFargate.io/tags":      true,
		"eksfargate.io":           false,
		"eksfargate.iox/tags":     false,
		"team":                    false,
	}
	for key, want := range tests {
		if got := owner.IsMark(key); got != want {
			t.Errorf("IsMark(%q) = %v, want %v", key, got, want)
		}
	}
}

// What is left for the tags of users is counted by MaxMarks, so that an owner must
// not set one more.
func TestTheKeysOfAnOwnerFitIntoWhatIsLeftForMarks(t *testing.T) {
	keys := owner.Keys(me)
	if len(keys) != owner.MaxMarks || !slices.Contains(keys, owner.Key(me)) {
		t.Errorf("Keys() = %v, want %d with the mark of the owner", keys, owner.MaxMarks)
	}
	for i, key := range keys {
		if !owner.IsMark(key) || slices.Contains(keys[:i], key) {
			t.Errorf("%q is no mark, or is there twice", key)
		}
	}
}

func TestMarkKeyFindsTheTagBehindAName(t *testing.T) {
	tags := map[string]string{owner.Key("you"): "you", "kubernetes.io/cluster/demo": "owned"}
	for _, named := range []string{"you", "kubernetes.io/cluster/demo"} {
		if key, ok := owner.MarkKey(tags, named); !ok || tags[key] == "" {
			t.Errorf("MarkKey(%q) = %q, %v", named, key, ok)
		}
	}
	if _, ok := owner.MarkKey(tags, "nobody"); ok {
		t.Error("MarkKey found a mark of nobody")
	}
}
