// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

// operator is a condition operator, taken apart.
// Source: IAM user guide, "IAM JSON policy elements: Condition operators".
type operator struct {
	set      setOperator
	base     string // in lower case, without Not and without IfExists
	negated  bool
	ifExists bool
}

type setOperator string

const (
	setNone     setOperator = ""
	setAllOf    setOperator = "forallvalues"
	setAnyOf    setOperator = "foranyvalue"
	baseNull                = "null"
	baseBool                = "bool"
	baseArn                 = "arnlike"
	baseString              = "stringequals"
	baseFold                = "stringequalsignorecase"
	basePattern             = "stringlike"
)

// parseOperator reads the name of an operator, whatever its case: a role can
// only hold a name that IAM took, and there is one operator it can mean.
func parseOperator(name string) operator {
	var op operator
	rest := strings.ToLower(name)
	if set, base, ok := strings.Cut(rest, ":"); ok {
		op.set, rest = setOperator(set), base
	}
	rest, op.ifExists = strings.CutSuffix(rest, "ifexists")
	if positive, ok := positiveForms()[rest]; ok {
		op.negated, rest = true, positive
	}
	// IAM documents that ArnEquals and ArnLike behave identically.
	if rest == "arnequals" {
		rest = baseArn
	}
	op.base = rest
	return op
}

// positiveForms maps the negated operators to what they negate.
func positiveForms() map[string]string {
	return map[string]string{
		"stringnotequals":           baseString,
		"stringnotequalsignorecase": baseFold,
		"stringnotlike":             basePattern,
		"arnnotlike":                baseArn,
		"arnnotequals":              baseArn,
		"numericnotequals":          "numericequals",
		"datenotequals":             "dateequals",
		"notipaddress":              "ipaddress",
	}
}

// canonical is one spelling for all names of an operator.
func (op operator) canonical() string {
	name := op.base
	if op.negated {
		name = "not " + name
	}
	// A negated operator holds where the key is missing, IfExists or not. Set
	// operators have a rule of their own for a missing key.
	if op.ifExists && (!op.negated || op.set != setNone) {
		name += " if exists"
	}
	return string(op.set) + ":" + name
}
