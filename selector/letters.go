// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// lettersAt lists the letters that matter in state i. Breaks come first, so that
// they are tried last: the later a part ends, the shorter is the next one.
func (s *search) lettersAt(i int) []byte {
	s.letters = s.letters[:0]
	for n, at := range s.positionsOf(i) {
		c, literal := s.want[n].literalAt(at)
		if !s.want[n].loops(at) && (literal || s.want[n].missing(at) == 0) {
			// It is this letter or none.
			return s.only(c, literal)
		}
		if literal && !slices.Contains(s.letters, c) {
			s.letters = append(s.letters, c)
		}
	}
	if c, found := s.ordinary(i); found {
		s.letters = append(s.letters, c)
		return slices.Insert(s.letters, 0, []byte(s.syntax.breaks)...)
	}
	return append(append(s.letters[:0], s.syntax.letters...), s.syntax.breaks...)
}

func (s *search) only(c byte, exists bool) []byte {
	s.letters = s.letters[:0]
	if exists {
		s.letters = append(s.letters, c)
	}
	return s.letters
}

// ordinary returns the first ordinary letter that no glob names in state i.
func (s *search) ordinary(i int) (c byte, found bool) {
	s.named = append(s.named[:0], s.letters...)
	set := s.setsOf(i)
	for _, g := range s.deny {
		s.named = g.literals(set[:g.words()], s.named)
		set = set[g.words():]
	}
	for _, c := range []byte(s.syntax.letters[:s.syntax.ordinary]) {
		if !slices.Contains(s.named, c) {
			return c, true
		}
	}
	return 0, false
}
