// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"slices"
	"strings"
)

// need is one label of a selector, prepared for a search: some label of the pod
// must have a key that matches key and a value that matches value.
type need struct {
	key, value *glob
}

// group is a label of a pod under construction, with the values that all needs
// it serves ask for.
type group struct {
	key    string
	values []*glob
	value  string
}

// supply holds the keys that can serve a need, as far as they were looked for.
type supply struct {
	need
	keys   []string
	enough int  // so many keys are always enough
	dry    bool // there are no more
}

// labelSet finds a set of labels that meets every one of needs, and in which no
// label meets any of avoid.
//
// One label for each need is enough, and two needs may share one. A pod has one
// value for a key, so needs that use the same key must agree on the value. Only
// then do they interact, and they can avoid it if there are keys enough: of n
// needs, one that n keys can serve always finds one that the others leave free,
// wherever they are. So n keys for each need are all that must be looked at, and
// only those needs have to be tried in all combinations that fewer can serve.
//
// A key serves a need if it matches and if some value is left for it: a value
// that the need asks for and that is excluded by none of avoid whose key matches
// as well. Keys that match the same of avoid are alike; [prover.splitClass] goes
// through those classes.
func (p *prover) labelSet(needs, avoid []need) (labels map[string]string, found bool) {
	stock := make([]*supply, len(needs))
	for i, n := range needs {
		stock[i] = &supply{need: n, enough: len(needs)}
		if _, found := p.key(stock[i], avoid, 0); !found {
			return nil, false
		}
	}
	groups, found := p.placeAll(stock, avoid, nil, len(stock))
	if !found {
		groups, found = p.placeScarceFirst(stock, avoid)
	}
	if !found {
		return nil, false
	}
	labels = make(map[string]string, len(groups))
	for _, g := range groups {
		labels[g.key] = g.value
	}
	return labels, true
}

// placeAll gives each need the first label that will do of up to limit keys, and
// never goes back.
func (p *prover) placeAll(stock []*supply, avoid []need, groups []group, limit int) (placed []group, found bool) {
	for _, s := range stock {
		if groups, found = p.placeAnywhere(s, avoid, groups, limit); !found {
			return nil, false
		}
	}
	return groups, true
}

// placeAnywhere tries up to limit keys that can serve the need. It shares a label
// that is there only if the value is seen at sight: what many globs have in common
// can take long to find, and a key of its own is as good.
func (p *prover) placeAnywhere(s *supply, avoid []need, groups []group, limit int) (placed []group, found bool) {
	for i := range limit {
		key, left := p.key(s, avoid, i)
		if !left {
			break
		}
		if placed, found = p.place(s.need, key, avoid, groups, guess); found {
			return placed, true
		}
	}
	return nil, false
}

// placeScarceFirst tries all combinations of keys for the needs that few keys
// can serve. The others come last, when each still finds a key of its own.
func (p *prover) placeScarceFirst(stock []*supply, avoid []need) (placed []group, found bool) {
	var scarce, plentiful []*supply
	for _, s := range stock {
		if _, plenty := p.key(s, avoid, len(stock)-1); plenty {
			plentiful = append(plentiful, s)
		} else {
			scarce = append(scarce, s)
		}
	}
	slices.SortStableFunc(scarce, func(a, b *supply) int { return cmp.Compare(len(a.keys), len(b.keys)) })
	groups, found := p.combine(scarce, avoid, nil)
	if !found {
		return nil, false
	}
	return p.placeAll(plentiful, avoid, groups, len(stock))
}

func (p *prover) combine(scarce []*supply, avoid []need, groups []group) (placed []group, found bool) {
	if len(scarce) == 0 {
		return groups, true
	}
	for _, key := range scarce[0].keys {
		next, fits := p.place(scarce[0].need, key, avoid, groups, p.search.find)
		if !fits {
			continue
		}
		if placed, found = p.combine(scarce[1:], avoid, next); found {
			return placed, true
		}
	}
	return nil, false
}

// finder finds a word that all of want and none of deny match.
type finder func(syn *syntax, want, deny []*glob) (word string, found bool)

// place lets the label with this key serve n, if there is a value for all that it
// serves. If it serves others already, share looks for the value. Place leaves
// groups as they are.
func (p *prover) place(n need, key string, avoid []need, groups []group, share finder) (placed []group, found bool) {
	at := slices.IndexFunc(groups, func(g group) bool { return g.key == key })
	placed = slices.Clone(groups)
	if at < 0 {
		at, share = len(placed), p.search.find
		placed = append(placed, group{key: key})
	}
	g := &placed[at]
	g.values = append(slices.Clip(g.values), n.value)
	g.value, found = share(p.universe.value, g.values, excludedValues(avoid, key))
	return placed, found
}

// excludedValues are those that a label with this key may not have.
func excludedValues(avoid []need, key string) []*glob {
	var values []*glob
	for _, a := range avoid {
		if matchGlob(a.key.text, key) {
			values = append(values, a.value)
		}
	}
	return values
}

