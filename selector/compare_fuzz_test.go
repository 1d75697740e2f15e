// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/selector"
)

// anySelector draws selectors that Kubernetes names may or may not match.
func anySelector() *rapid.Generator[selector.Selector] {
	glob := func(words ...string) *rapid.Generator[string] {
		return rapid.OneOf(
			rapid.SampledFrom(words),
			rapid.StringOfN(rapid.RuneFrom([]rune("ab-./_A*?")), 0, 12, -1),
			rapid.StringMatching(`[a-z]{1,3}[*?]{1,2}[a-z.]{0,3}/?[*?]?[a-zA-Z]{0,3}`),
		)
	}
	return rapid.Custom(func(t *rapid.T) selector.Selector {
		return selector.Selector{
			Namespace: glob("*", "web", "web-*", "kube-system", "?eb").Draw(t, "namespace"),
			Labels: rapid.MapOfN(
				glob("app", "tier", "*", "app*", "k?", "k8s-app", "eks.amazonaws.com/*", "*/component"),
				glob("*", "api", "a*", "*a", "?*", "kube-dns", ""), 0, 6).Draw(t, "labels"),
		}
	})
}

func relationHolds(t *rapid.T) {
	a, b := anySelector().Draw(t, "a"), anySelector().Draw(t, "b")
	if rapid.Bool().Draw(t, "b is a with more labels") {
		b.Namespace = a.Namespace
		maps.Copy(b.Labels, a.Labels)
	}
	r := selector.Compare(a, b)
	checkWitnesses(t, a, b, r)
	mirrored := selector.Relation{Kind: opposite(r.Kind), Both: r.Both, OnlyA: r.OnlyB, OnlyB: r.OnlyA}
	if diff := cmp.Diff(mirrored.Kind, selector.Compare(b, a).Kind); diff != "" {
		t.Errorf("Compare(b, a) is not the mirror of Compare(a, b) (-want +got):\n%s", diff)
	}
	if again := selector.Compare(a, b); !cmp.Equal(r, again) {
		t.Errorf("Compare gives %+v, then %+v", r, again)
	}
	if self := selector.Compare(a, a).Kind; self != selector.Equal && self != selector.Disjoint {
		t.Errorf("Compare(a, a) = %s", self)
	}
}

func TestRelationHolds(t *testing.T) { rapid.Check(t, relationHolds) }

func FuzzCompare(f *testing.F) { f.Fuzz(rapid.MakeFuzz(relationHolds)) }

// FuzzCompareText takes the globs as they are: two selectors of two labels.
func FuzzCompareText(f *testing.F) {
	f.Add("web", "k", "x", "k*", "y", "web", "k?*", "y", "*", "*")
	f.Add("*a*b*", "?", "1", "??", "2", "*b*a*", "a", "?", "*", "")
	f.Add("a**b", "*/?", "A", "*.*/*", "*-?", "a*b", "a/*", "*", "?/a", "?*")
	f.Fuzz(func(t *testing.T, an, ak1, av1, ak2, av2, bn, bk1, bv1, bk2, bv2 string) {
		a, b := on(an, ak1, av1, ak2, av2), on(bn, bk1, bv1, bk2, bv2)
		r := selector.Compare(a, b)
		if r.Kind != selector.Undecided {
			checkWitnesses(t, a, b, r)
		}
	})
}

// FuzzMatches compares the matcher with the definition of a glob.
func FuzzMatches(f *testing.F) {
	f.Add("a*b?", "axxbc")
	f.Add("*a*a*b", "aaaaaaaaaa")
	f.Fuzz(func(t *testing.T, glob, text string) {
		if len(glob) > 12 || len(text) > 24 || !isASCII(glob+text) || text == "" {
			t.Skip()
		}
		want := plainMatch(glob, text)
		if got := on(glob).Matches(text, nil); got != want {
			t.Errorf("%q matches %q: %v, want %v", glob, text, got, want)
		}
		m, err := selector.Compile(profile("p", on("*", "key", glob)))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Match(podIn("web", "key", text)).Profile != ""; got != want {
			t.Errorf("a compiled %q matches %q: %v, want %v", glob, text, got, want)
		}
	})
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
