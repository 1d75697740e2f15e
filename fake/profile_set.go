// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// profileSet holds the profiles of a cluster, in the order of the hashes of their
// names. With many clusters, a look-up costs what it has to fetch from memory: the
// few profiles of a cluster lie together here, where a map would spread them.
type profileSet []profileSlot

type profileSlot struct {
	hash    uint64
	profile *profile
}

// hashName is FNV-1a of 64 bits.
func hashName(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// slot returns where the profile of a name is, or where it would be.
func (s profileSet) slot(name string) (i int, found bool) {
	h := hashName(name)
	i, found = slices.BinarySearchFunc(s, h, func(slot profileSlot, h uint64) int {
		return cmp.Compare(slot.hash, h)
	})
	for ; found && i < len(s) && s[i].hash == h; i++ {
		if s[i].profile.Name == name {
			return i, true
		}
	}
	return i, false
}

// get returns the profile of a name, or nil.
func (s profileSet) get(name string) *profile {
	if i, found := s.slot(name); found {
		return s[i].profile
	}
	return nil
}

// with stores a copy of a profile. It may change the array that s uses.
func (s profileSet) with(p *profile) profileSet {
	i, found := s.slot(p.Name)
	if found {
		s[i].profile = p.compact()
		return s
	}
	return slices.Insert(s, i, profileSlot{hashName(p.Name), p.compact()})
}

// without drops the profile of a name. It may change the array that s uses.
func (s profileSet) without(name string) profileSet {
	i, found := s.slot(name)
	if !found {
		return s
	}
	return slices.Delete(s, i, i+1)
}

// all yields the profiles in no order that means anything.
func (s profileSet) all() iter.Seq[*profile] {
	return func(yield func(*profile) bool) {
		for _, slot := range s {
			if !yield(slot.profile) {
				return
			}
		}
	}
}

// names returns the names, sorted.
func (s profileSet) names() []string {
	names := make([]string, 0, len(s))
	for p := range s.all() {
		names = append(names, p.Name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// MarshalJSON writes an object by name.
func (s profileSet) MarshalJSON() ([]byte, error) {
	byName := map[string]*profile{}
	for p := range s.all() {
		byName[p.Name] = p
	}
	return json.Marshal(byName)
}

// UnmarshalJSON reads an object by name.
func (s *profileSet) UnmarshalJSON(text []byte) error {
	var byName map[string]*profile
	if err := json.Unmarshal(text, &byName); err != nil {
		return err
	}
	*s = nil
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		p := byName[name]
		if p == nil {
			return fmt.Errorf("profile %q is null", name)
		}
		p.Name = name
		*s = s.with(p)
	}
	return nil
}
