// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// pair is two globs that must match the same word, with the least number of
// characters that this takes from any two positions on. It is a table with one
// row for each position of a, and a border of [impossible] behind the last row
// and behind each row.
type pair struct {
	a, b  int // their places among the wanted globs
	width int
	lacks []uint16
}

// impossible is more characters than any name has.
const impossible = 1 << 12

// missing is how many characters must still be read.
func (p *pair) missing(at []int) int { return int(p.lacks[at[p.a]*p.width+at[p.b]]) }

// pairUp makes the pairs of the wanted globs.
func (s *search) pairUp() {
	s.pairs = s.pairs[:0]
	for b := range s.want {
		for a := range b {
			n := len(s.pairs)
			s.pairs = slices.Grow(s.pairs, 1)[:n+1]
			s.pairs[n].a, s.pairs[n].b = a, b
			s.pairs[n].fill(s.want[a], s.want[b])
		}
	}
}

// fill computes the table from the ends of both globs to their beginnings.
func (p *pair) fill(x, y *glob) {
	p.width = len(y.chars) + 2
	size := (len(x.chars) + 2) * p.width
	p.lacks = slices.Grow(p.lacks[:0], size)[:size]
	below := p.lacks[size-p.width:]
	for j := range below {
		below[j] = impossible
	}
	for i := len(x.chars); i >= 0; i-- {
		row := p.lacks[i*p.width : (i+1)*p.width]
		fillRow(row, below, x, y, i)
		below = row
	}
}

// fillRow computes the row of position i of x. A character is read by both globs,
// or by one of them while the other is at a star.
func fillRow(row, below []uint16, x, y *glob, i int) {
	row[len(row)-1] = impossible
	atStar := x.loops(i)
	for j := len(y.chars); j >= 0; j-- {
		if i == len(x.chars) && j == len(y.chars) {
			row[j] = 0
			continue
		}
		least := uint16(impossible - 1)
		if i < len(x.chars) && j < len(y.chars) && !clash(x.chars[i], y.chars[j]) {
			least = min(least, below[j+1])
		}
		if y.loops(j) {
			least = min(least, below[j])
		}
		if atStar {
			least = min(least, row[j+1])
		}
		row[j] = least + 1
	}
}
