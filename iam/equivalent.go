// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"maps"
	"slices"
	"strings"
)

// Equivalent reports whether two documents mean the same to IAM.
//
// It sees through order, repetition, one or a list, the case of actions and
// condition keys, operators of one meaning (ArnEquals and ArnLike), Sid and Id,
// "*" and {"AWS": "*"}, an account id and its root ARN, an empty Condition, and a
// Version that makes no difference because nothing holds a policy variable. It
// does not reason about what patterns match, nor about statements that say
// together what one says alone.
func Equivalent(a, b Document) bool { return normalForm(a) == normalForm(b) }

// EquivalentStatements is [Equivalent] for two statements of one document.
func EquivalentStatements(a, b Statement) bool { return a.normalForm() == b.normalForm() }

func normalForm(d Document) string {
	statements := make([]string, len(d.Statements))
	for i, s := range d.Statements {
		statements[i] = s.normalForm()
	}
	var o objectWriter
	if d.hasVariables() {
		o.label("Version", d.language())
	}
	o.member("Statement", "["+strings.Join(sortedSet(statements), ",")+"]")
	o.elements(normalElements(d.Other))
	return o.json()
}

// language is the version of the policy language that IAM reads the document in.
func (d Document) language() string {
	if d.Version == "" {
		return VersionLegacy
	}
	return d.Version
}

func (d Document) hasVariables() bool { return strings.Contains(d.String(), "${") }

func (s Statement) normalForm() string {
	var o objectWriter
	o.label("Effect", string(s.Effect))
	o.principal("Principal", s.Principal.normal())
	o.principal("NotPrincipal", s.NotPrincipal.normal())
	o.list("Action", lowerSet(s.Action))
	o.list("NotAction", lowerSet(s.NotAction))
	o.list("Resource", sortedSet(s.Resource))
	o.list("NotResource", sortedSet(s.NotResource))
	o.member("Condition", list(s.Condition.tests(), func(t test) string { return t.form }))
	o.elements(normalElements(s.Other))
	return o.json()
}

func (p Principal) normal() Principal {
	if p.Everyone || slices.Contains(p.ByType["AWS"], "*") {
		return Principal{Everyone: true}
	}
	if p.ByType == nil {
		return p
	}
	byType := make(map[string][]string, len(p.ByType))
	for name, ids := range p.ByType {
		accounts := make([]string, len(ids))
		for i, id := range ids {
			accounts[i] = accountOfRoot(id)
		}
		byType[name] = sortedSet(accounts)
	}
	return Principal{ByType: byType}
}

// accountOfRoot turns the ARN of an account's root, which stands for the account,
// into the account id. Other principals stay as they are.
func accountOfRoot(id string) string {
	if a, ok := splitARN(id); ok && a.service == "iam" && a.resource == "root" {
		return a.account
	}
	return id
}

// test is one test of a condition: an operator, a key and its values.
type test struct {
	name   string // the operator as it is written
	op     operator
	key    string // as it is written
	values []string
	form   string // the normal form: equal for tests of one meaning
}

// tests lists the tests of a condition in a fixed order.
func (c Condition) tests() []test {
	var tests []test
	for _, name := range slices.Sorted(maps.Keys(c)) {
		for _, key := range slices.Sorted(maps.Keys(c[name])) {
			t := test{name: name, op: parseOperator(name), key: key, values: c[name][key]}
			t.form = t.normalForm()
			tests = append(tests, t)
		}
	}
	slices.SortStableFunc(tests, func(a, b test) int { return strings.Compare(a.form, b.form) })
	return slices.CompactFunc(tests, func(a, b test) bool { return a.form == b.form })
}

func (t test) normalForm() string {
	values := sortedSet(t.values)
	if t.op.base == baseBool || t.op.base == baseNull {
		values = lowerSet(t.values)
	}
	return list([]string{t.op.canonical(), strings.ToLower(t.key)}, quote) + stringOrList(values)
}

func normalElements(elements []Element) []Element {
	normal := make([]Element, len(elements))
	for i, e := range elements {
		normal[i] = Element{Name: e.Name, JSON: sortedJSON(e.JSON)}
	}
	slices.SortFunc(normal, func(a, b Element) int { return strings.Compare(a.Name, b.Name) })
	return normal
}

// sortedJSON sorts the members of all objects in a JSON text. Text that is no
// JSON stays as it is.
func sortedJSON(text string) string {
	n, err := parseJSON(text)
	if err != nil {
		return text
	}
	n.sort()
	return n.json()
}

func (n node) sort() {
	slices.SortFunc(n.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for _, m := range n.members {
		m.value.sort()
	}
	for _, item := range n.items {
		item.sort()
	}
}

func lowerSet(texts []string) []string {
	lower := slices.Clone(texts)
	for i := range lower {
		lower[i] = strings.ToLower(lower[i])
	}
	return sortedSet(lower)
}

// sortedSet is texts sorted, each once. Nil stays nil: an absent element is not
// an empty one.
func sortedSet(texts []string) []string {
	set := slices.Clone(texts)
	slices.Sort(set)
	return slices.Compact(set)
}
