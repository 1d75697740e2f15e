// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/selector"
)

func TestCanonical(t *testing.T) {
	type labels = map[string]string
	tests := map[string]struct{ in, want selector.Selector }{
		"nothing to do":                {selector.Selector{Namespace: "a*b?"}, selector.Selector{Namespace: "a*b?"}},
		"empty labels are none":        {selector.Selector{Namespace: "a", Labels: labels{}}, selector.Selector{Namespace: "a"}},
		"stars in a row are one":       {selector.Selector{Namespace: "a**b"}, selector.Selector{Namespace: "a*b"}},
		"question marks come first":    {selector.Selector{Namespace: "a*?*?b"}, selector.Selector{Namespace: "a??*b"}},
		"keys and values, too":         {selector.Selector{Namespace: "a", Labels: labels{"k**": "v*?"}}, selector.Selector{Namespace: "a", Labels: labels{"k*": "v?*"}}},
		"one demand in two spellings":  {selector.Selector{Namespace: "a", Labels: labels{"k*": "v", "k**": "v"}}, selector.Selector{Namespace: "a", Labels: labels{"k*": "v"}}},
		"two demands stay two demands": {selector.Selector{Namespace: "a", Labels: labels{"k*": "v", "k***": "w"}}, selector.Selector{Namespace: "a", Labels: labels{"k*": "v", "k**": "w"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.in.Canonical()); diff != "" {
				t.Errorf("Canonical() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCanonicalKeepsTheMeaning(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab*?")), 0, 5, -1)
	plain := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		s := selector.Selector{Namespace: text.Draw(t, "namespace"), Labels: rapid.MapOfN(text, text, 0, 3).Draw(t, "labels")}
		c := s.Canonical()
		if diff := cmp.Diff(c, c.Canonical()); diff != "" {
			t.Fatalf("not idempotent (-once +twice):\n%s", diff)
		}
		namespace, labels := plain.Draw(t, "pod's namespace"), rapid.MapOfN(plain, plain, 0, 3).Draw(t, "pod's labels")
		if s.Matches(namespace, labels) != c.Matches(namespace, labels) {
			t.Fatalf("%+v and %+v differ on %s %v", s, c, namespace, labels)
		}
	})
}

func TestImpactSparesAProfileThatIsOnlySpeltInAnotherWay(t *testing.T) {
	before := []selector.Profile{{Name: "web", Selectors: []selector.Selector{{Namespace: "web-**"}}}}
	after := []selector.Profile{{Name: "web", Selectors: []selector.Selector{{Namespace: "web-*"}}}}
	pod := selector.Placed{Pod: selector.Pod{Namespace: "web-1", Name: "p"}, Profile: "web", Scheduler: selector.FargateScheduler}
	moves := selector.Impact(before, after, []selector.Placed{pod})
	if len(moves) != 1 || moves[0].Kind != selector.MoveStays {
		t.Errorf("Impact() = %+v", moves)
	}
}

func ExampleSelector_Canonical() {
	s := selector.Selector{Namespace: "web-**?"}
	fmt.Println(s.Canonical().Namespace)
	// Output: web-?*
}
