// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

// Normalize returns the spec in the one spelling of its meaning: subnets and
// selectors sorted and without repetition, runs of wildcards in their shortest
// form, empty lists and maps nil. It shares nothing with s, and it is idempotent.
//
// Specs that mean the same normalize to the same value, but for the role, whose
// path is kept.
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
		out = append(out, normalSelector(s))
	}
	slices.SortFunc(out, compareSelectors)
	return slices.CompactFunc(out, equalSelectors)
}

func normalSelector(s selector.Selector) selector.Selector {
	out := selector.Selector{Namespace: normalGlob(s.Namespace)}
	for key, value := range s.Labels {
		key, value = normalGlob(key), normalGlob(value)
		// Two spellings of one key pattern with different values are two demands:
		// they stay apart, or a demand would be lost.
		if _, taken := out.Labels[key]; taken {
			return selector.Selector{Namespace: out.Namespace, Labels: maps.Clone(s.Labels)}
		}
		if out.Labels == nil {
			out.Labels = make(map[string]string, len(s.Labels))
		}
		out.Labels[key] = value
	}
	return out
}

// normalGlob writes each run of wildcards in its shortest form: the single
// characters that it asks for, then at most one star.
func normalGlob(glob string) string {
	if !strings.Contains(glob, "*?") && !strings.Contains(glob, "**") {
		return glob
	}
	var b strings.Builder
	for i := 0; i < len(glob); {
		if !isGlob(glob[i]) {
			b.WriteByte(glob[i])
			i++
			continue
		}
		end := i
		for end < len(glob) && isGlob(glob[end]) {
			end++
		}
		run := glob[i:end]
		b.WriteString(strings.Repeat("?", strings.Count(run, "?")))
		if strings.Contains(run, "*") {
			b.WriteByte('*')
		}
		i = end
	}
	return b.String()
}

func compareSelectors(a, b selector.Selector) int {
	return strings.Compare(SelectorText(a), SelectorText(b))
}

func equalSelectors(a, b selector.Selector) bool {
	return a.Namespace == b.Namespace && maps.Equal(a.Labels, b.Labels)
}

// SelectorText writes a selector in one line, its labels sorted: web{app=api}.
// Selectors that mean the same by [Spec.Normalize] have the same text.
func SelectorText(s selector.Selector) string {
	s = normalSelector(s)
	if len(s.Labels) == 0 {
		return s.Namespace
	}
	pairs := make([]string, 0, len(s.Labels))
	for key, value := range s.Labels {
		pairs = append(pairs, key+"="+value)
	}
	slices.Sort(pairs)
	return s.Namespace + "{" + strings.Join(pairs, ",") + "}"
}
