// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// search finds legal words that match some globs and not others. It walks the
// product of all automata breadth first, so it finds a shortest word.
//
// A state holds one position for each glob that must match (which of its
// characters are read; a star makes that a choice), the set of all possible
// positions for each glob that must not match, the phase of the syntax, and the
// length of the part. A state is dropped if another one, met before, dominates
// it: with the same positions and phase, no greater length, and sets that are
// part of its sets, it can go on with every word that the dropped one can.
// Only letters that matter are tried: those that some glob names at its current
// positions, those that break a part, and one ordinary letter that no glob
// names, for all the others behave as it does, or worse. If every ordinary
// letter is named, all letters are tried.
//
// Each state costs one of the budget, and so does each question. When it is used
// up, find finds nothing and spent is true.
type search struct {
	budget int
	spent  bool

	syntax     *syntax
	want, deny []*glob
	width      int // words of all sets of a state

	states    []state
	positions []int    // len(want) for each state
	sets      []uint64 // width for each state
	heads     [512]int

	next    []int    // scratch: positions of a successor
	nextSet []uint64 // scratch: sets of a successor
	letters []byte   // scratch: letters to try
}

type state struct {
	phase  phase
	letter byte
	length int
	parent int
	chain  int // the state before in the bucket of this hash
}

const noState = -1

// find returns a shortest legal word that all of want and none of deny match.
func (s *search) find(syn *syntax, want, deny []*glob) (word string, found bool) {
	if !s.spend() {
		return "", false
	}
	if word, found = guess(syn, want, deny); found {
		return word, true
	}
	if hopeless(want, deny) {
		return "", false
	}
	s.reset(syn, want, deny)
	for _, p := range syn.start {
		if goal := s.add(state{phase: p, parent: noState}); goal {
			return "", true
		}
	}
	for i := 0; i < len(s.states); i++ {
		if goal := s.expand(i); goal {
			return s.word(), true
		}
	}
	return "", false
}

func (s *search) reset(syn *syntax, want, deny []*glob) {
	s.syntax, s.want, s.deny, s.width = syn, want, deny, 0
	for _, g := range deny {
		s.width += g.words()
	}
	s.states, s.positions, s.sets = s.states[:0], s.positions[:0], s.sets[:0]
	for i := range s.heads {
		s.heads[i] = noState
	}
	s.next = slices.Grow(s.next[:0], len(want))[:len(want)]
	s.nextSet = slices.Grow(s.nextSet[:0], s.width)[:s.width]
	clear(s.next)
	clear(s.nextSet)
	at := 0
	for _, g := range deny {
		s.nextSet[at] = 1
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

func (s *search) positionsOf(i int) []int {
	return s.positions[i*len(s.want) : (i+1)*len(s.want)]
}

func (s *search) setsOf(i int) []uint64 {
	return s.sets[i*s.width : (i+1)*s.width]
}

// expand adds the successors of state i.
func (s *search) expand(i int) (goal bool) {
	from := s.states[i]
	for _, c := range s.lettersAt(i) {
		to := state{letter: c, parent: i}
		to.phase, to.length = s.syntax.step(from.phase, from.length, c)
		if to.phase == dead || !s.stepSets(i, c) {
			continue
		}
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
	// A star that is reached takes whatever an earlier one would have taken.
	if g.loops(at) && (!moves || !g.loops(at+1)) {
		s.next[n] = at
		return s.choose(i, n+1, to)
	}
	return false
}

// stepSets computes the sets after letter c. It reports false if some glob of
// deny is bound to match whatever follows.
func (s *search) stepSets(i int, c byte) bool {
	from, at := s.setsOf(i), 0
	for _, g := range s.deny {
		end := at + g.words()
		if g.step(from[at:end], s.nextSet[at:end], c); g.certain(s.nextSet[at:end]) {
			return false
		}
		at = end
	}
	return true
}

// add appends a state with the scratch positions and sets, unless it leads
// nowhere, and reports whether it ends a word that was looked for.
func (s *search) add(to state) (goal bool) {
	room := s.syntax.room(to.phase, to.length)
	for n, g := range s.want {
		if g.missing(s.next[n]) > room {
			return false
		}
	}
	bucket := s.bucket(to.phase)
	if s.dominated(to, s.heads[bucket]) || !s.spend() {
		return false
	}
	to.chain = s.heads[bucket]
	s.heads[bucket] = len(s.states)
	s.states = append(s.states, to)
	s.positions = append(s.positions, s.next...)
	s.sets = append(s.sets, s.nextSet...)
	return s.isGoal(to)
}

func (s *search) isGoal(to state) bool {
	if !s.syntax.phases[to.phase].accepting {
		return false
	}
	for n, g := range s.want {
		if g.missing(s.next[n]) > 0 {
			return false
		}
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

func (s *search) bucket(p phase) int {
	hash := int(p)
	for _, at := range s.next {
		hash = (hash*251 + at) % len(s.heads)
	}
	return hash
}

// dominated reports whether a state of the chain dominates the new one.
func (s *search) dominated(to state, chain int) bool {
	for ; chain != noState; chain = s.states[chain].chain {
		old := s.states[chain]
		if old.phase == to.phase && old.length <= to.length &&
			slices.Equal(s.positionsOf(chain), s.next) && isPart(s.setsOf(chain), s.nextSet) {
			return true
		}
	}
	return false
}

func isPart(part, whole []uint64) bool {
	for i := range part {
		if part[i]&^whole[i] != 0 {
			return false
		}
	}
	return true
}

// lettersAt lists the letters that matter in state i.
func (s *search) lettersAt(i int) []byte {
	named := s.letters[:0]
	for n, at := range s.positionsOf(i) {
		c, literal := s.want[n].literalAt(at)
		if !s.want[n].loops(at) && (literal || s.want[n].missing(at) == 0) {
			// It is this letter or none.
			return s.only(c, literal)
		}
		if literal && !slices.Contains(named, c) {
			named = append(named, c)
		}
	}
	named = append(named, s.syntax.breaks...)
	set := s.setsOf(i)
	for _, g := range s.deny {
		named = g.literals(set[:g.words()], named)
		set = set[g.words():]
	}
	s.letters = s.withOrdinary(named)
	return s.letters
}

func (s *search) only(c byte, exists bool) []byte {
	s.letters = s.letters[:0]
	if exists {
		s.letters = append(s.letters, c)
	}
	return s.letters
}

// withOrdinary puts the first ordinary letter that isn't named in front. With
// none it returns all letters.
func (s *search) withOrdinary(named []byte) []byte {
	for _, c := range []byte(s.syntax.letters[:s.syntax.ordinary]) {
		if !slices.Contains(named, c) {
			named = append(named, c)
			named[0], named[len(named)-1] = c, named[0]
			return named
		}
	}
	return append(append(named[:0], s.syntax.letters...), s.syntax.breaks...)
}
