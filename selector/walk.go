// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "iter"

// matching yields, for each profile that matches p after pinning, the entry of
// its first selector that does, in the order in which EKS prefers them.
func (m *Matcher) matching(p Pod) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		pin, pinned := p.pin()
		namespace := namespaceOf(p.Namespace)
		c := cursor{literal: m.literal[namespace], wild: m.wild}
		done := -1
		for e := c.next(); e != nil; e = c.next() {
			if e.rank == done || pinned && m.profiles[e.rank].Name != pin || !e.selects(namespace, p.Labels) {
				continue
			}
			done = e.rank
			if !yield(e) {
				return
			}
		}
	}
}

// firstTwo returns the first entries that matching yields: the winner, and
// another profile that makes it ambiguous.
func (m *Matcher) firstTwo(p Pod) (first, second *entry) {
	for e := range m.matching(p) {
		if first != nil {
			return first, e
		}
		first = e
	}
	return first, nil
}

// cursor walks two ordered lists of entries as one.
type cursor struct {
	literal, wild []entry
}

// next returns the least entry that is left, or nil.
func (c *cursor) next() *entry {
	from := &c.literal
	if len(c.literal) == 0 || len(c.wild) > 0 && c.wild[0].before(&c.literal[0]) {
		from = &c.wild
	}
	if len(*from) == 0 {
		return nil
	}
	e := &(*from)[0]
	*from = (*from)[1:]
	return e
}

func (e *entry) before(other *entry) bool {
	if e.rank != other.rank {
		return e.rank < other.rank
	}
	return e.selector < other.selector
}

func (e *entry) selects(namespace string, labels map[string]string) bool {
	if !e.namespace.matches(namespace) {
		return false
	}
	for i := range e.labels {
		if !e.labels[i].metBy(labels) {
			return false
		}
	}
	return true
}

// metBy reports whether some label matches both patterns.
func (r *requirement) metBy(labels map[string]string) bool {
	if r.key.shape == shapeLiteral {
		value, found := labels[r.key.text]
		return found && r.value.matches(value)
	}
	for key, value := range labels {
		if r.key.matches(key) && r.value.matches(value) {
			return true
		}
	}
	return false
}
