// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
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

func BenchmarkCompare(b *testing.B) {
	for name, pair := range comparePairs() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				selector.Compare(pair[0], pair[1])
			}
		})
	}
}
