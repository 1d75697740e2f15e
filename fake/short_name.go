// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

// shortName is the name of something that is looked up, kept beside it, so that
// the two can be compared without fetching the text. A name that is too long for
// that is not kept.
type shortName struct {
	length uint8 // of the text, plus one; 0 for a long name
	text   [23]byte
}

func shortNameOf(name string) shortName {
	var s shortName
	if len(name) <= len(s.text) {
		s.length = uint8(1 + copy(s.text[:], name)) //nolint:gosec // at most 24
	}
	return s
}

func (s *shortName) long() bool { return s.length == 0 }

func (s *shortName) is(name string) bool {
	return !s.long() && string(s.text[:s.length-1]) == name
}

// hashName is FNV-1a of 32 bits.
func hashName(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
