// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/selector"
)

func namedSpec(name string) Spec {
	return Spec{ClusterName: "demo", Name: name, PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec", Selectors: []selector.Selector{{Namespace: "web"}}}
}

// A replacement that one version of this package begins goes on with the next one,
// so the name of a successor must not change between them.
func TestDerivedNameIsStable(t *testing.T) {
	const want = "web-999-ns2j76p4"
	if got := derivedName("web", firstGeneration, fingerprint(namedSpec("web"))); got != want {
		t.Errorf("derivedName() = %q, want %q", got, want)
	}
}

func TestDerivedNameSortsBeforeItsPredecessor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logical := rapid.StringMatching(`[a-z0-9][a-zA-Z0-9_-]{0,86}`).Draw(t, "logical")
		generation := rapid.IntRange(1, firstGeneration).Draw(t, "generation")
		old, young := namedSpec(logical), namedSpec(logical)
		young.Selectors = []selector.Selector{{Namespace: rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "namespace")}}
		predecessor, successor := derivedName(logical, generation, fingerprint(old)), derivedName(logical, generation-1, fingerprint(young))
		if successor >= predecessor {
			t.Fatalf("%s does not sort before %s", successor, predecessor)
		}
		for name, want := range map[string]int{predecessor: generation, successor: generation - 1} {
			if got, ok := generationOf(logical, name); !ok || got != want {
				t.Fatalf("generationOf(%s) = %d, %v, want %d", name, got, ok, want)
			}
			if len(name) > maxName || !isName(name) || !MayBelong(logical, name) {
				t.Fatalf("%s has %d characters, isName %v, MayBelong %v", name, len(name), isName(name), MayBelong(logical, name))
			}
		}
	})
}

func TestLongestLogicalNameLeavesRoom(t *testing.T) {
	logical := strings.Repeat("a", maxLogicalName)
	if got := derivedName(logical, 0, fingerprint(namedSpec(logical))); len(got) != maxName {
		t.Errorf("the derived name of %d characters has %d, want %d", maxLogicalName, len(got), maxName)
	}
}

func TestFingerprintFollowsTheImmutableMeaning(t *testing.T) {
	base := namedSpec("web")
	tests := map[string]struct {
		change func(*Spec)
		same   bool
	}{
		"nothing":             {func(*Spec) {}, true},
		"tags":                {func(s *Spec) { s.Tags = map[string]string{"a": "1"} }, true},
		"the name":            {func(s *Spec) { s.Name = "other" }, true},
		"a repeated selector": {func(s *Spec) { s.Selectors = append(s.Selectors, s.Selectors[0]) }, true},
		"the role":            {func(s *Spec) { s.PodExecutionRoleARN += "x" }, false},
		"a subnet":            {func(s *Spec) { s.Subnets = []string{"subnet-0aaa"} }, false},
		"another selector":    {func(s *Spec) { s.Selectors = []selector.Selector{{Namespace: "api"}} }, false},
		"a selector more":     {func(s *Spec) { s.Selectors = append(s.Selectors, selector.Selector{Namespace: "api"}) }, false},
		"a label on a selector": {func(s *Spec) {
			s.Selectors = []selector.Selector{{Namespace: "web", Labels: map[string]string{"a": "b"}}}
		}, false},
	}
	form := regexp.MustCompile(`^[a-z2-7]{8}$`)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			changed := namedSpec("web")
			tt.change(&changed)
			got := fingerprint(changed)
			if (got == fingerprint(base)) != tt.same || !form.MatchString(got) {
				t.Errorf("fingerprint() = %s, of the base %s, want the same: %v", got, fingerprint(base), tt.same)
			}
		})
	}
}

func TestImmutableKeepsWhatNoUpdateCanMake(t *testing.T) {
	all := Changes{{Field: FieldRole}, {Field: FieldTags, Mutable: true}}
	if got := all.immutable(); len(got) != 1 || got[0].Field != FieldRole || len(all) != 2 || all[1].Field != FieldTags {
		t.Errorf("immutable() = %v of %v", got, all)
	}
}

func TestIssuesText(t *testing.T) {
	if got := issuesText(nil); got != "EKS reports no health issue" {
		t.Errorf("issuesText(nil) = %q", got)
	}
	one, two := Issue{Code: IssueAccessDenied, Message: "a"}, Issue{Code: IssueInternalFailure, Message: "b"}
	if got, want := issuesText([]Issue{one, two}), one.String()+"; "+two.String(); got != want {
		t.Errorf("issuesText() = %q, want %q", got, want)
	}
}

func TestPolicyDefaults(t *testing.T) {
	want := Policy{
		Replacement: ReplacementForbid, Name: NamePinned, Drain: DrainNone, Adoption: AdoptionNever, TagMode: TagsMerge, Deletion: DeletionDelete, Attempts: 5,
	}
	if got := (Policy{}).withDefaults(); !samePolicy(got, want) {
		t.Errorf("withDefaults() = %+v, want %+v", got, want)
	}
	if got := (Policy{Attempts: -1}).withDefaults().Attempts; got != 0 {
		t.Errorf("negative attempts are %d, want none", got)
	}
	if got := (Policy{Attempts: 3, Drain: DrainConfirmed}).withDefaults(); got.Attempts != 3 || got.Drain != DrainConfirmed {
		t.Errorf("withDefaults() = %+v: what is set was lost", got)
	}
}

func samePolicy(a, b Policy) bool {
	return len(a.TakeOverFrom)+len(b.TakeOverFrom) == 0 && a.Replacement == b.Replacement && a.Name == b.Name && a.Drain == b.Drain &&
		a.Adoption == b.Adoption && a.TagMode == b.TagMode && a.Deletion == b.Deletion && a.Attempts == b.Attempts &&
		!a.FallBackToDeleteFirst && !a.AllowUnverifiedRole
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := list(words); got != want {
			t.Errorf("list(%q) = %q, want %q", words, got, want)
		}
	}
}
