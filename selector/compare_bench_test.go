// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/selector"
)

// comparePairs are pairs of five labels with long globs in keys and values: the
// most that EKS accepts by default.
func comparePairs() map[string][2]selector.Selector {
	long := func(namespace, prefix, inner, value string) selector.Selector {
		labels := map[string]string{}
		for _, c := range []string{"a", "b", "c", "d", "e"} {
			key := prefix + strings.Repeat(c, 20) + inner + strings.Repeat(c, 20) + "*/name-" + c + "*of-the-?-label"
			labels[key] = value + strings.Repeat(c, 12) + "*" + strings.Repeat("x?", 6) + "*" + strings.Repeat("z", 8)
		}
		return selector.Selector{Namespace: namespace, Labels: labels}
	}
	names := func(globs ...string) selector.Selector {
		labels := map[string]string{}
		for _, g := range globs {
			labels[g] = g + "*value-?-of-*-" + g
		}
		return selector.Selector{Namespace: "*team*-prod-?*", Labels: labels}
	}
	ns := "*team*-prod-eu-??-*-" + strings.Repeat("a", 20) + "*"
	return map[string][2]selector.Selector{
		"fixed":      {long(ns, "*", "*", "a*"), long(strings.Repeat("?", 40), "*", "*", "*b")},
		"equal":      {long(ns, "*", "*", "*"), long(ns, "**", "**", "**")},
		"subset":     {long(ns, "*", "?*", "*"), long("*prod*", "*", "*", "*")},
		"overlap":    {long(ns, "*", "?*", "*"), long("*prod*", "*", "*?*?*", "a*")},
		"literal":    {long(ns, "", "", ""), long("*prod*", "*", "*", "*")},
		"scarce":     {names("?", "a", "?*", "b", "*"), names("??", "b", "?*", "c", "*")},
		"interwoven": {names("*a*b*c*d*e*f*", "*b*c*d*e*f*a*", "*c*d*e*f*a*b*", "*d*e*f*a*b*c*", "*e*f*a*b*c*d*"), names("*a*c*e*b*d*f*", "*a*b*c*", "*d*e*f*", "*f*e*d*c*b*a*", "*?a?*")},
	}
}

// hardPairs were the worst of a search for pairs that take long: among thousands
// of random ones, and by changing the worst again and again.
func hardPairs() map[string][2]selector.Selector {
	return map[string][2]selector.Selector{
		"tangled":          {tangled(7344, 63), tangled(7345, 63)},
		"tangled-prefixes": {tangled(7344, 317), tangled(7345, 317)},
		"tangled-values":   {tangledValues(6336), tangledValues(6337)},
		"window": {
			on("web", "?*-.aa*a*a*aaaa*a*a*aa?aaa*b*a?aaaaa*.??a?a.aaaa?*aa*a.?a?*", "x"),
			on("web", "*a??????????a?a*a???????*a??*", "x"),
		},
		"windows": {on("*a???????????????a?*a?*a*"), on("a*a?*-a*a*a??*aa*b?*aba?a?a???*a?-aaaa?-a-aa???*b")},
	}
}

// tangled is a selector whose globs are short of letters and full of wildcards.
func tangled(seed uint64, longestKey int) selector.Selector {
	r := rand.New(rand.NewPCG(seed, 0))
	s := selector.Selector{Namespace: tangledGlob(r, 63), Labels: map[string]string{}}
	for range 5 {
		s.Labels[tangledGlob(r, longestKey)] = tangledGlob(r, 63)
	}
	return s
}

// tangledValues has keys that leave no choice.
func tangledValues(seed uint64) selector.Selector {
	r := rand.New(rand.NewPCG(seed, 1))
	s := on("web")
	s.Labels = map[string]string{}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		s.Labels[key] = tangledGlob(r, 63)
	}
	return s
}

func tangledGlob(r *rand.Rand, longest int) string {
	const often = "aaaaab**??"
	glob := make([]byte, longest/2+r.IntN(longest/2))
	for i := range glob {
		glob[i] = often[r.IntN(len(often))]
	}
	return string(glob)
}

// beyondReach are three labels in each selector that only one key can meet, since
// no key is longer, with six values between them. To find what matches all six is
// to find a short text in which each of six texts is contained with gaps, for
// which no fast way is known.
func beyondReach() (a, b selector.Selector) {
	prefix, name := strings.Repeat("a", 253), strings.Repeat("N", 63)
	r := rand.New(rand.NewPCG(1, 0))
	make3 := func() selector.Selector {
		labels := map[string]string{}
		for _, slash := range []string{"/", "?", "*"} {
			var value strings.Builder
			value.WriteString("*")
			for range 31 {
				value.WriteString(string("abcde"[r.IntN(5)]) + "*")
			}
			labels[prefix+slash+name] = value.String()
		}
		return selector.Selector{Namespace: "web", Labels: labels}
	}
	return make3(), make3()
}

func BenchmarkCompare(b *testing.B) {
	pairs := comparePairs()
	maps.Copy(pairs, hardPairs())
	x, y := beyondReach()
	pairs["beyond-reach"] = [2]selector.Selector{x, y}
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		pair := pairs[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				selector.Compare(pair[0], pair[1])
			}
		})
	}
}
