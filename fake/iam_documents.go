// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// escapeDocument encodes a document as IAM does in its answers (RFC 3986). The
// SDK for Go does not decode it.
func escapeDocument(document string) string {
	return strings.ReplaceAll(url.QueryEscape(document), "+", "%20")
}

// documentSize is the size that quotas count: without white space.
func documentSize(document string) int {
	n := 0
	for _, r := range document {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

func malformed(format string, args ...any) error {
	return apiErrorf(codeMalformedPolicy, format, args...)
}

// statementFields is a statement of a document, by the names of its elements.
type statementFields map[string]json.RawMessage

// readDocument takes a document apart, as far as all kinds of documents have it
// in common (texts: reported).
func readDocument(document string) ([]statementFields, error) {
	if !json.Valid([]byte(document)) {
		return nil, malformed("This policy contains invalid Json")
	}
	var d struct {
		Version   string
		ID        string `json:"Id"`
		Statement oneOrMore[statementFields]
	}
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil || len(d.Statement) == 0 {
		return nil, malformed("Syntax errors in policy.")
	}
	if d.Version != "" && d.Version != "2012-10-17" && d.Version != "2008-10-17" {
		return nil, malformed("Syntax errors in policy.")
	}
	for _, s := range d.Statement {
		if !s.wellFormed() {
			return nil, malformed("Syntax errors in policy.")
		}
		if err := s.checkCondition(); err != nil {
			return nil, err
		}
	}
	return d.Statement, nil
}

// checkCondition refuses operators that IAM does not have. Their names have one
// spelling (text: reported of "stringEquals", by CreateRole, in 2024).
func (s statementFields) checkCondition() error {
	var operators map[string]json.RawMessage
	if condition, found := s["Condition"]; found && json.Unmarshal(condition, &operators) != nil {
		return malformed("Syntax errors in policy.")
	}
	for _, name := range slices.Sorted(maps.Keys(operators)) {
		if op := parseOperator(name); !slices.Contains(conditionTypes(), op.base) {
			return malformed("Invalid Condition type : %s", name)
		}
	}
	return nil
}

// conditionTypes are the operators of IAM without what [parseOperator] takes off
// (IAM user guide, "Condition operators").
func conditionTypes() []string {
	return []string{
		"ArnEquals", "ArnLike", "BinaryEquals", "Bool", "IpAddress", "NotIpAddress", "Null",
		"StringEquals", "StringEqualsIgnoreCase", "StringLike",
		"DateEquals", "DateNotEquals", "DateGreaterThan", "DateGreaterThanEquals", "DateLessThan", "DateLessThanEquals",
		"NumericEquals", "NumericNotEquals", "NumericGreaterThan", "NumericGreaterThanEquals", "NumericLessThan", "NumericLessThanEquals",
	}
}

func (s statementFields) wellFormed() bool {
	for name := range s {
		switch name {
		case "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition":
		default:
			return false
		}
	}
	effect := string(s["Effect"])
	known := effect == `"Allow"` || effect == `"Deny"`
	return known && !s.both("Action", "NotAction") && !s.both("Principal", "NotPrincipal") &&
		!s.both("Resource", "NotResource")
}

// has reports whether the statement has any of the elements.
func (s statementFields) has(names ...string) bool {
	for _, name := range names {
		if _, found := s[name]; found {
			return true
		}
	}
	return false
}

func (s statementFields) both(a, b string) bool { return s.has(a) && s.has(b) }

// checkPermissions refuses a document that cannot grant anything (texts:
// reported).
func checkPermissions(document string) error {
	statements, err := readDocument(document)
	if err != nil {
		return err
	}
	for _, s := range statements {
		switch {
		case s.has("Principal", "NotPrincipal"):
			return malformed("Policy document should not specify a principal.")
		case !s.has("Action", "NotAction"):
			return malformed("Policy statement must contain actions.")
		case !s.has("Resource", "NotResource"):
			return malformed("Policy statement must contain resources.")
		}
	}
	return nil
}
