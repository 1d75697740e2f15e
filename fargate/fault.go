// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FieldError is one thing that is wrong with an input.
type FieldError struct {
	// Field is the path of the value, such as spec.selectors[1].labels["a b"].
	Field string `json:"field"`
	// Code is the machine word for what is wrong.
	Code Code `json:"code"`
	// Value is the offending value, cut when it is long.
	Value string `json:"value,omitempty"`
	// Message says what is wrong, for people.
	Message string `json:"message"`
	// Help says what to do about it.
	Help string `json:"help,omitempty"`
}

// Error returns the field, the message and the help in one line.
func (f FieldError) Error() string {
	if f.Help == "" {
		return f.Field + ": " + f.Message
	}
	return f.Field + ": " + f.Message + " (" + f.Help + ")"
}

// Code is the machine word of a [FieldError].
type Code string

// The codes of faults.
const (
	// CodeRequired means that a value is missing.
	CodeRequired Code = "Required"
	// CodeTooLong means that a text has too many characters.
	CodeTooLong Code = "TooLong"
	// CodeTooMany means that a list or map has too many entries.
	CodeTooMany Code = "TooMany"
	// CodeInvalidSyntax means that a text has a form that AWS or Kubernetes does
	// not allow.
	CodeInvalidSyntax Code = "InvalidSyntax"
	// CodeReserved means that a name or a prefix is reserved.
	CodeReserved Code = "Reserved"
	// CodeDuplicate means that an entry repeats an earlier one.
	CodeDuplicate Code = "Duplicate"
	// CodeUnreachable means that no legal pod can match.
	CodeUnreachable Code = "Unreachable"
	// CodeUnsupportedValue means that a value is none of those that are known.
	CodeUnsupportedValue Code = "UnsupportedValue"
	// CodeNameConflict means that a replacement would need a name that is taken by
	// the profile that it replaces.
	CodeNameConflict Code = "NameConflict"
)

// ValidationError holds every fault of an input, in the order of its fields.
type ValidationError struct {
	// Cluster and Profile say what the input is about, as far as it tells itself.
	// Profile is empty where it is about several.
	Cluster, Profile string
	// Errors are the faults: at least one.
	Errors []FieldError
}

// Error lists the faults: one in a line of its own where there are several.
func (e *ValidationError) Error() string {
	if len(e.Errors) == 1 {
		return "fargate: " + e.subject() + ": " + e.Errors[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fargate: %s: %d faults", e.subject(), len(e.Errors))
	for _, f := range e.Errors {
		b.WriteString("\n  " + f.Error())
	}
	return b.String()
}

// subject names the profile in quotes: its name may be what is wrong with it.
func (e *ValidationError) subject() string {
	subject := "invalid profile"
	if e.Profile != "" {
		subject += " " + quote(e.Profile)
	}
	if e.Cluster != "" {
		subject += " of cluster " + quote(e.Cluster)
	}
	return subject
}

// Unwrap returns the faults as errors.
func (e *ValidationError) Unwrap() []error {
	errs := make([]error, 0, len(e.Errors))
	for _, f := range e.Errors {
		errs = append(errs, f)
	}
	return errs
}

// invalid keeps a nil interface where there is no fault.
func invalid(cluster, profile string, faults []FieldError) error {
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b FieldError) int { return rankOf(a.Field).compare(rankOf(b.Field)) })
	return &ValidationError{Cluster: cluster, Profile: profile, Errors: faults}
}

const shownChars = 60

// quote shows a value that may be long or hold anything.
func quote(s string) string { return strconv.QuoteToASCII(clip(s)) }

func clip(s string) string { return clipTo(s, shownChars) }

func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// list writes words as "a, b or c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
