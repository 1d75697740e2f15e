// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"slices"
	"strings"
)

// The shortcuts answer most questions of a search at sight. They are never
// wrong, and leave open what they can't tell.

// guess tries words that often do: those that come of a wanted glob by leaving
// out its stars, or by putting a letter for each wildcard that no denied glob
// names, and of two globs by writing one behind the other.
func guess(syn *syntax, want, deny []*glob) (word string, found bool) {
	for i, g := range want {
		if g.shortest != "" && matchAllBut(i, want, g.shortest) && !matchAny(deny, g.shortest) {
			return g.shortest, true
		}
	}
	if len(want) == 2 {
		word = joined(syn, want[0].text, want[1].text)
		return word, syn.accepts(word) && matchAllBut(-1, want, word) && !matchAny(deny, word)
	}
	c, found := unnamed(syn, deny)
	if len(want) > 2 || !found {
		return "", false
	}
	letters := []byte(want[0].text)
	replace(letters, star, c)
	replace(letters, qmark, c)
	word = string(letters)
	return word, syn.accepts(word) && !matchAny(deny, word)
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
			if holds(d.text, g.text) {
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

// holds reports whether outer matches inner read as a text, where only a star
// takes a star, and a question mark or a star takes a question mark. Then outer
// matches all that inner matches; the converse doesn't hold.
func holds(outer, inner string) bool {
	p, i := 0, 0
	afterStar, retry := -1, 0
	for i < len(inner) {
		switch {
		case p < len(outer) && outer[p] == star:
			p++
			afterStar, retry = p, i
		case p < len(outer) && inner[i] != star && (outer[p] == qmark || outer[p] == inner[i]):
			p++
			i++
		case afterStar < 0:
			return false
		default:
			retry++
			p, i = afterStar, retry
		}
	}
	return strings.TrimLeft(outer[p:], "*") == ""
}
