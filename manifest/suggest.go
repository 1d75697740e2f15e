// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// nearest returns the candidate that name was probably meant to be, or "". A
// difference in case only always counts.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 1+max(1, min(len(name), maxNameLength)/3)
	for _, candidate := range candidates {
		if strings.EqualFold(name, candidate) {
			return candidate
		}
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// maxNameLength bounds the work on hostile names: no field has a longer one.
const maxNameLength = 64

// distance is the number of insertions, deletions and substitutions that turn a
// into b.
func distance(a, b string) int {
	if len(a) > maxNameLength {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// suggestion is the help for an unknown name.
func suggestion(name string, table fields) string {
	known := slices.Sorted(maps.Keys(table))
	if meant := nearest(name, known); meant != "" {
		return fmt.Sprintf("did you mean %s?", meant)
	}
	return "the fields here are " + strings.Join(known, ", ")
}
