// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"maps"
	"slices"
	"strings"
)

// operator is a condition operator, taken apart.
// Source: IAM user guide, "IAM JSON policy elements: Condition operators".
type operator struct {
	set      setOperator
	base     string // without Not and without IfExists
	negated  bool
	ifExists bool
}

type setOperator string

const (
	setNone     setOperator = ""
	setAllOf    setOperator = "ForAllValues"
	setAnyOf    setOperator = "ForAnyValue"
	ifExists                = "IfExists"
	baseNull                = "Null"
	baseBool                = "Bool"
	baseArn                 = "ArnLike"
	baseString              = "StringEquals"
	baseFold                = "StringEqualsIgnoreCase"
	basePattern             = "StringLike"
)

// parseOperator reads the name of an operator. Other than the names of condition
// keys it has one spelling: IAM refuses a document with another,
// MalformedPolicyDocument "Invalid Condition type : stringEquals" (reported of
// CreateRole in 2024; the user guide does not say it).
func parseOperator(name string) operator {
	var op operator
	rest := name
	if set, base, ok := strings.Cut(rest, ":"); ok {
		op.set, rest = setOperator(set), base
	}
	rest, op.ifExists = strings.CutSuffix(rest, ifExists)
	if positive, ok := positiveForms()[rest]; ok {
		op.negated, rest = true, positive
	}
	// IAM documents that ArnEquals and ArnLike behave identically.
	if rest == "ArnEquals" {
		rest = baseArn
	}
	op.base = rest
	return op
}

// positiveForms maps the negated operators to what they negate.
func positiveForms() map[string]string {
	return map[string]string{
		"StringNotEquals":           baseString,
		"StringNotEqualsIgnoreCase": baseFold,
		"StringNotLike":             basePattern,
		"ArnNotLike":                baseArn,
		"ArnNotEquals":              baseArn,
		"NumericNotEquals":          "NumericEquals",
		"DateNotEquals":             "DateEquals",
		"NotIpAddress":              "IpAddress",
	}
}

func (op operator) evaluated() bool {
	return slices.Contains([]setOperator{setNone, setAllOf, setAnyOf}, op.set) &&
		slices.Contains([]string{baseNull, baseBool, baseArn, baseString, baseFold, basePattern}, op.base)
}

// spelling is how IAM spells an evaluated operator whose name differs from it in
// case alone; empty for any other name.
func spelling(name string) string {
	bases := append(slices.Sorted(maps.Keys(positiveForms())), baseNull, baseBool, baseArn, "ArnEquals", baseString, baseFold, basePattern)
	for _, base := range bases {
		for _, set := range []string{"", string(setAllOf) + ":", string(setAnyOf) + ":"} {
			for _, suffix := range []string{"", ifExists} {
				if spelled := set + base + suffix; strings.EqualFold(spelled, name) && parseOperator(spelled).evaluated() {
					return spelled
				}
			}
		}
	}
	return ""
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