// key returns the i-th key that can serve the need.
func (p *prover) key(s *supply, avoid []need, i int) (key string, found bool) {
	for len(s.keys) <= i && !s.dry {
		if len(s.keys) == 1 && p.addSiblings(s, avoid) {
			continue
		}
		if key, found = p.unlike(s, avoid); !found {
			s.dry = true
			return "", false
		}
		s.keys = append(s.keys, key)
	}
	if i >= len(s.keys) {
		return "", false
	}
	return s.keys[i], true
}

// addSiblings adds keys that are the first one but for a letter in place of a
// character, or before it, and reports whether there are any. They must serve the
// need, and match none of avoid that the first one doesn't match.
func (p *prover) addSiblings(s *supply, avoid []need) (added bool) {
	if isLiteral(s.key.text) {
		return false
	}
	first := s.keys[0]
	more := slices.DeleteFunc(slices.Clone(avoid), func(a need) bool { return matchGlob(a.key.text, first) })
	for at := range len(first) {
		for _, rest := range []string{first[at+1:], first[at:]} {
			p.addLettersBetween(s, more, first[:at], rest)
		}
	}
	return len(s.keys) > 1
}

// addLettersBetween adds keys with any letter between two texts, until there are
// enough or one doesn't match, for then others hardly do.
func (p *prover) addLettersBetween(s *supply, avoid []need, before, after string) {
	syn := p.universe.key
	for _, c := range []byte(syn.letters[:syn.ordinary]) {
		key := before + string(c) + after
		switch {
		case slices.Contains(s.keys, key):
		case len(s.keys) >= s.enough || !matchGlob(s.key.text, key):
			return
		case syn.accepts(key) && !meetsAnyKey(avoid, key):
			s.keys = append(s.keys, key)
		}
	}
}

func meetsAnyKey(needs []need, key string) bool {
	return slices.ContainsFunc(needs, func(n need) bool { return matchGlob(n.key.text, key) })
}

// unlike finds a key that can serve the need and isn't one of the supply.
func (p *prover) unlike(s *supply, avoid []need) (key string, found bool) {
	class := keyClass{want: []*glob{s.key}}
	for _, known := range s.keys {
		class.deny = append(class.deny, newGlob(p.universe.key, known))
	}
	if !p.leavesValue(s.need, class) {
		return "", false
	}
	if key, found = p.search.find(p.universe.key, class.want, class.deny); !found {
		return "", false
	}
	return p.splitClass(s.need, avoid, class, key)
}

// keyClass is a set of keys, given by what they match and don't match, with the
// values that a label with such a key may not have.
type keyClass struct {
	want, deny []*glob
	excluded   []*glob
}

// leavesValue reports whether a label with a key of the class can serve n.
func (p *prover) leavesValue(n need, class keyClass) bool {
	_, found := p.search.find(p.universe.value, []*glob{n.value}, class.excluded)
	return found
}

// splitClass finds a key of the class that can serve n. It knows a key of it, and
// that it leaves n a value. It splits the class by the first of avoid: a key that
// doesn't match it is free of it, and one that does leaves fewer values.
func (p *prover) splitClass(n need, avoid []need, class keyClass, known string) (key string, found bool) {
	if len(avoid) == 0 {
		return known, true
	}
	within := matchGlob(avoid[0].key.text, known)
	outside, inside := class, class
	outside.deny = append(slices.Clip(class.deny), avoid[0].key)
	inside.want = append(slices.Clip(class.want), avoid[0].key)
	inside.excluded = append(slices.Clip(class.excluded), avoid[0].value)
	if key, found = p.member(outside, known, !within); found {
		if key, found = p.splitClass(n, avoid[1:], outside, key); found {
			return key, true
		}
	}
	if !p.leavesValue(n, inside) {
		return "", false
	}
	if key, found = p.member(inside, known, within); !found {
		return "", false
	}
	return p.splitClass(n, avoid[1:], inside, key)
}

// member finds a key of the class, if it isn't known that one is.
func (p *prover) member(class keyClass, key string, is bool) (member string, found bool) {
	if is {
		return key, true
	}
	return p.search.find(p.universe.key, class.want, class.deny)
}

// needs prepares labels, those with a literal key first: they have no choice.
func (p *prover) needs(labels map[string]string) []need {
	needs := make([]need, 0, len(labels))
	for key, value := range labels {
		needs = append(needs, need{key: newGlob(p.universe.key, key), value: newGlob(p.universe.value, value)})
	}
	slices.SortFunc(needs, func(a, b need) int {
		x, y := isLiteral(a.key.text), isLiteral(b.key.text)
		if x != y {
			if x {
				return -1
			}
			return 1
		}
		return strings.Compare(a.key.text, b.key.text)
	})
	return needs
}
