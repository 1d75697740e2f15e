// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// String writes the document as compact JSON, in one way only: elements in the
// order of the IAM user guide, a list of one as a string, principals and
// conditions sorted by name, statements and lists in their own order.
// [ParseDocument] reads it back as the same document.
func (d Document) String() string {
	var o objectWriter
	o.label("Version", d.Version)
	o.label("Id", d.ID)
	if d.Statements != nil {
		o.member("Statement", list(d.Statements, Statement.json))
	}
	o.elements(d.Other)
	return o.json()
}

// Indent is String with line breaks and two spaces a level, for people.
func (d Document) Indent() string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(d.String()), "", "  "); err != nil {
		// Only an Element that holds no JSON can get here.
		return d.String()
	}
	return b.String()
}

// MarshalJSON writes the document like String. It fails where an [Element]
// holds no valid JSON, which never happens to a parsed document.
func (d Document) MarshalJSON() ([]byte, error) {
	text := []byte(d.String())
	if !json.Valid(text) {
		return nil, fault("", "an element of the document holds no valid JSON")
	}
	return text, nil
}

func (s Statement) json() string {
	var o objectWriter
	o.label("Sid", s.Sid)
	o.label("Effect", string(s.Effect))
	o.principal("Principal", s.Principal)
	o.principal("NotPrincipal", s.NotPrincipal)
	o.list("Action", s.Action)
	o.list("NotAction", s.NotAction)
	o.list("Resource", s.Resource)
	o.list("NotResource", s.NotResource)
	if s.Condition != nil {
		o.member("Condition", object(s.Condition, func(keys map[string][]string) string {
			return object(keys, stringOrList)
		}))
	}
	o.elements(s.Other)
	return o.json()
}

// objectWriter collects the members of a JSON object.
type objectWriter struct{ members []string }

func (o *objectWriter) member(name, value string) {
	o.members = append(o.members, quote(name)+":"+value)
}

func (o *objectWriter) label(name, text string) {
	if text != "" {
		o.member(name, quote(text))
	}
}

func (o *objectWriter) list(name string, texts []string) {
	if texts != nil {
		o.member(name, stringOrList(texts))
	}
}

func (o *objectWriter) principal(name string, p Principal) {
	switch {
	case p.Everyone:
		o.member(name, `"*"`)
	case p.ByType != nil:
		o.member(name, object(p.ByType, stringOrList))
	}
}

func (o *objectWriter) elements(elements []Element) {
	for _, e := range elements {
		o.member(e.Name, e.JSON)
	}
}

func (o *objectWriter) json() string { return "{" + strings.Join(o.members, ",") + "}" }

func object[V any](m map[string]V, write func(V) string) string {
	var o objectWriter
	for _, name := range slices.Sorted(maps.Keys(m)) {
		o.member(name, write(m[name]))
	}
	return o.json()
}

func list[T any](items []T, write func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = write(item)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func stringOrList(texts []string) string {
	if len(texts) == 1 {
		return quote(texts[0])
	}
	return list(texts, quote)
}

// quote writes a JSON string and leaves <, > and & as they are, which
// json.Marshal would not.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// json writes the node without insignificant space, its members in their order.
func (n node) json() string {
	switch n.kind {
	case kindString:
		return quote(n.text)
	case kindObject:
		var o objectWriter
		for _, m := range n.members {
			o.member(m.name, m.value.json())
		}
		return o.json()
	case kindList:
		return list(n.items, node.json)
	case kindNumber, kindBoolean:
		return n.text
	default:
		return "null"
	}
}
