// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "strings"

// Universe is a universe for tests: the rules of Kubernetes with fewer letters
// and shorter names, so small that all its pods can be listed.
type Universe struct {
	Lower, Upper, Other            string // letters; Other are some of - _ .
	Namespace, Prefix, Name, Value int    // the greatest lengths
}

func (u Universe) universe() universe {
	namespace := namespaceSyntax()
	namespace.letters, namespace.ordinary = u.Lower+u.Other, len(u.Lower)
	limit(namespace, u.Namespace)

	value := valueSyntax()
	value.letters, value.ordinary = u.Lower+u.Upper+u.Other, len(u.Lower+u.Upper)
	limit(value, u.Value)

	key := keySyntax()
	key.letters, key.ordinary = u.Lower+u.Upper+u.Other, len(u.Lower)
	limit(key, u.Name)
	for p := prefixStart; p <= prefixOther; p++ {
		key.phases[p].limit, key.phases[p].after = u.Prefix, 1+u.Name
	}
	return universe{namespace: namespace, key: key, value: value}
}

// limit makes names short, and characters that are no letters illegal.
func limit(s *syntax, n int) {
	next := s.next
	s.next = func(p phase, c byte) phase {
		if strings.IndexByte(s.letters+s.breaks, c) < 0 {
			return dead
		}
		return next(p, c)
	}

	for p := nameStart; p <= nameOther; p++ {
		s.phases[p].limit = n
	}
}

// CompareIn is Compare in a small universe.
func CompareIn(u Universe, a, b Selector) Relation {
	return newProver(u.universe()).compare(a, b)
}

// OutsideIn finds a pod of a small universe that a selects and none of others.
func OutsideIn(u Universe, a Selector, others []Selector) *Pod {
	p := newProver(u.universe())
	regions := make([]*region, len(others))
	for i, s := range others {
		regions[i] = p.region(s)
	}
	return p.outside(p.region(a), regions)
}

// CompareWithin is Compare with a budget of its own.
func CompareWithin(budget int, a, b Selector) Relation {
	p := newProver(kubernetes())
	p.search.budget = budget
	return p.compare(a, b)
}

// AnalyzeWithin is Analyze with a budget of its own for each question.
func AnalyzeWithin(budget int, profiles ...Profile) []Finding {
	return analyze(budget, profiles)
}
