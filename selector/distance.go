// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "math"

// tooFar is the distance of texts that aren't worth comparing.
const tooFar = math.MaxInt32

// distance counts the characters to insert, delete or replace in text until
// pattern matches it. Texts far longer than Kubernetes allows are tooFar from
// everything, so that a report never takes long.
func distance(pattern, text string) int {
	const longest = 512
	if len(pattern) > longest || len(text) > longest {
		return tooFar
	}
	runes := []rune(text)
	// row[i] is the distance of the pattern so far to the first i characters.
	row := make([]int, len(runes)+1)
	for i := range row {
		row[i] = i
	}
	for _, p := range pattern {
		row = nextRow(row, p, runes)
	}
	return row[len(runes)]
}

func nextRow(previous []int, p rune, text []rune) []int {
	row := make([]int, len(previous))
	if p == star {
		row[0] = previous[0]
		for i := range text {
			row[i+1] = min(previous[i+1], row[i])
		}
		return row
	}
	row[0] = previous[0] + 1
	for i, c := range text {
		replace := previous[i]
		if p != qmark && p != c {
			replace++
		}
		row[i+1] = min(replace, previous[i+1]+1, row[i]+1)
	}
	return row
}
