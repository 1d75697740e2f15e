// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// clusterSet holds the clusters of a region: a hash table with linear probing.
// With many clusters, whatever a look-up comes to is in no cache, and it comes to
// two things: the cluster's place in the table, and the profile. Maps would lead it
// from a place to a cluster, to a place there, to a profile, and to two names.
type clusterSet struct {
	places []clusterPlace // as many as a power of two, a quarter of them free
	count  int
}

// clusterPlace is a cluster and what most look-ups want of it, in two cache lines.
type clusterPlace struct {
	name     shortName
	profiles profileSlots // empty while something of the cluster depends on the time
	cluster  *cluster     // nil: free
}

func (p *clusterPlace) named(name string) bool {
	return p.name.is(name) || p.name.long() && p.cluster.Name == name
}

// profile returns a profile of a cluster that is at rest, or nil: then the cluster
// has the answer.
func (s *clusterSet) profile(clusterName, name string) (*cluster, *profile) {
	place := s.find(clusterName)
	if place == nil {
		return nil, nil
	}
	if i := place.profiles.slot(name); i >= 0 {
		return place.cluster, place.profiles.slots[i]
	}
	return place.cluster, nil
}

// find returns the place of a cluster, or nil.
func (s *clusterSet) find(name string) *clusterPlace {
	if i, found := s.index(name); found {
		return &s.places[i]
	}
	return nil
}

// get returns the cluster of a name, or nil.
func (s *clusterSet) get(name string) *cluster {
	if place := s.find(name); place != nil {
		return place.cluster
	}
	return nil
}

// index returns where the cluster of a name is, or the free place where it would
// be. It must not be called while there is no place at all.
func (s *clusterSet) index(name string) (i int, found bool) {
	if len(s.places) == 0 {
		return 0, false
	}
	mask := len(s.places) - 1
	for i = int(hashName(name)) & mask; s.places[i].cluster != nil; i = (i + 1) & mask {
		if s.places[i].named(name) {
			return i, true
		}
	}
	return i, false
}

func (s *clusterSet) put(cl *cluster) {
	i, found := s.index(cl.Name)
	if !found && 4*(s.count+1) > 3*len(s.places) {
		s.grow()
		i, _ = s.index(cl.Name)
	}
	if !found {
		s.count++
	}
	s.places[i] = clusterPlace{name: shortNameOf(cl.Name), cluster: cl}
	if cl.atRest() {
		s.places[i].profiles = cl.Profiles.profileSlots
	}
}

// grow makes room for more, and gives each cluster a new place.
func (s *clusterSet) grow() {
	all := s.all()
	*s = clusterSet{places: make([]clusterPlace, max(8, 2*len(s.places)))}
	for _, cl := range all {
		s.put(cl)
	}
}

// remove frees a place, and moves up what was displaced from there.
func (s *clusterSet) remove(name string) {
	i, found := s.index(name)
	if !found {
		return
	}
	mask := len(s.places) - 1
	s.free(i)
	for i = (i + 1) & mask; s.places[i].cluster != nil; i = (i + 1) & mask {
		cl := s.places[i].cluster
		s.free(i)
		s.put(cl)
	}
}

func (s *clusterSet) free(i int) {
	s.places[i] = clusterPlace{}
	s.count--
}

// all returns the clusters by name.
func (s *clusterSet) all() map[string]*cluster {
	m := make(map[string]*cluster, s.count)
	for _, place := range s.places {
		if place.cluster != nil {
			m[place.cluster.Name] = place.cluster
		}
	}
	return m
}

// MarshalJSON writes an object by name.
func (s *clusterSet) MarshalJSON() ([]byte, error) { return json.Marshal(s.all()) }

// UnmarshalJSON reads an object by name.
func (s *clusterSet) UnmarshalJSON(text []byte) error {
	var byName map[string]*cluster
	if err := json.Unmarshal(text, &byName); err != nil {
		return err
	}
	*s = clusterSet{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		cl := byName[name]
		if cl == nil {
			return fmt.Errorf("cluster %q is null", name)
		}
		cl.Name = name
		s.put(cl)
	}
	return nil
}
