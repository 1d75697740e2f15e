// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import "encoding/json"

// State says what a manifest tells of a string.
type State string

// The states of a [Value]. The zero value of State is StateUnset.
const (
	// StateUnset: the manifest does not set the value.
	StateUnset State = ""
	// StateKnown: the manifest gives the value literally.
	StateKnown State = "known"
	// StateUnresolved: the manifest gives an expression, and what it stands for
	// cannot be known from the file alone.
	StateUnresolved State = "unresolved"
)

// Value is one string of a manifest. The zero value is unset. Values are
// comparable with ==.
type Value struct {
	State State
	// Text is the string itself when known, and the expression as the source
	// has it (${NAME}, !Ref Cluster) when unresolved.
	Text string
}

// Known returns a value that is literally text.
func Known(text string) Value { return Value{State: StateKnown, Text: text} }

// Unresolved returns a value of which only the expression is known.
func Unresolved(expression string) Value {
	return Value{State: StateUnresolved, Text: expression}
}

// IsKnown reports whether the value is literally there.
func (v Value) IsKnown() bool { return v.State == StateKnown }

// IsUnresolved reports whether only an expression is there.
func (v Value) IsUnresolved() bool { return v.State == StateUnresolved }

// IsUnset reports whether the manifest does not set the value.
func (v Value) IsUnset() bool { return v.State == StateUnset }

// Or returns v if it is set, known or not, and otherwise fallback.
func (v Value) Or(fallback Value) Value {
	if v.IsUnset() {
		return fallback
	}
	return v
}

// known returns the text of a known value and "" for every other.
func (v Value) known() string {
	if v.IsKnown() {
		return v.Text
	}
	return ""
}

// MarshalJSON writes the text of a known value, and null for any other: whoever
// reads the JSON finds the expression of an unresolved value in the problems.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.IsKnown() {
		return []byte("null"), nil
	}
	return json.Marshal(v.Text)
}
