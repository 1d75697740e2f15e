// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
)

// count is a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func countSeverity(problems []manifest.Problem, s manifest.Severity) int {
	n := 0
	for _, p := range problems {
		if p.Severity == s {
			n++
		}
	}
	return n
}

// valueText shows a value: its text, its expression, or that there is none.
func valueText(v manifest.Value) string {
	if v.IsUnset() {
		return "-"
	}
	return v.Text
}

// selectorsText shows selectors as web{app=api}, also unresolved ones.
func selectorsText(all []manifest.Selector) string {
	texts := make([]string, len(all))
	for i, s := range all {
		labels := map[string]string{}
		for key, v := range s.Labels {
			labels[key] = v.Text
		}
		texts[i] = selectorText(selector.Selector{Namespace: valueText(s.Namespace), Labels: labels})
	}
	return strings.Join(texts, " ")
}

// selectorText shows a selector as web{app=api}, whatever is in it.
func selectorText(s selector.Selector) string {
	labels := make([]string, 0, len(s.Labels))
	for _, key := range slices.Sorted(maps.Keys(s.Labels)) {
		labels = append(labels, key+"="+s.Labels[key])
	}
	if len(labels) == 0 {
		return s.Namespace
	}
	return s.Namespace + "{" + strings.Join(labels, ",") + "}"
}
