// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"slices"
	"strings"
)

// Canonical returns the selector in the one spelling of its meaning: each run of
// wildcards in its shortest form, labels that are said twice once, and no labels
// as nil. It matches the same pods, shares nothing with s, and is idempotent.
func (s Selector) Canonical() Selector {
	out := Selector{Namespace: canonicalGlob(s.Namespace)}
	if len(s.Labels) == 0 {
		return out
	}
	out.Labels = make(map[string]string, len(s.Labels))
	for _, l := range canonicalLabels(s.Labels) {
		// Two spellings of one key pattern with different values are two demands: a
		// star more, which changes no meaning, keeps them apart.
		for taken(out.Labels, l.key) {
			l.key = strings.Replace(l.key, "*", "**", 1)
		}
		out.Labels[l.key] = l.value
	}
	return out
}

func taken(labels map[string]string, key string) bool {
	_, found := labels[key]
	return found
}

type keyAndValue struct{ key, value string }

// canonicalLabels are the labels in their shortest form, sorted and without
// repetition. A key can come twice, and then it has a star.
func canonicalLabels(labels map[string]string) []keyAndValue {
	out := make([]keyAndValue, 0, len(labels))
	for key, value := range labels {
		out = append(out, keyAndValue{canonicalGlob(key), canonicalGlob(value)})
	}
	slices.SortFunc(out, func(a, b keyAndValue) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value))
	})
	return slices.Compact(out)
}

// canonicalGlob writes each run of wildcards in its shortest form: the single
// characters that it asks for, then at most one star.
func canonicalGlob(glob string) string {
	if !strings.Contains(glob, "*?") && !strings.Contains(glob, "**") {
		return glob
	}
	var b strings.Builder
	for i := 0; i < len(glob); {
		if !isWildcard(glob[i]) {
			b.WriteByte(glob[i])
			i++
			continue
		}
		end := i
		for end < len(glob) && isWildcard(glob[end]) {
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

func isWildcard(c byte) bool { return c == '*' || c == '?' }
