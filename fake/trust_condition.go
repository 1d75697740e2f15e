// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"strings"
)

// operator is a condition operator, taken apart. Every key of a request here
// has one value, so ForAnyValue is the same as no prefix when the key is there.
type operator struct {
	base     string // without Not, prefix and suffix: StringEquals, ArnLike, ...
	negated  bool
	ifExists bool
	forAll   bool
}

func parseOperator(name string) operator {
	var op operator
	if rest, ok := strings.CutPrefix(name, "ForAllValues:"); ok {
		name, op.forAll = rest, true
	}
	name = strings.TrimPrefix(name, "ForAnyValue:")
	name, op.ifExists = strings.CutSuffix(name, "IfExists")
	for _, family := range []string{"String", "Arn"} {
		if rest, ok := strings.CutPrefix(name, family+"Not"); ok {
			name, op.negated = family+rest, true
		}
	}
	op.base = name
	return op
}

// holds reports whether a condition is met by a key's value.
func (op operator) holds(got string, present bool, values []string) bool {
	switch {
	case op.base == "Null":
		return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, "true") != present })
	case !present:
		return op.ifExists || op.forAll || op.negated
	case !op.known():
		return false
	}
	matches := func(v string) bool { return op.matches(v, got) }
	return slices.ContainsFunc(values, matches) != op.negated
}

// known reports whether the operator can be applied to the keys of a request,
// which are strings, ARNs and booleans.
func (op operator) known() bool {
	switch op.base {
	case "StringEquals", "StringEqualsIgnoreCase", "StringLike", "ArnEquals", "ArnLike", "Bool":
		return true
	default:
		return false
	}
}

func (op operator) matches(want, got string) bool {
	switch op.base {
	case "StringEquals":
		return want == got
	case "StringEqualsIgnoreCase", "Bool":
		return strings.EqualFold(want, got)
	case "StringLike":
		return globMatch(want, got)
	case "ArnEquals", "ArnLike":
		return arnMatches(want, got)
	default:
		return false
	}
}

// arnMatches compares ARNs part by part, so that a wildcard does not reach over
// a colon; only the sixth part may have more of them. A lone * matches any ARN.
func arnMatches(pattern, s string) bool {
	if pattern == "*" {
		return true
	}
	want, got := strings.SplitN(pattern, ":", 6), strings.SplitN(s, ":", 6)
	if len(want) != 6 || len(got) != 6 {
		return false
	}
	for i := range want {
		if !globMatch(want[i], got[i]) {
			return false
		}
	}
	return true
}
