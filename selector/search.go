// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// search finds legal words that match some globs and not others. It walks the
// product of all automata, the most promising states first. How many characters
// are missing at least is known for each two of the wanted globs, from a table.
//
// A state holds one position for each glob that must match (which of its
// characters are read; a star makes that a choice), the set of all possible
// positions for each glob that must not match, the phase of the syntax, and the
// length of the part. A state is dropped if too few characters are left of the
// length, and if another one, met before, dominates it: with the same positions
// and phase, no greater length, and sets that are part of its sets, it can go on
// with every word that the dropped one can.
// Only letters that matter are tried: those that a wanted glob names at its
// current position, those that break a part, and one ordinary letter that no glob
// names at its current positions, for all the others behave as it does, or worse.
// If every ordinary letter is named, all letters are tried.
//
// Each state costs one of the budget, and so does each question. When it is used
// up, find finds nothing and spent is true.
type search struct {
	budget int
	spent  bool

	syntax     *syntax
	want, deny []*glob
	pairs      []pair // of want

	visited          // all states
	open    frontier // those to expand

	next    []int    // scratch: positions of a successor
	nextSet []uint64 // scratch: sets of a successor
	stepped []uint64 // scratch: sets after a letter, whatever the positions
	letters []byte   // scratch: letters to try
	named   []byte   // scratch: letters that a glob names
}

// find returns a legal word that all of want and none of deny match.
func (s *search) find(syn *syntax, want, deny []*glob) (word string, found bool) {
	if !s.spend() {
		return "", false
	}
	if hopeless(want, deny) {
		return "", false
	}
	if word, found = guess(syn, want, deny); !found {
		word, found = s.walk(syn, want, deny)
	}
	if len(want) == 1 && len(deny) == 0 {
		want[0].sample = word
	}
	return word, found
}

func (s *search) walk(syn *syntax, want, deny []*glob) (word string, found bool) {
	s.reset(syn, want, deny)
	for _, p := range syn.start {
		if goal := s.add(state{phase: p, parent: noState}); goal {
			return "", true
		}
	}
	for i, open := s.open.pop(); open; i, open = s.open.pop() {
		if goal := s.expand(i); goal {
			return s.word(), true
		}
	}
	return "", false
}

func (s *search) reset(syn *syntax, want, deny []*glob) {
	s.syntax, s.want, s.deny = syn, want, deny
	words := 0
	for _, g := range deny {
		words += g.words()
	}
	s.visited.reset(len(want), words)
	s.open.reset()
	s.pairUp()
	s.next = slices.Grow(s.next[:0], len(want))[:len(want)]
	s.nextSet = slices.Grow(s.nextSet[:0], words)[:words]
	s.stepped = slices.Grow(s.stepped[:0], words)[:words]
	clear(s.next)
	clear(s.stepped)
	at := 0
	for _, g := range deny {
		s.stepped[at] = 1
		at += g.words()
	}
}

func (s *search) spend() bool {
	s.budget--
	s.spent = s.spent || s.budget < 0
	return !s.spent
}

// word reads the letters on the way to the last state.
func (s *search) word() string {
	var letters []byte
	for i := len(s.states) - 1; s.states[i].parent != noState; i = s.states[i].parent {
		letters = append(letters, s.states[i].letter)
	}
	slices.Reverse(letters)
	return string(letters)
}

// expand adds the successors of state i.
func (s *search) expand(i int) (goal bool) {
	from := s.states[i]
	for _, c := range s.lettersAt(i) {
		to := state{letter: c, parent: i}
		to.phase, to.length = s.syntax.step(from.phase, from.length, c)
		if to.phase == dead {
			continue
		}
		s.stepSets(i, c)
		if s.choose(i, 0, to) {
			return true
		}
	}
	return false
}

// choose tries every choice of the positions from the n-th on.
func (s *search) choose(i, n int, to state) (goal bool) {
	if n == len(s.want) {
		return s.add(to)
	}
	g, at := s.want[n], s.positionsOf(i)[n]
	moves := g.moves(at, to.letter)
	if moves {
		s.next[n] = at + 1
		if s.choose(i, n+1, to) {
			return true
		}
	}
	// What a star takes, a loose position behind it can do without.
	if g.loops(at) && (!moves || !g.loose.has(at+1)) {
		s.next[n] = at
		return s.choose(i, n+1, to)
	}
	return false
}

// stepSets computes the sets after letter c, for any positions.
func (s *search) stepSets(i int, c byte) {
	from, at := s.setsOf(i), 0
	for _, g := range s.deny {
		end := at + g.words()
		g.step(from[at:end], s.stepped[at:end], c)
		at = end
	}
}

// add appends a state with the scratch positions and sets, unless it leads
// nowhere, and reports whether it ends a word that was looked for.
func (s *search) add(to state) (goal bool) {
	missing := s.missing()
	if missing > s.syntax.room(to.phase, to.length) || s.denied(missing) {
		return false
	}
	if s.dominated(to, s.next, s.nextSet) || !s.spend() {
		return false
	}
	s.open.push(s.insert(to, s.next, s.nextSet), s.rank(missing))
	return missing == 0 && s.isGoal(to)
}

// missing is how many characters it takes at least from the next positions to
// the ends of all wanted globs.
func (s *search) missing() int {
	most := 0
	for n, g := range s.want {
		most = max(most, g.missing(s.next[n]))
	}
	for i := range s.pairs {
		most = max(most, s.pairs[i].missing(s.next))
	}
	return most
}

// denied computes the sets for the next positions, from where that many
// characters follow at least, and reports whether some glob of deny matches
// whatever they are.
func (s *search) denied(atLeast int) bool {
	copy(s.nextSet, s.stepped)
	at := 0
	for _, g := range s.deny {
		end := at + g.words()
		set := s.nextSet[at:end]
		if g.certain(set, atLeast) {
			return true
		}
		g.dropTooLate(set, atLeast)
		at = end
	}
	return false
}

// rank tells which state to expand first: one that lacks little of the wanted
// globs, and of the denied ones has matched little for good.
func (s *search) rank(missing int) int {
	rank, at := missing, 0
	for _, g := range s.deny {
		end := at + g.words()
		rank += lastOf(s.nextSet[at:end], g.loose[:]) + 1
		at = end
	}
	return rank
}

func (s *search) isGoal(to state) bool {
	if !s.syntax.phases[to.phase].accepting {
		return false
	}
	at := 0
	for _, g := range s.deny {
		if g.matched(s.nextSet[at : at+g.words()]) {
			return false
		}
		at += g.words()
	}
	return true
}
