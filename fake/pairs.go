// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"slices"
	"strings"
	"unique"
)

// pairs are the tags of a profile or the labels of a selector, sorted by key. A
// map would spread them over memory, where each piece costs a look-up that is the
// first to touch it; keys are the same in many profiles and are kept once.
type pairs []pair

type pair struct {
	key   unique.Handle[string]
	value string
}

func pairsOf(m map[string]string) pairs {
	if len(m) == 0 {
		return nil
	}
	out := make(pairs, 0, len(m))
	for key, value := range m {
		out = append(out, pair{unique.Make(key), value})
	}
	slices.SortFunc(out, func(a, b pair) int { return strings.Compare(a.key.Value(), b.key.Value()) })
	return out
}

// toMap returns a map that the caller may change; never nil.
func (p pairs) toMap() map[string]string {
	m := make(map[string]string, len(p))
	for _, one := range p {
		m[one.key.Value()] = one.value
	}
	return m
}

// movedTo returns a copy that lies behind what is in room, and the room with it;
// without enough room, p and the room as they were.
func (p pairs) movedTo(room pairs) (moved, left pairs) {
	if len(p) > cap(room)-len(room) {
		return p, room
	}
	room = append(room, p...)
	return room[len(room)-len(p) : len(room) : len(room)], room
}

// MarshalJSON writes an object.
func (p pairs) MarshalJSON() ([]byte, error) { return json.Marshal(p.toMap()) }

// UnmarshalJSON reads an object.
func (p *pairs) UnmarshalJSON(text []byte) error {
	var m map[string]string
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	*p = pairsOf(m)
	return nil
}
