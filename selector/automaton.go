// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"math/bits"
	"slices"
	"strings"
)

// glob is a pattern taken apart for a search. Position p says that its first p
// characters, stars not counted, are read.
type glob struct {
	text  string
	chars string                     // without the stars
	stars [longestName/64 + 1]uint64 // bit p: a star stands at position p
	// shortest is chars with letters for question marks: if it is a legal word,
	// it is a shortest one that matches. Empty says that it isn't.
	shortest string
}

// newGlob takes text apart. Of a text that is longer than any name it keeps the
// beginning, which is longer than any name as well, so that neither matches one.
func newGlob(syn *syntax, text string) *glob {
	text = canonical(text)
	g := &glob{text: text}
	chars := make([]byte, 0, min(len(text), longestName))
	for i := 0; i < len(text) && len(chars) <= longestName; i++ {
		if text[i] == star {
			g.stars[len(chars)/64] |= 1 << (len(chars) % 64)
		} else {
			chars = append(chars, text[i])
		}
	}
	g.chars = string(chars)
	replace(chars, qmark, syn.letters[0])
	if syn.accepts(string(chars)) {
		g.shortest = string(chars)
	}
	return g
}

// canonical writes each run of wildcards as its question marks and then one star,
// if it has any: that matches the same and is easier to compare.
func canonical(text string) string {
	if !strings.Contains(text, "**") && !strings.Contains(text, "*?") {
		return text
	}
	var b strings.Builder
	starred := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == star:
			starred = true
			continue
		case c != qmark && starred:
			b.WriteByte(star)
			starred = false
		}
		b.WriteByte(text[i])
	}
	if starred {
		b.WriteByte(star)
	}
	return b.String()
}

func replace(word []byte, old, with byte) {
	for i, c := range word {
		if c == old {
			word[i] = with
		}
	}
}

// words is the length of a set of positions.
func (g *glob) words() int { return len(g.chars)/64 + 1 }

// missing is how many characters must still be read.
func (g *glob) missing(p int) int { return len(g.chars) - p }

func (g *glob) loops(p int) bool { return g.stars[p/64]>>(p%64)&1 != 0 }

// moves reports whether c can be the character after position p.
func (g *glob) moves(p int, c byte) bool {
	return p < len(g.chars) && (g.chars[p] == qmark || g.chars[p] == c)
}

// literalAt is the character after position p, if it is a certain one.
func (g *glob) literalAt(p int) (c byte, literal bool) {
	if p == len(g.chars) || g.chars[p] == qmark {
		return 0, false
	}
	return g.chars[p], true
}

// step reads c at all positions of from. Only the last star that is reached
// counts: whatever could follow at an earlier position can follow there, too.
func (g *glob) step(from, to []uint64, c byte) {
	clear(to)
	for p := range positionsIn(from) {
		if g.moves(p, c) {
			to[(p+1)/64] |= 1 << ((p + 1) % 64)
		}
	}
	for w := range to {
		to[w] |= from[w] & g.stars[w]
	}
	g.dropBelowLastStar(to)
}

func (g *glob) dropBelowLastStar(set []uint64) {
	for w := len(set) - 1; w >= 0; w-- {
		if stars := set[w] & g.stars[w]; stars != 0 {
			set[w] &= ^uint64(0) << (63 - bits.LeadingZeros64(stars))
			clear(set[:w])
			return
		}
	}
}

// matched reports whether the end is among the positions.
func (g *glob) matched(set []uint64) bool {
	end := len(g.chars)
	return set[end/64]>>(end%64)&1 != 0
}

// certain reports whether the glob matches whatever follows.
func (g *glob) certain(set []uint64) bool {
	return g.matched(set) && g.loops(len(g.chars))
}

// literals appends the letters that the positions name.
func (g *glob) literals(set []uint64, named []byte) []byte {
	for p := range positionsIn(set) {
		if c, literal := g.literalAt(p); literal && !slices.Contains(named, c) {
			named = append(named, c)
		}
	}
	return named
}

func positionsIn(set []uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for w, word := range set {
			for ; word != 0; word &= word - 1 {
				yield(w*64 + bits.TrailingZeros64(word))
			}
		}
	}
}
