// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// profileSet holds the profiles of a cluster.
type profileSet struct {
	profileSlots
	others map[string]*profile // by name: those that came when no slot was free
}

// profileSlots are as many profiles as the default quota allows. Of those in other
// slots, a look-up compares one byte here and does not fetch their names.
type profileSlots struct {
	prints [10]uint8 // of the hashes of the names; 0: free
	slots  [10]*profile
}

// slot returns where the profile of a name is, or -1.
func (s *profileSlots) slot(name string) int {
	want := printOf(name)
	for i, print := range &s.prints {
		if print == want && s.slots[i].named(name) {
			return i
		}
	}
	return -1
}

func printOf(name string) uint8 { return uint8(max(1, hashName(name)>>24)) }

// get returns the profile of a name, or nil.
func (s *profileSet) get(name string) *profile {
	if i := s.slot(name); i >= 0 {
		return s.slots[i]
	}
	return s.others[name]
}

// put stores a copy of a profile.
func (s *profileSet) put(p *profile) {
	i := s.slot(p.Name)
	if _, other := s.others[p.Name]; i < 0 && !other {
		i = slices.Index(s.prints[:], 0)
	}
	if i >= 0 {
		s.prints[i], s.slots[i] = printOf(p.Name), p.compact()
		return
	}
	if s.others == nil {
		s.others = map[string]*profile{}
	}
	s.others[p.Name] = p.compact()
}

func (s *profileSet) remove(name string) {
	if i := s.slot(name); i >= 0 {
		s.prints[i], s.slots[i] = 0, nil
	}
	delete(s.others, name)
}

// clone returns a copy that can be changed alone.
func (s *profileSet) clone() profileSet {
	c := *s
	c.others = maps.Clone(s.others)
	return c
}

// all yields the profiles in no order that means anything.
func (s *profileSet) all() iter.Seq[*profile] {
	return func(yield func(*profile) bool) {
		for _, p := range s.byName() {
			if !yield(p) {
				return
			}
		}
	}
}

func (s *profileSet) byName() map[string]*profile {
	m := map[string]*profile{}
	for _, p := range s.slots {
		if p != nil {
			m[p.Name] = p
		}
	}
	maps.Copy(m, s.others)
	return m
}

// names returns the names, sorted.
func (s *profileSet) names() []string { return slices.Sorted(maps.Keys(s.byName())) }

// MarshalJSON writes an object by name.
func (s *profileSet) MarshalJSON() ([]byte, error) { return json.Marshal(s.byName()) }

// UnmarshalJSON reads an object by name.
func (s *profileSet) UnmarshalJSON(text []byte) error {
	var byName map[string]*profile
	if err := json.Unmarshal(text, &byName); err != nil {
		return err
	}
	*s = profileSet{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		p := byName[name]
		if p == nil {
			return fmt.Errorf("profile %q is null", name)
		}
		p.Name = name
		s.put(p)
	}
	return nil
}
