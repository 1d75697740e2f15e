// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"github.com/eksfargate/eksfargate/fargate"
)

// draft is a profile in the making. Its methods return fields for the tables of
// the formats; each notes where in the file a value stands, so that what is
// found later can be reported there, in the words of the format.
type draft struct {
	Profile
	reader *reader
	at     place
	places map[string]place
	// broken are the parts that are there and could not be read: what follows from
	// their absence is not worth a word.
	broken map[string]bool
	// keys are the expressions of the map keys that are unresolved, by their place.
	keys map[string]string
	// initial is a second draft that fills in what this one leaves out.
	initial *draft
}

// newDraft begins a profile whose object is at the place.
func (r *reader) newDraft(format Format, at place) *draft {
	d := &draft{reader: r, at: at, places: map[string]place{}, broken: map[string]bool{}, keys: map[string]string{}}
	d.Source = Source{File: r.file, Line: at.node.line, Column: at.node.column, Format: format, Field: at.path}
	return d
}

// object reads a part of the profile, and notes where its missing fields belong.
func (d *draft) object(at place, table fields) bool {
	ok := d.reader.object(at, table)
	d.noteMisspelled(at, table)
	for _, name := range table.names() {
		key := table[name].key
		if _, noted := d.places[key]; key != "" && !noted {
			d.places[key] = at.member(name, d.reader.deref(at.node))
		}
	}
	return ok
}

// noteMisspelled marks the fields that an unknown field was meant to be.
func (d *draft) noteMisspelled(at place, table fields) {
	for _, p := range d.reader.deref(at.node).pairs {
		if _, known := table[p.key.text]; !known {
			d.broken[table[nearest(p.key.text, table.names())].key] = true
		}
	}
}

// text reads a string.
func (d *draft) text(key string, v *Value) field {
	return field{key, func(at place) {
		value, ok := d.reader.str(at)
		if ok {
			*v = value
		}
		d.broken[key] = !ok
		d.note(key, at)
	}}
}

// reference reads what stands for a string that another object holds, unless the
// string itself is given too.
func (d *draft) reference(key string, v *Value, expression func(place) string) field {
	return field{"", func(at place) {
		if v.IsUnset() {
			*v = Unresolved(expression(at))
			d.places[key] = at
		}
	}}
}

// subnets reads a list of strings.
func (d *draft) subnets() field {
	return field{keySubnets, func(at place) {
		d.places[keySubnets] = at
		if !d.reader.deref(at.node).isNull() {
			d.Subnets = []Value{}
		}
		d.reader.list(at, func(_ int, at place) {
			if v, ok := d.reader.str(at); ok {
				d.places[index(keySubnets, len(d.Subnets))] = at
				d.Subnets = append(d.Subnets, v)
			}
		})
	}}
}

// subnetReferences reads a list of references, unless ids are given too.
func (d *draft) subnetReferences(expression func(place) string) field {
	return field{"", func(at place) {
		if len(d.Subnets) > 0 && d.Subnets[0].IsKnown() {
			return
		}
		d.Subnets = nil
		d.reader.list(at, func(_ int, at place) {
			d.places[index(keySubnets, len(d.Subnets))] = at
			d.Subnets = append(d.Subnets, Unresolved(expression(at)))
		})
	}}
}

// tags reads a map of strings.
func (d *draft) tags() field {
	return field{keyTags, func(at place) {
		d.places[keyTags] = at
		d.Tags = d.reader.stringMap(at, d.noter(keyTags))
	}}
}

// noter notes the places of the entries of a map.
func (d *draft) noter(key string) func(entry, value Value, at place) {
	return func(entry, _ Value, at place) { d.noteEntry(key, entry, at) }
}

func (d *draft) noteEntry(key string, entry Value, at place) {
	d.places[entryOf(key, entry.Text)] = at
	if entry.IsUnresolved() {
		d.keys[entryOf(key, entry.Text)] = entry.Text
	}
}

// selectorTable makes the schema of one selector, which is key to the profile.
type selectorTable func(key string, s *Selector) fields

// selectors reads a list of selectors.
func (d *draft) selectors(table selectorTable) field {
	return field{keySelectors, func(at place) {
		d.places[keySelectors] = at
		d.reader.list(at, func(_ int, at place) {
			key := index(keySelectors, len(d.Selectors))
			d.places[key] = at
			var s Selector
			if n := d.reader.deref(at.node); n.kind == unresolvedNode {
				s.Namespace = Unresolved(n.text)
				d.places[member(key, keyNamespace)] = at
			} else {
				d.object(at, table(key, &s))
			}
			d.Selectors = append(d.Selectors, s)
		})
	}}
}

// plainSelector is the schema that most formats share.
func (d *draft) plainSelector(key string, s *Selector) fields {
	labels := member(key, keyLabels)
	return fields{
		"namespace": d.text(member(key, keyNamespace), &s.Namespace),
		"labels": {labels, func(at place) {
			d.places[labels] = at
			s.Labels = d.reader.stringMap(at, d.noter(labels))
		}},
	}
}

// observedStatus reads the status of a profile that exists.
func (d *draft) observedStatus() field {
	return field{keyStatus, func(at place) {
		d.places[keyStatus] = at
		n := d.reader.deref(at.node)
		if n.kind == scalarNode && n.plain && !n.isNull() && !d.reader.isString(place{at.path, n}) {
			return
		}
		d.Status = fargate.Status(n.word())
	}}
}

// observedARN reads the ARN of a profile that exists.
func (d *draft) observedARN() field {
	return field{"", func(at place) { d.ARN = d.reader.deref(at.node).word() }}
}

// note remembers where a part of the profile stands.
func (d *draft) note(key string, at place) {
	if key != "" {
		d.places[key] = at
	}
}

// place returns where a part of the profile stands, or else the nearest part
// that holds it, or else the profile.
func (d *draft) place(key string) place {
	for key != "" {
		if at, ok := d.places[key]; ok {
			return at
		}
		key = parent(key)
	}
	return d.at
}

// parent cuts the last member or index from a path.
func parent(key string) string {
	quoted := false
	cut := 0
	for i := 0; i < len(key); i++ {
		switch {
		case key[i] == '\\' && quoted:
			i++
		case key[i] == '"':
			quoted = !quoted
		case !quoted && (key[i] == '.' || key[i] == '['):
			cut = i
		}
	}
	return key[:cut]
}
