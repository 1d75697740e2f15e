// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"strings"
)

// condition says whether all tests of a condition hold.
func (e evaluation) condition(c Condition) outcome {
	all := outcome{match: yes}
	for _, t := range c.tests() {
		if o := e.test(t); o.match < all.match {
			all = o
		}
	}
	return all
}

func (e evaluation) test(t test) outcome {
	values, known := e.keys[strings.ToLower(t.key)]
	if why := t.undecidable(known, len(values)); why != "" {
		return outcome{maybe, why}
	}
	var m match
	switch {
	case t.op.base == baseNull:
		m = e.anyOf(t, boolText(len(values) == 0))
	case len(values) == 0:
		m = matchIf(t.holdsWithoutKey())
	default:
		m = e.values(t, values)
	}
	return outcome{m, t.explain(m, values)}
}

// undecidable says what about the test is not evaluated, if anything.
func (t test) undecidable(known bool, values int) string {
	set := t.op.set != setNone
	switch {
	case !t.op.evaluated():
		return unevaluated(t.name)
	case t.op.base == baseNull && (set || t.op.ifExists):
		return "IAM does not document the condition operator " + t.name
	case len(t.values) == 0:
		return "the condition on " + t.key + " lists no value"
	case !known:
		return "whether EKS passes " + t.key + ", and with which value, is not known"
	case values > 1 && !set && t.op.base != baseNull:
		return "IAM does not document " + t.name + " on " + t.key + ", which has several values"
	}
	return ""
}

// unevaluated says why an operator is not evaluated.
func unevaluated(name string) string {
	if spelled := spelling(name); spelled != "" {
		return "IAM spells the condition operator " + name + " " + spelled + " and refuses the other"
	}
	return "the condition operator " + name + " is not evaluated here"
}

// holdsWithoutKey says whether the test holds for a request without the key.
// Source: IAM user guide, "Condition operators" and "Multivalued context keys".
func (t test) holdsWithoutKey() bool {
	switch {
	case t.op.ifExists, t.op.set == setAllOf:
		return true
	case t.op.set == setAnyOf:
		return false
	default:
		return t.op.negated
	}
}

// values tests the values of the request, of which there is at least one.
func (e evaluation) values(t test, values []string) match {
	all, some := yes, no
	for _, value := range values {
		m := e.anyOf(t, value)
		if t.op.negated {
			m = m.not()
		}
		all, some = min(all, m), max(some, m)
	}
	if t.op.set == setAllOf {
		return all
	}
	return some
}

// anyOf says whether a value is any of those of the test, before a negation.
func (e evaluation) anyOf(t test, value string) match {
	m := no
	for _, pattern := range t.values {
		m = max(m, e.compare(t.op, pattern, value))
	}
	return m
}

func (e evaluation) compare(op operator, pattern, value string) match {
	if e.variables && strings.Contains(pattern, "${") {
		return maybe
	}
	switch op.base {
	case baseArn:
		return arnLike(pattern, value)
	case basePattern:
		return matchIf(glob(pattern, value))
	case baseString:
		return matchIf(pattern == value)
	case baseFold:
		return matchIf(strings.EqualFold(pattern, value))
	default:
		return sameBool(pattern, value)
	}
}

func sameBool(want, value string) match {
	if !strings.EqualFold(want, "true") && !strings.EqualFold(want, "false") {
		return maybe
	}
	return matchIf(strings.EqualFold(want, value))
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
