// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"slices"
)

// place is a node and its path in the words of the format.
type place struct {
	path string
	node *node
}

func (p place) member(name string, n *node) place { return place{member(p.path, name), n} }
func (p place) index(i int, n *node) place        { return place{index(p.path, i), n} }
func (p place) entry(key string, n *node) place   { return place{entryOf(p.path, key), n} }

// field is what is known of one field of a format.
type field struct {
	// key is what the profile calls the field, "" if it has no such thing.
	key string
	// read takes the value over. Nil: the field is known, and of no interest.
	read func(at place)
}

// fields is the schema of an object: every name it may have.
type fields map[string]field

// ignored are fields that a format has and a profile has not.
func ignored(names ...string) fields {
	table := fields{}
	for _, name := range names {
		table[name] = field{}
	}
	return table
}

// with returns a table that has the fields of both.
func (f fields) with(other fields) fields {
	both := maps.Clone(f)
	maps.Copy(both, other)
	return both
}

// reader collects what is found in one file.
type reader struct {
	file     string
	profiles []Profile
	pods     []Pod
	problems []Problem
	counts   map[Severity]int
	// resolve turns what a format uses in place of a literal into a literal, or
	// into an unresolved node. Nil: the format has nothing of the kind.
	resolve func(*node) *node
	// nullIsUnset: the format writes null for what is not there.
	nullIsUnset bool
	// cluster is that of profiles that name none.
	cluster string
}

// maxProblems bounds what is reported of each severity.
const maxProblems = 1000

func newReader(file string) *reader {
	return &reader{file: file, counts: map[Severity]int{}}
}

func (r *reader) report(severity Severity, at place, code Code, message, help string) {
	if r.counts[severity]++; r.counts[severity] > maxProblems {
		return
	}
	p := Problem{Severity: severity, File: r.file, Field: at.path, Code: code, Message: message, Help: help}
	if at.node != nil {
		p.Line, p.Column = at.node.line, at.node.column
	}
	r.problems = append(r.problems, p)
}

func (r *reader) fail(at place, code Code, message, help string) {
	r.report(SeverityError, at, code, message, help)
}

func (r *reader) warn(at place, code Code, message, help string) {
	r.report(SeverityWarning, at, code, message, help)
}

// deref applies the references of the format.
func (r *reader) deref(n *node) *node {
	if r.resolve == nil {
		return n
	}
	return r.resolve(n)
}

// object reads a map whose every field is in the table. It reports whether it
// was one.
func (r *reader) object(at place, table fields) bool {
	return r.walk(at, table, func(key pair) {
		if key.key.kind != scalarNode {
			r.mustBe(place{at.path, key.key}, dueName)
			return
		}
		name := key.key.text
		r.fail(at.member(name, key.key), CodeUnknownField, fmt.Sprintf("unknown field %q", clip(name)), suggestion(name, table))
	})
}

// open reads the fields of the table from a map that may have others.
func (r *reader) open(at place, table fields) {
	if !r.deref(at.node).isNull() {
		r.walk(at, table, func(pair) {})
	}
}

func (r *reader) walk(at place, table fields, unknown func(pair)) bool {
	n := r.deref(at.node)
	if !n.isMap() {
		r.mustBe(place{at.path, n}, dueMap)
		return false
	}
	for _, key := range n.repeated {
		if _, known := table[key.text]; known {
			r.repeated(at, key)
		}
	}
	for _, p := range n.pairs {
		f, known := table[p.key.text]
		switch {
		case p.key.kind != scalarNode || !known:
			unknown(p)
		case f.read != nil && !r.absent(p.value):
			f.read(at.member(p.key.text, p.value))
		}
	}
	return true
}

func (r *reader) repeated(at place, key *node) {
	r.fail(at.member(key.text, key), CodeDuplicateKey, fmt.Sprintf("%q is given twice", clip(key.text)),
		"keep one: which of them a reader takes is not defined")
}

// absent reports whether a value is there only to say that there is none.
func (r *reader) absent(n *node) bool {
	n = r.deref(n)
	return n.kind == absentNode || r.nullIsUnset && n.isNull()
}

// list calls each for the elements of a list. Null is an empty list. It reports
// whether the list was there, and hands an unresolved list to each as it is.
func (r *reader) list(at place, each func(i int, at place)) {
	n := r.deref(at.node)
	switch {
	case n.isNull():
	case n.kind == unresolvedNode:
		each(0, place{at.path, n})
	case n.kind != sequenceNode || n.tag != "":
		r.mustBe(place{at.path, n}, dueList)
	default:
		for i, item := range n.items {
			if !r.absent(item) || item.isNull() {
				each(i, at.index(i, item))
			}
		}
	}
}

