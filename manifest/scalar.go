// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"
)

// scalarKind is what some YAML reader takes an unquoted word for.
type scalarKind string

const (
	classString  scalarKind = ""
	classNull    scalarKind = "null"
	classBoolean scalarKind = "a boolean"
	classNumber  scalarKind = "a number"
	classDate    scalarKind = "a date"
)

// scalarClass returns what readers of YAML 1.1 or 1.2 take a plain scalar for.
// What either reads as something else is not surely a string. Sources: the types
// of yaml.org/type for 1.1, the core schema for 1.2.
func scalarClass(text string) scalarKind {
	switch strings.ToLower(text) {
	case "", "~", "null":
		return classNull
	case "y", "n", "yes", "no", "on", "off", "true", "false":
		return classBoolean
	}
	switch {
	case isNumber(text):
		return classNumber
	case isDate(text):
		return classDate
	default:
		return classString
	}
}

func isNumber(text string) bool {
	lower := strings.ToLower(text)
	if lower == ".nan" {
		return true
	}
	if lower != "" && lower[0] != '_' {
		// Readers drop them wherever they stand, also in 0_x1F and in +_1.
		lower = strings.ReplaceAll(lower, "_", "")
	}
	if lower != "" && (lower[0] == '+' || lower[0] == '-') {
		lower = lower[1:]
	}
	if lower == ".inf" {
		return true
	}
	for prefix, digits := range map[string]string{"0b": "01", "0o": "01234567", "0x": "0123456789abcdef"} {
		if rest, ok := strings.CutPrefix(lower, prefix); ok {
			return consistsOf(rest, digits)
		}
	}
	if strings.Contains(lower, ":") {
		return isBase60(lower)
	}
	return isDecimal(lower)
}

// isDecimal accepts 1, 010, 1000, 1.10, .5, 1. and 1e3.
func isDecimal(text string) bool {
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if scientific {
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if !consistsOf(exponent, "0123456789") {
			return false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	return consistsOf(whole+fraction, "0123456789")
}

// isBase60 accepts 12:30:45 and 1:30.5, which YAML 1.1 readers make numbers of.
func isBase60(text string) bool {
	parts := strings.Split(text, ":")
	for i, part := range parts {
		if i == len(parts)-1 {
			part, _, _ = strings.Cut(part, ".")
		}
		if !consistsOf(part, "0123456789") || i > 0 && (len(part) > 2 || part >= "6" && len(part) == 2) {
			return false
		}
	}
	return true
}

// isDate accepts 2024-01-31, also with a time of day behind it.
func isDate(text string) bool {
	day, _, _ := strings.Cut(strings.NewReplacer("T", " ", "t", " ").Replace(text), " ")
	parts := strings.Split(day, "-")
	return len(parts) == 3 && len(parts[0]) == 4 && len(parts[1]) <= 2 && len(parts[2]) <= 2 &&
		consistsOf(parts[0], "0123456789") && consistsOf(parts[1], "0123456789") && consistsOf(parts[2], "0123456789")
}

// consistsOf reports whether text is not empty and made of characters of set.
func consistsOf(text, set string) bool { return text != "" && strings.Trim(text, set) == "" }

// hasVariable reports whether text holds ${NAME}, $NAME or $(command).
func hasVariable(text string) bool {
	for i := range max(0, len(text)-1) {
		if text[i] != '$' {
			continue
		}
		if c := text[i+1]; c == '{' || c == '(' || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			return true
		}
	}
	return false
}

// hasTemplate reports whether text holds {{ ... }}, {% ... %} or <% ... %>.
func hasTemplate(text string) bool {
	return slices.ContainsFunc(templateMarks(), func(mark string) bool { return strings.Contains(text, mark) })
}

// templateMarks begin an action in the template languages of Go and Helm, of
// Jinja and Ansible, and of Ruby.
func templateMarks() []string { return []string{"{{", "{%", "<%"} }
