// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package tagdiff_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

type tags = map[string]string

// with adds the memory that claims the keys.
func with(t tags, claimed ...string) tags {
	out := maps.Clone(t)
	maps.Copy(out, tagdiff.WriteClaims(claimed))
	return out
}

// withSecond adds the second tag of the memory.
func withSecond(t tags, memory string) tags {
	t[owner.Tags2Key] = memory
	return t
}

func TestCompute(t *testing.T) {
	tests := map[string]struct {
		in   tagdiff.Input
		want tagdiff.Diff
	}{
		"nothing wanted and nothing there": {tagdiff.Input{}, tagdiff.Diff{Set: tags{}}},
		"a foreign tag survives": {
			tagdiff.Input{Desired: tags{"team": "x"}, Observed: with(tags{"team": "x", "costcenter": "42"}, "team")},
			tagdiff.Diff{Set: tags{}},
		},
		"exact mode removes a foreign tag": {
			tagdiff.Input{Desired: tags{"team": "x"}, Observed: with(tags{"team": "x", "costcenter": "42"}, "team"), Exact: true},
			tagdiff.Diff{Set: tags{}, Remove: []string{"costcenter"}, User: true},
		},
		"aws keys are never touched": {
			tagdiff.Input{Desired: tags{"team": "y"}, Observed: with(tags{"AWS:stack": "s", "aws:x": "s", "team": "x"}, "team"), Exact: true},
			tagdiff.Diff{Set: tags{"team": "y"}, User: true},
		},
		"a changed value is claimed": {
			tagdiff.Input{Desired: tags{"team": "y"}, Observed: tags{"team": "x"}},
			tagdiff.Diff{Set: with(tags{"team": "y"}, "team"), User: true},
		},
		"a value that is already right is not claimed": {
			tagdiff.Input{Desired: tags{"team": "x"}, Observed: tags{"team": "x"}},
			tagdiff.Diff{Set: tags{}},
		},
		"a key that we set is removed, and the last claim with it": {
			tagdiff.Input{Observed: with(tags{"team": "x"}, "team")},
			tagdiff.Diff{Set: tags{}, Remove: []string{owner.TagsKey, "team"}, User: true},
		},
		"a claim on a key that is gone is given up": {
			tagdiff.Input{Desired: tags{"a": "1"}, Observed: with(tags{"a": "1"}, "a", "b")},
			tagdiff.Diff{Set: tagdiff.WriteClaims([]string{"a"})},
		},
		"a key that we removed is not ours when it is there again": {
			tagdiff.Input{Desired: tags{"a": "1"}, Observed: with(tags{"a": "1", "b": "theirs"}, "a", "b"), Untagged: []string{"b"}},
			tagdiff.Diff{Set: tagdiff.WriteClaims([]string{"a"})},
		},
		"nor when it is wanted as it is": {
			tagdiff.Input{Desired: tags{"a": "1", "b": "theirs"}, Observed: with(tags{"a": "1", "b": "theirs"}, "a", "b"), Untagged: []string{"b"}},
			tagdiff.Diff{Set: tagdiff.WriteClaims([]string{"a"})},
		},
		"it is ours when we set it again": {
			tagdiff.Input{Desired: tags{"b": "2"}, Observed: with(tags{"b": "theirs"}, "b"), Untagged: []string{"b"}},
			tagdiff.Diff{Set: tags{"b": "2"}, User: true},
		},
		"the second tag of the memory goes when the first holds all": {
			tagdiff.Input{Desired: tags{"a": "1"}, Observed: withSecond(with(tags{"a": "1"}, "a"), "1.")},
			tagdiff.Diff{Set: tags{}, Remove: []string{owner.Tags2Key}},
		},
		"and holds nothing before it goes": {
			tagdiff.Input{Desired: tags{"a": "1"}, Observed: withSecond(tags{"a": "1"}, tagdiff.WriteClaims([]string{"a"})[owner.TagsKey])},
			tagdiff.Diff{Set: with(tags{owner.Tags2Key: "1."}, "a")},
		},
		"a memory of another version claims nothing": {
			tagdiff.Input{Observed: tags{"team": "x", owner.TagsKey: "2.abcdef"}},
			tagdiff.Diff{Set: tags{}, Remove: []string{owner.TagsKey}},
		},
		"a torn memory claims nothing": {
			tagdiff.Input{Observed: tags{"team": "x", owner.TagsKey: "1.abc"}},
			tagdiff.Diff{Set: tags{}, Remove: []string{owner.TagsKey}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tagdiff.Compute(tt.in)); diff != "" {
				t.Errorf("Compute() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMemoryHoldsFiftyKeysInLegalTags(t *testing.T) {
	var keys []string
	for i := range 50 {
		keys = append(keys, fmt.Sprintf("key-%d", i))
	}
	memory := tagdiff.WriteClaims(keys)
	if len(memory) != 2 {
		t.Errorf("50 keys take %d tags, want 2", len(memory))
	}
	for key, value := range memory {
		if len(value) > 256 {
			t.Errorf("%s is %d characters long", key, len(value))
		}
	}
	claims := tagdiff.ReadClaims(memory)
	for _, key := range keys {
		if !claims.Has(key) {
			t.Errorf("%s was forgotten", key)
		}
	}
}

// apply does at the resource what a diff says.
func apply(observed tags, d tagdiff.Diff) tags {
	out := maps.Clone(observed)
	for _, key := range d.Remove {
		delete(out, key)
	}
	maps.Copy(out, d.Set)
	return out
}

func TestComputeConvergesAndSparesForeignTags(t *testing.T) {
	key := rapid.SampledFrom([]string{"a", "b", "c", "d", "aws:x", "e"})
	some := rapid.MapOf(key, rapid.SampledFrom([]string{"1", "2", ""}))
	mine := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}), rapid.SampledFrom([]string{"1", "2", ""}))
	rapid.Check(t, func(t *rapid.T) {
		observed := some.Draw(t, "observed")
		foreign := maps.Clone(observed)
		touched := map[string]bool{}
		for _, desired := range rapid.SliceOfN(mine, 1, 4).Draw(t, "desired") {
			d := tagdiff.Compute(tagdiff.Input{Desired: desired, Observed: observed})
			for k := range desired {
				touched[k] = touched[k] || foreign[k] != desired[k] || !hasKey(foreign, k)
			}
			observed = apply(observed, d)
			if again := tagdiff.Compute(tagdiff.Input{Desired: desired, Observed: observed}); !again.Empty() {
				t.Fatalf("not settled after one change: %+v", again)
			}
		}
		for k, v := range foreign {
			if !touched[k] && observed[k] != v {
				t.Fatalf("foreign tag %s was lost", k)
			}
		}
	})
}

func hasKey(m tags, k string) bool { _, ok := m[k]; return ok }

func TestNewClaimsEveryKey(t *testing.T) {
	desired := tags{"a": "1", "b": "2"}
	created := tagdiff.New(desired)
	gone := tagdiff.Compute(tagdiff.Input{Observed: created})
	if want := []string{"a", "b", owner.TagsKey}; !slices.Equal(gone.Remove, want) {
		t.Errorf("after creation Remove = %v, want %v", gone.Remove, want)
	}
}

// many are keys k-00 to k-nn.
func many(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("k-%02d", i)
	}
	return keys
}

