// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// state is how far the reading of a word has come, without its positions and
// sets, which [visited] keeps.
type state struct {
	phase  phase
	letter byte // the last one
	length int  // of the part
	parent int  // the state before the letter
	hash   int
	chain  int // the state before this one in the same bucket
}

const noState = -1

// visited is the states that a search has met.
type visited struct {
	states    []state
	positions []int    // perState for each state
	sets      []uint64 // words for each state
	perState  int
	words     int
	buckets   []int // the last state of each hash; their number is a power of two
}

func (v *visited) reset(perState, words int) {
	v.states, v.positions, v.sets = v.states[:0], v.positions[:0], v.sets[:0]
	v.perState, v.words = perState, words
	v.rehash(fewBuckets)
}

const fewBuckets = 256

func (v *visited) rehash(buckets int) {
	v.buckets = slices.Grow(v.buckets[:0], buckets)[:buckets]
	for i := range v.buckets {
		v.buckets[i] = noState
	}
	for i := range v.states {
		v.link(i)
	}
}

func (v *visited) bucket(hash int) *int { return &v.buckets[hash&(len(v.buckets)-1)] }

func (v *visited) link(i int) {
	bucket := v.bucket(v.states[i].hash)
	v.states[i].chain, *bucket = *bucket, i
}

func (v *visited) positionsOf(i int) []int {
	return v.positions[i*v.perState : (i+1)*v.perState]
}

func (v *visited) setsOf(i int) []uint64 {
	return v.sets[i*v.words : (i+1)*v.words]
}

// insert adds a state and returns its index.
func (v *visited) insert(s state, positions []int, sets []uint64) int {
	i := len(v.states)
	if i >= len(v.buckets) {
		v.rehash(4 * len(v.buckets))
	}
	s.hash = hashOf(s.phase, positions)
	v.states = append(v.states, s)
	v.positions = append(v.positions, positions...)
	v.sets = append(v.sets, sets...)
	v.link(i)
	return i
}

// dominated reports whether a state that was met dominates the new one.
func (v *visited) dominated(s state, positions []int, sets []uint64) bool {
	hash := hashOf(s.phase, positions)
	for i := *v.bucket(hash); i != noState; i = v.states[i].chain {
		old := &v.states[i]
		if old.hash == hash && old.length <= s.length && isPart(v.setsOf(i), sets) &&
			old.phase == s.phase && slices.Equal(v.positionsOf(i), positions) {
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

// hashOf leaves length and sets out: states that differ in them may dominate each
// other.
func hashOf(p phase, positions []int) int {
	const prime = 1099511628211
	hash := int(p)
	for _, at := range positions {
		hash = (hash ^ at) * prime
	}
	return hash ^ hash>>32
}
