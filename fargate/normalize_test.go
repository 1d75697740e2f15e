// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func TestNormalize(t *testing.T) {
	tests := map[string]struct{ spec, want fargate.Spec }{
		"the zero value stays":            {fargate.Spec{}, fargate.Spec{}},
		"empty becomes nil":               {fargate.Spec{Subnets: []string{}, Selectors: []selector.Selector{}, Tags: map[string]string{}}, fargate.Spec{}},
		"subnets are sorted, each once":   {fargate.Spec{Subnets: []string{subnetB, subnetA, subnetB}}, fargate.Spec{Subnets: []string{subnetA, subnetB}}},
		"selectors are sorted, each once": {fargate.Spec{Selectors: []selector.Selector{on("b"), on("a"), on("b")}}, fargate.Spec{Selectors: []selector.Selector{on("a"), on("b")}}},
		"empty labels become nil":         {fargate.Spec{Selectors: []selector.Selector{{Namespace: "a", Labels: map[string]string{}}}}, fargate.Spec{Selectors: []selector.Selector{on("a")}}},
		"wildcards take their shortest form": {
			fargate.Spec{Selectors: []selector.Selector{on("a**b*?c?**?", "k***", "*?*")}},
			fargate.Spec{Selectors: []selector.Selector{on("a*b?*c??*", "k*", "?*")}},
		},
		"question marks alone stay":        {fargate.Spec{Selectors: []selector.Selector{on("a??b?")}}, fargate.Spec{Selectors: []selector.Selector{on("a??b?")}}},
		"a demand written twice is one":    {fargate.Spec{Selectors: []selector.Selector{on("a", "k**", "v*", "k*", "v**")}}, fargate.Spec{Selectors: []selector.Selector{on("a", "k*", "v*")}}},
		"two demands of a key stay two":    {fargate.Spec{Selectors: []selector.Selector{on("a", "k****", "v", "k*", "w", "k***", "u")}}, fargate.Spec{Selectors: []selector.Selector{on("a", "k*", "u", "k**", "v", "k***", "w")}}},
		"tags stay":                        {fargate.Spec{Tags: map[string]string{"b": "", "a": "**"}}, fargate.Spec{Tags: map[string]string{"b": "", "a": "**"}}},
		"names and the role stay":          {fargate.Spec{ClusterName: "c**", Name: "n", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/p/x"}, fargate.Spec{ClusterName: "c**", Name: "n", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/p/x"}},
		"what is covered by another stays": {fargate.Spec{Selectors: []selector.Selector{on("a"), on("a", "k", "v")}}, fargate.Spec{Selectors: []selector.Selector{on("a"), on("a", "k", "v")}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.spec.Normalize()); diff != "" {
				t.Errorf("Normalize() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := rapid.OneOf(anySpec(), plausibleSpec()).Draw(t, "spec").Normalize()
		if diff := cmp.Diff(once, once.Normalize()); diff != "" {
			t.Fatalf("normalized twice (-once +twice):\n%s", diff)
		}
	})
}

func TestNormalizeGivesOneSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(anySpec(), plausibleSpec()).Draw(t, "spec")
		if diff := cmp.Diff(s.Normalize(), respelled(t, s).Normalize()); diff != "" {
			t.Fatalf("another spelling normalizes to another value (-want +got):\n%s", diff)
		}
	})
}

func TestNormalizeKeepsTheMeaning(t *testing.T) {
	word := rapid.StringMatching(`[abc]{1,5}`)
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		s := plausibleSpec().Draw(t, "spec")
		namespace, labels := word.Draw(t, "namespace"), rapid.MapOfN(word, word, 0, 3).Draw(t, "labels")
		before, after := anyMatches(s.Selectors, namespace, labels), anyMatches(s.Normalize().Selectors, namespace, labels)
		if before != after {
			t.Fatalf("%v on %s %v: matched %v before and %v after", s.Selectors, namespace, labels, before, after)
		}
		if before {
			matched++
		}
	})
	if matched == 0 {
		t.Error("no pod ever matched: the test says nothing")
	}
}

func anyMatches(selectors []selector.Selector, namespace string, labels map[string]string) bool {
	for _, s := range selectors {
		if s.Matches(namespace, labels) {
			return true
		}
	}
	return false
}

func TestNormalizeSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := plausibleSpec().Draw(t, "spec")
		before, n := deepCopy(s), s.Normalize()
		for i := range n.Subnets {
			n.Subnets[i] = "changed"
		}
		for i := range n.Selectors {
			if n.Selectors[i].Labels != nil {
				n.Selectors[i].Labels["changed"] = "x"
			}
			n.Selectors[i].Namespace = "changed"
		}
		if n.Tags != nil {
			n.Tags["changed"] = "x"
		}
		if diff := cmp.Diff(before, s); diff != "" {
			t.Fatalf("a write to the result reached the input (-before +after):\n%s", diff)
		}
	})
}

// deepCopy copies without any help of the package.
func deepCopy(s fargate.Spec) fargate.Spec {
	s.Subnets = slices.Clone(s.Subnets)
	selectors := slices.Clone(s.Selectors)
	for i := range selectors {
		selectors[i].Labels = maps.Clone(selectors[i].Labels)
	}
	s.Selectors = selectors
	s.Tags = maps.Clone(s.Tags)
	return s
}

func TestSelectorText(t *testing.T) {
	tests := map[string]struct {
		selector selector.Selector
		want     string
	}{
		"a namespace alone":             {on("web"), "web"},
		"labels are sorted":             {on("web", "tier", "x", "app", "api"), "web{app=api,tier=x}"},
		"wildcards are shortened":       {on("w**", "*?", "**"), "w*{?*=*}"},
		"an empty value":                {on("web", "app", ""), "web{app=}"},
		"a prefix":                      {on("web", "app.kubernetes.io/name", "a"), "web{app.kubernetes.io/name=a}"},
		"what is no pattern is quoted":  {on("a b", "k", "v,l=w", "\x1b[31m", "\u00e9\xff"), `"a b"{"\x1b[31m"="\u00e9\xff",k="v,l=w"}`},
		"the zero selector":             {selector.Selector{}, ""},
		"labels without a namespace":    {on("", "app", "api"), "{app=api}"},
		"two demands on a key are both": {on("web", "k**", "a", "k*", "b"), "web{k**=b,k*=a}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fargate.SelectorText(tt.selector); got != tt.want {
				t.Errorf("SelectorText() = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestSelectorTextTellsMeaningsApart(t *testing.T) {
	word := rapid.OneOf(glob(), rapid.StringMatching(`[a=,{}" ]{0,3}`))
	rapid.Check(t, func(t *rapid.T) {
		one, other := sel(word, word, word).Draw(t, "one"), sel(word, word, word).Draw(t, "other")
		norm := func(s selector.Selector) []selector.Selector {
			return fargate.Spec{Selectors: []selector.Selector{s}}.Normalize().Selectors
		}
		same := cmp.Equal(norm(one), norm(other))
		if (fargate.SelectorText(one) == fargate.SelectorText(other)) != same {
			t.Fatalf("%v and %v: equal %v, texts %s and %s", one, other, same, fargate.SelectorText(one), fargate.SelectorText(other))
		}
	})
}
