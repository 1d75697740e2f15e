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
	chars string    // without the stars
	stars positions // a star stands there
	// loose are the positions from which nothing but question marks leads to a
	// star, and those of the stars: whatever can follow at an earlier position can
	// follow there, too, since anything may come before the star.
	loose positions
	// final is the first loose position of the last star if the glob ends with it:
	// from there on only the number of characters counts. Beyond the end if not.
	final int
	// tail is the first position behind the last star: from there on the number of
	// characters is fixed.
	tail int
	// sample is a legal word that matches, as soon as one is known: chars with
	// letters for question marks, if that is one, or what a search has found.
	sample string
}

// positions is a set of positions.
type positions [longestName/64 + 1]uint64

func (s *positions) add(p int) { s[p/64] |= 1 << (p % 64) }

func (s *positions) has(p int) bool { return s[p/64]>>(p%64)&1 != 0 }

// newGlob takes text apart. Of a text that is longer than any name it keeps the
// beginning, which is longer than any name as well, so that neither matches one.
func newGlob(syn *syntax, text string) *glob {
	text = sparing(canonical(text))
	g := &glob{text: text}
	chars := make([]byte, 0, min(len(text), longestName))
	for i := 0; i < len(text) && len(chars) <= longestName; i++ {
		if text[i] == star {
			g.addStar(chars)
		} else {
			chars = append(chars, text[i])
		}
	}
	g.chars = string(chars)
	g.final = len(chars) + 1
	if g.loops(len(chars)) {
		g.final = len(strings.TrimRight(g.chars, "?"))
	}
	replace(chars, qmark, syn.letters[0])
	if syn.accepts(string(chars)) {
		g.sample = string(chars)
	}
	return g
}

// addStar notes a star behind chars.
func (g *glob) addStar(chars []byte) {
	p := len(chars)
	g.tail = p + 1
	g.stars.add(p)
	g.loose.add(p)
	for ; p > 0 && chars[p-1] == qmark; p-- {
		g.loose.add(p - 1)
	}
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

// sparing asks for the letter or digit that a star must take between a dash, an
// underscore or a dot and either end: no name begins or ends with these.
func sparing(text string) string {
	const other = "-_."
	if n := len(text) - 1; n > 0 && text[n] == star && strings.IndexByte(other, text[n-1]) >= 0 {
		text = text[:n] + "?*"
	}
	if len(text) > 1 && text[0] == star && strings.IndexByte(other, text[1]) >= 0 {
		text = "?" + text
	}
	return text
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

func (g *glob) loops(p int) bool { return g.stars.has(p) }

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

// step reads c at all positions of from. Of the loose positions only the last
// counts, and none below it.
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
	g.dropBelowLastLoose(to)
}

func (g *glob) dropBelowLastLoose(set []uint64) {
	if p := lastOf(set, g.loose[:]); p >= 0 {
		set[p/64] &= ^uint64(0) << (p % 64)
		clear(set[:p/64])
	}
}

// matched reports whether the end is among the positions.
func (g *glob) matched(set []uint64) bool {
	end := len(g.chars)
	return set[end/64]>>(end%64)&1 != 0
}

// certain reports whether the glob matches whatever follows, if that is so many
// characters at least.
func (g *glob) certain(set []uint64, atLeast int) bool {
	p := lastOf(set, g.loose[:])
	return p >= g.final && g.missing(p) <= atLeast
}

// dropTooLate drops the positions that can't be followed by that many characters.
func (g *glob) dropTooLate(set []uint64, atLeast int) {
	for p := max(g.tail, g.missing(atLeast)+1); p <= len(g.chars); p++ {
		set[p/64] &^= 1 << (p % 64)
	}
}

// lastOf is the greatest position that is in both sets, or -1.
func lastOf(set, among []uint64) int {
	for w, word := range slices.Backward(set) {
		if both := word & among[w]; both != 0 {
			return w*64 + 63 - bits.LeadingZeros64(both)
		}
	}
	return -1
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