// stringMap reads a map of strings. Null is nil.
func (r *reader) stringMap(at place, found func(key, value Value, at place)) map[string]Value {
	n := r.deref(at.node)
	switch {
	case n.isNull():
		return nil
	case n.kind == unresolvedNode:
		return map[string]Value{n.text: Unresolved(n.text)}
	case !n.isMap():
		r.mustBe(place{at.path, n}, dueValues)
		return nil
	}
	return r.entries(at, n, found)
}

func (r *reader) entries(at place, n *node, found func(key, value Value, at place)) map[string]Value {
	for _, key := range n.repeated {
		r.fail(at.entry(key.text, key), CodeDuplicateKey, fmt.Sprintf("the key %q is given twice", clip(key.text)),
			"keep one: which of them a reader takes is not defined")
	}
	values := make(map[string]Value, len(n.pairs))
	for _, p := range n.pairs {
		if r.absent(p.value) && !p.value.isNull() {
			continue
		}
		key, ok := r.str(at.entry(p.key.text, p.key))
		value, okValue := r.str(at.entry(p.key.text, p.value))
		if ok && okValue {
			r.addEntry(values, key, value)
			found(key, value, at.entry(p.key.text, p.value))
		}
	}
	return values
}

// addEntry keeps the rule of Profile.Tags: a value under an unresolved key is
// unresolved.
func (r *reader) addEntry(values map[string]Value, key, value Value) {
	if key.IsUnresolved() {
		value = Unresolved(value.Text)
	}
	values[key.Text] = value
}

// str reads a string. It reports whether there is a value, known or not.
func (r *reader) str(at place) (Value, bool) {
	n := r.deref(at.node)
	at.node = n
	switch {
	case n.kind == unresolvedNode:
		return Unresolved(n.text), true
	case n.kind != scalarNode || n.tag != "" || n.isNull():
		r.mustBe(at, dueText)
		return Value{}, false
	case hasTemplate(n.text):
		r.template(at)
		return Value{}, false
	case hasVariable(n.text):
		return Unresolved(n.text), true
	case n.plain && !r.isString(at):
		return Value{}, false
	}
	return Known(n.text), true
}

// isString reports whether every YAML reader takes a bare word for a string.
func (r *reader) isString(at place) bool {
	text := at.node.text
	help := fmt.Sprintf("put it in quotes: %q", clip(text))
	switch class := scalarClass(text); class {
	case classString:
		return true
	case classDate:
		r.warn(at, CodeNeedsQuotes, clip(text)+" without quotes is a date to some YAML readers", help)
		return true
	default:
		r.fail(at, CodeNeedsQuotes, fmt.Sprintf("a string is due, and %s without quotes is %s to YAML readers", clip(text), class), help)
		return false
	}
}

func (r *reader) template(at place) {
	r.fail(at, CodeTemplate, templateMessage, "render it (helm template, or the tool that the template is for) and pass the result")
}

// mustBe reports that a node has the wrong shape.
func (r *reader) mustBe(at place, due string) {
	n := at.node
	switch {
	case n.isTemplate():
		r.template(at)
	case n.tag != "":
		r.fail(at, CodeType, fmt.Sprintf("%s is due, found the tag %s", due, n.tag), "tags like that mean nothing in this format; write the value itself")
	case n.kind == unresolvedNode:
		r.report(SeverityUnresolved, at, CodeUnresolved, "what "+n.text+" stands for can't be known from this file", "replace it by its value")
	case n.isNull():
		r.fail(at, CodeType, due+" is due, found null", "give a value or remove the field")
	default:
		r.fail(at, CodeType, fmt.Sprintf("%s is due, found %s", due, n.describe()), formOf(due))
	}
}

// formOf says how what is due is written.
func formOf(due string) string {
	switch due {
	case dueList:
		return "write each entry on a line that begins with -, or all of them in [ ]"
	case dueText, dueName:
		return "write one word or a text in quotes"
	default:
		return "write each field on a line as name: value, or all of them in { }"
	}
}

// What is due, in messages.
const (
	dueName   = "a field name"
	dueMap    = "a map"
	dueList   = "a list"
	dueValues = "a map of strings"
	dueText   = "a string"
)

// names lists the names of a table, for messages.
func (f fields) names() []string { return slices.Sorted(maps.Keys(f)) }
