// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "maps"

func cloneSelectors(selectors []Selector) []Selector {
	clones := make([]Selector, len(selectors))
	for i, s := range selectors {
		clones[i] = Selector{Namespace: s.Namespace, Labels: maps.Clone(s.Labels)}
	}
	return clones
}