// Whatever is wanted less, and wherever a caller stops between the calls, no key that
// stays is forgotten: at 42 keys the memory takes one tag less.
func TestTheMemoryIsNeverTooSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := many(rapid.IntRange(40, 46).Draw(t, "claimed"))
		observed, desired := tags{}, tags{}
		for _, key := range keys {
			observed[key], desired[key] = "1", "1"
		}
		observed = with(observed, keys...)
		for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID).Draw(t, "unwanted") {
			delete(desired, key)
			if rapid.Bool().Draw(t, "gone") {
				delete(observed, key)
			}
		}
		for range 10 {
			d := tagdiff.Compute(tagdiff.Input{Desired: desired, Observed: observed})
			if d.Empty() {
				if diff := cmp.Diff(with(desired, slices.Collect(maps.Keys(desired))...), observed); diff != "" {
					t.Fatalf("in the end (-want +got):\n%s", diff)
				}
				return
			}
			if len(d.Remove) > 0 { // removals are a call of their own, and come first
				d.Set = nil
			}
			observed = apply(observed, d)
			for key := range desired {
				if !tagdiff.ReadClaims(observed).Has(key) {
					t.Fatalf("%s is forgotten after %+v", key, d)
				}
			}
		}
		t.Fatal("it does not settle")
	})
}
