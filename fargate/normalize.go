// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

// Normalize returns the spec in the one spelling of its meaning: subnets and
// selectors sorted and without repetition, runs of wildcards in their shortest
// form, empty lists and maps nil. It shares nothing with s, and it is idempotent.
//
// Specs that differ in nothing but such spelling normalize to the same value. What
// one entry says beyond another is kept, and so is the path of the role.
func (s Spec) Normalize() Spec {
	s.Subnets = sortedSet(s.Subnets)
	s.Selectors = normalSelectors(s.Selectors)
	s.Tags = normalMap(s.Tags)
	return s
}

func sortedSet(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	out := slices.Clone(values)
	slices.Sort(out)
	return slices.Compact(out)
}

func normalMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

func normalSelectors(selectors []selector.Selector) []selector.Selector {
	if len(selectors) == 0 {
		return nil
	}
	out := make([]selector.Selector, 0, len(selectors))
	for _, s := range selectors {
		out = append(out, s.Canonical())
	}
	slices.SortFunc(out, compareSelectors)
	return slices.CompactFunc(out, equalSelectors)
}

func compareSelectors(a, b selector.Selector) int {
	return strings.Compare(SelectorText(a), SelectorText(b))
}

func equalSelectors(a, b selector.Selector) bool {
	return a.Namespace == b.Namespace && len(a.Labels) == len(b.Labels) && (len(a.Labels) == 0 || maps.Equal(a.Labels, b.Labels))
}

// SelectorText writes a selector in one line, its labels sorted: web{app=api}.
// Selectors that [Spec.Normalize] makes equal have the same text, and no others: a
// part that holds what no pattern may hold stands in quotes.
func SelectorText(s selector.Selector) string {
	s = s.Canonical()
	if len(s.Labels) == 0 {
		return globText(s.Namespace)
	}
	pairs := make([]string, 0, len(s.Labels))
	for key, value := range s.Labels {
		pairs = append(pairs, globText(key)+"="+globText(value))
	}
	slices.Sort(pairs)
	return globText(s.Namespace) + "{" + strings.Join(pairs, ",") + "}"
}

func globText(glob string) string {
	if each(glob, func(c byte) bool { return isAlnum(c) || isGlob(c) || strings.IndexByte("-_./", c) >= 0 }) {
		return glob
	}
	return strconv.QuoteToASCII(glob)
}
