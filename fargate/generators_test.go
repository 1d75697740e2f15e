// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// glob draws short patterns, so that runs of wildcards and equal meanings are
// frequent.
func glob() *rapid.Generator[string] { return rapid.StringMatching(`[ab*?]{1,5}`) }

func sel(namespace, key, value *rapid.Generator[string]) *rapid.Generator[selector.Selector] {
	return rapid.Custom(func(t *rapid.T) selector.Selector {
		return selector.Selector{
			Namespace: namespace.Draw(t, "namespace"),
			Labels:    rapid.OneOf(rapid.Just(map[string]string(nil)), rapid.MapOfN(key, value, 0, 3)).Draw(t, "labels"),
		}
	})
}

func globSelector() *rapid.Generator[selector.Selector] { return sel(glob(), glob(), glob()) }

// anySpec draws specs of all kinds: mostly valid parts, and anything.
func anySpec() *rapid.Generator[fargate.Spec] {
	word := rapid.OneOf(rapid.SampledFrom([]string{"", "web", "a**", "a*", "eks-x", roleR, subnetA, "aws:x", "a b", "eksfargate.io/x", a(101)}), near())
	return rapid.Custom(func(t *rapid.T) fargate.Spec {
		return fargate.Spec{
			ClusterName: word.Draw(t, "cluster"), Name: word.Draw(t, "name"), PodExecutionRoleARN: word.Draw(t, "role"),
			Subnets:   rapid.SliceOfN(word, 0, 4).Draw(t, "subnets"),
			Selectors: rapid.SliceOfN(sel(word, word, word), 0, 7).Draw(t, "selectors"),
			Tags:      rapid.MapOfN(word, word, 0, 4).Draw(t, "tags"),
		}
	})
}

// plausibleSpec draws specs of which most are valid.
func plausibleSpec() *rapid.Generator[fargate.Spec] {
	subnet := rapid.StringMatching(`subnet-[0-9a-f]{1,2}`)
	tagWord := rapid.StringMatching(`[abc=" ]{1,3}`)
	return rapid.Custom(func(t *rapid.T) fargate.Spec {
		return fargate.Spec{
			ClusterName: "demo", Name: rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "name"),
			PodExecutionRoleARN: rapid.StringMatching(`arn:aws:iam::111122223333:role/(p/)?[ab]`).Draw(t, "role"),
			Subnets:             rapid.SliceOfN(subnet, 0, 3).Draw(t, "subnets"),
			Selectors:           rapid.SliceOfN(globSelector(), 1, 4).Draw(t, "selectors"),
			Tags:                rapid.MapOfN(tagWord, tagWord, 0, 4).Draw(t, "tags"),
		}
	})
}

// respelled draws another spelling of what the spec says.
func respelled(t *rapid.T, s fargate.Spec) fargate.Spec {
	out := s
	out.Subnets = shuffled(t, s.Subnets)
	out.Selectors = shuffled(t, s.Selectors)
	for i, sel := range out.Selectors {
		labels := map[string]string{}
		for k, v := range sel.Labels {
			labels[respellGlob(t, k)] = respellGlob(t, v)
		}
		// Two keys must not become one.
		if len(labels) != len(sel.Labels) {
			labels = maps.Clone(sel.Labels)
		}
		out.Selectors[i] = selector.Selector{Namespace: respellGlob(t, sel.Namespace), Labels: labels}
	}
	out.Tags = maps.Clone(s.Tags)
	return out
}

// shuffled draws another order of the values, some of them twice.
func shuffled[T any](t *rapid.T, values []T) []T {
	out := slices.Clone(values)
	if len(out) > 0 && rapid.Bool().Draw(t, "repeat") {
		out = append(out, out[rapid.IntRange(0, len(out)-1).Draw(t, "which")])
	}
	return rapid.Permutation(out).Draw(t, "order")
}

// respellGlob doubles a star, or swaps a star and a question mark beside it.
func respellGlob(t *rapid.T, s string) string {
	for i := range len(s) {
		switch {
		case s[i] == '*' && rapid.Bool().Draw(t, "double"):
			return s[:i] + "*" + s[i:]
		case i+1 < len(s) && (s[i:i+2] == "*?" || s[i:i+2] == "?*"):
			return s[:i] + string(s[i+1]) + string(s[i]) + s[i+2:]
		}
	}
	return s
}
