// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"slices"
	"strings"
)

// The shortcuts answer most questions of a search at sight. They are never
// wrong, and leave open what they can't tell.

// guess tries words that often do: one that is known to match a wanted glob; of
// two globs, one written behind the other; of a single one, with a letter that no
// denied glob names for each wildcard, with a long run of it for each star, or with
// a break.
func guess(syn *syntax, want, deny []*glob) (word string, found bool) {
	for i, g := range want {
		if g.sample != "" && matchAllBut(i, want, g.sample) && !matchAny(deny, g.sample) {
			return g.sample, true
		}
	}
	switch len(want) {
	case 1:
		return guessOfOne(syn, want[0], deny)
	case 2:
		word = joined(syn, want[0].text, want[1].text)
		return word, matchAllBut(-1, want, word) && !matchAny(deny, word) && syn.accepts(word)
	default:
		return "", false
	}
}

func guessOfOne(syn *syntax, g *glob, deny []*glob) (word string, found bool) {
	c, found := unnamed(syn, deny)
	if !found {
		return "", false
	}
	for _, run := range []int{1, longestRun(g)} {
		word = filled(g.text, c, run)
		if !matchAny(deny, word) && syn.accepts(word) {
			return word, true
		}
	}
	return guessBroken(syn, g, c, deny)
}

// guessBroken puts a break for one wildcard: the last one that will do.
func guessBroken(syn *syntax, g *glob, c byte, deny []*glob) (word string, found bool) {
	if syn.breaks == "" {
		return "", false
	}
	for i, name := len(g.text)-1, 0; i >= 0 && name <= maxName; i-- {
		if isWildcard(g.text[i]) {
			word = filled(g.text[:i], c, 0) + syn.breaks + filled(g.text[i+1:], c, 0)
			if !matchAny(deny, word) && syn.accepts(word) {
				return word, true
			}
		}
		if g.text[i] != star {
			name++
		}
	}
	return "", false
}

// filled puts c for each question mark and a run of c for each star.
func filled(text string, c byte, run int) string {
	word := make([]byte, 0, maxName)
	for i := range len(text) {
		switch text[i] {
		case qmark:
			word = append(word, c)
		case star:
			for range run {
				word = append(word, c)
			}
		default:
			word = append(word, text[i])
		}
	}
	return string(word)
}

// longestRun is how long a run for each star can be in a short name.
func longestRun(g *glob) int {
	stars := len(g.text) - len(g.chars)
	return max(0, maxName-len(g.chars)) / max(1, stars)
}

// joined writes the middle of b behind that of a, between the longer of their
// beginnings and the longer of their ends. If one of them has no star, it makes
// the other as long. Whether both match is to be seen.
func joined(syn *syntax, a, b string) string {
	a1, a2, a3 := split(a)
	b1, b2, b3 := split(b)
	middle := a2 + b2
	switch {
	case a1 == a:
		a1, a3, middle = "", "", b2+padding(a, b)
	case b1 == b:
		b1, b3, middle = "", "", a2+padding(b, a)
	}
	word := []byte(longer(a1, b1) + middle + longer(a3, b3))
	word = slices.DeleteFunc(word, func(c byte) bool { return c == star })
	replace(word, qmark, syn.letters[0])
	return string(word)
}

// padding is what a glob needs to be as long as one without stars.
func padding(fixed, glob string) string {
	return strings.Repeat("?", max(0, len(fixed)-len(glob)+strings.Count(glob, "*")))
}

// split cuts a glob at its first and its last star.
func split(glob string) (beginning, middle, end string) {
	first, last := strings.IndexByte(glob, star), strings.LastIndexByte(glob, star)
	if first < 0 {
		return glob, "", ""
	}
	return glob[:first], glob[first:last], glob[last+1:]
}

func longer(a, b string) string {
	if len(a) < len(b) {
		return b
	}
	return a
}

func matchAllBut(skip int, globs []*glob, word string) bool {
	for i, g := range globs {
		if i != skip && !matchGlob(g.text, word) {
			return false
		}
	}
	return true
}

func matchAny(globs []*glob, word string) bool {
	for _, g := range globs {
		if matchGlob(g.text, word) {
			return true
		}
	}
	return false
}

// unnamed returns the first ordinary letter that none of globs names.
func unnamed(syn *syntax, globs []*glob) (c byte, found bool) {
	for _, c := range []byte(syn.letters[:syn.ordinary]) {
		named := false
		for _, g := range globs {
			named = named || strings.IndexByte(g.chars, c) >= 0
		}
		if !named {
			return c, true
		}
	}
	return 0, false
}

// hopeless reports whether it can be seen that no word matches all of want and
// none of deny: two wanted globs differ before their first or after their last
// wildcard, or a denied one holds all that a wanted one does.
func hopeless(want, deny []*glob) bool {
	for i, g := range want {
		for _, other := range want[:i] {
			if endsDiffer(g.text, other.text) {
				return true
			}
		}
		for _, d := range deny {
			if holds(d, g.text) {
				return true
			}
		}
	}
	return false
}

func endsDiffer(a, b string) bool {
	n := min(len(a), len(b))
	for i := 0; i < n && a[i] != star && b[i] != star; i++ {
		if clash(a[i], b[i]) {
			return true
		}
	}
	for i := 1; i <= n && a[len(a)-i] != star && b[len(b)-i] != star; i++ {
		if clash(a[len(a)-i], b[len(b)-i]) {
			return true
		}
	}
	return false
}

func clash(a, b byte) bool { return a != b && a != qmark && b != qmark }

// holds reports whether outer matches inner read as a text, in which a star stands
// for any characters or none and a question mark for any one. Then outer matches
// all that inner matches. The converse doesn't hold: a name may be too short for a
// counterexample.
//
// Like [matchGlob] it goes back to the last star only.
func holds(outer *glob, inner string) bool {
	p, i := 0, 0
	back, retry := noState, 0
	for i < len(inner) {
		switch {
		case outer.loops(p) && back != p:
			back, retry = p, i
		case inner[i] == star && outer.loose.has(p):
			i++
		case inner[i] != star && outer.moves(p, inner[i]):
			p++
			i++
		case back == noState:
			return false
		default:
			retry++
			p, i = back, retry
		}
	}
	return p == len(outer.chars)
}
