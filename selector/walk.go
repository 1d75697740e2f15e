// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "iter"

// candidate is a profile that matches, and its first selector that does.
type candidate struct {
	rank, selector int
}

// matching yields the profiles that match p, after pinning, in the order in
// which EKS prefers them.
func (m *Matcher) matching(p Pod) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		pin, pinned := p.pin()
		namespace := namespaceOf(p.Namespace)
		labels := podLabels{byKey: p.Labels}
		literal, wild := m.literal[namespace], m.wild
		for len(literal) > 0 || len(wild) > 0 {
			c := candidate{rank: firstRank(literal, wild), selector: NoSelector}
			literal = c.take(literal, namespace, &labels)
			wild = c.take(wild, namespace, &labels)
			if c.selector == NoSelector || pinned && m.profiles[c.rank].Name != pin {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// take looks through the blocks of c's rank, which come first, and returns the
// others.
func (c *candidate) take(blocks []block, namespace string, labels *podLabels) []block {
	for len(blocks) > 0 && blocks[0].rank == c.rank {
		if blocks[0].namespace.matches(namespace) {
			blocks[0].improve(c, labels)
		}
		blocks = blocks[1:]
	}
	return blocks
}

// firstRank is the least rank that is left in two ordered lists, of which one
// isn't empty.
func firstRank(a, b []block) int {
	switch {
	case len(a) == 0:
		return b[0].rank
	case len(b) == 0:
		return a[0].rank
	default:
		return min(a[0].rank, b[0].rank)
	}
}

// firstTwo returns the first candidates: the winner, and another one that makes
// it ambiguous.
func (m *Matcher) firstTwo(p Pod) (winner candidate, found, ambiguous bool) {
	for c := range m.matching(p) {
		if found {
			return winner, true, true
		}
		winner, found = c, true
	}
	return winner, found, false
}

// improve looks for the first selector whose labels are met, and takes it if it
// comes before the one that c has.
func (b *block) improve(c *candidate, labels *podLabels) {
	for i := range b.entries {
		e := &b.entries[i]
		if c.selector != NoSelector && c.selector < e.selector {
			return
		}
		if labels.meetAll(e.labels) {
			c.selector = e.selector
			return
		}
	}
}

// podLabels are the labels of a pod. Going through a map takes long, so they are
// listed the first time that a wildcard key needs them all.
type podLabels struct {
	byKey  map[string]string
	listed int
	list   [16]label
}

type label struct {
	key, value string
}

func (l *podLabels) meetAll(reqs []requirement) bool {
	for i := range reqs {
		if !l.meet(&reqs[i]) {
			return false
		}
	}
	return true
}

// meet reports whether some label matches both patterns.
func (l *podLabels) meet(r *requirement) bool {
	if r.key.shape == shapeLiteral {
		value, found := l.byKey[r.key.text]
		return found && r.value.matches(value)
	}
	if len(l.byKey) > len(l.list) {
		return r.metBy(l.byKey)
	}
	if l.listed == 0 {
		for key, value := range l.byKey {
			l.list[l.listed] = label{key, value}
			l.listed++
		}
	}
	for i := range l.list[:l.listed] {
		if r.key.matches(l.list[i].key) && r.value.matches(l.list[i].value) {
			return true
		}
	}
	return false
}

// metBy is for more labels than the list takes.
func (r *requirement) metBy(labels map[string]string) bool {
	for key, value := range labels {
		if r.key.matches(key) && r.value.matches(value) {
			return true
		}
	}
	return false
}
