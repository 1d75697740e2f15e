// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// trustDocument is a role's trust policy, as far as it decides who may assume
// the role.
type trustDocument struct {
	Version   string
	Statement oneOrMore[trustStatement]
}

type trustStatement struct {
	Effect       string
	Principal    *principal
	NotPrincipal *principal
	Action       stringList
	NotAction    stringList
	Condition    map[string]map[string]stringList // operator, key, values
}

func parseTrust(text string) (trustDocument, error) {
	var d trustDocument
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return trustDocument{}, fmt.Errorf("reading a trust document: %w", err)
	}
	return d, nil
}

// oneOrMore is a list that may be written without brackets when it has one
// element.
type oneOrMore[T any] []T

// UnmarshalJSON reads a list, or one element.
func (l *oneOrMore[T]) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]T)(l))
	}
	var one T
	if err := json.Unmarshal(text, &one); err != nil {
		return err
	}
	*l = []T{one}
	return nil
}

// stringList is a list of strings, numbers and booleans, or one of them.
type stringList []string

// UnmarshalJSON reads a list or one scalar; scalars become their text.
func (l *stringList) UnmarshalJSON(text []byte) error {
	var raw oneOrMore[json.RawMessage]
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*l = make([]string, 0, len(raw))
	for _, element := range raw {
		s, err := scalarText(element)
		if err != nil {
			return err
		}
		*l = append(*l, s)
	}
	return nil
}

func scalarText(element json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(element, &value); err != nil {
		return "", err
	}
	switch v := value.(type) {
	case string:
		return v, nil
	case bool, float64:
		return string(element), nil
	default:
		return "", errors.New("expected a string, a number or a boolean")
	}
}

// principal is who a statement is about: by kind (AWS, Service, Federated) or
// everybody.
type principal struct {
	Everybody bool
	ByKind    map[string]stringList
}

// UnmarshalJSON reads "*" or an object of kinds.
func (p *principal) UnmarshalJSON(text []byte) error {
	if text[0] != '"' {
		return json.Unmarshal(text, &p.ByKind)
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if s != "*" {
		return fmt.Errorf("principal %q is neither * nor an object", s)
	}
	p.Everybody = true
	return nil
}

// includes reports whether the principal covers who makes a request. "*" and
// {"AWS":"*"} mean the same and cover services too.
func (p *principal) includes(r trustRequest) bool {
	if p == nil {
		return false
	}
	if p.Everybody {
		return true
	}
	for kind, names := range p.ByKind {
		if slices.ContainsFunc(names, func(name string) bool { return r.isNamed(kind, name) }) {
			return true
		}
	}
	return false
}

func (r trustRequest) isNamed(kind, name string) bool {
	switch strings.ToLower(kind) {
	case "service":
		return name == r.Service
	case "aws":
		return name == "*" || slices.Contains(r.Identities, name)
	default:
		return false
	}
}
