// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"
)

// template resolves the intrinsic functions of CloudFormation as far as the
// template alone allows: literal text is literal, a Ref to a cluster with a
// literal name is that name, and everything else stays an expression. A
// parameter never resolves, since its Default may be overridden.
type template struct{ resources *node }

func (t template) resolve(n *node) *node {
	name, arguments := intrinsic(n)
	switch {
	case name == "" && n.kind == scalarNode && strings.Contains(n.text, "{{resolve:"):
		return unresolvedAt(n)
	case name == "":
		return n
	case name == "Ref" && arguments.word() == "AWS::NoValue":
		return &node{kind: absentNode, line: n.line, column: n.column}
	}
	text, ok := t.literal(name, arguments)
	if !ok || len(text) > maxLiteral {
		return unresolvedAt(n)
	}
	return &node{text: text, line: n.line, column: n.column, weight: 1}
}

// maxLiteral bounds what joining may build: no value of a profile is longer.
const maxLiteral = 4096

func unresolvedAt(n *node) *node {
	return &node{kind: unresolvedNode, text: expression(n), line: n.line, column: n.column}
}

// intrinsic takes a function call apart: !Name arguments, or a map with one key.
func intrinsic(n *node) (name string, arguments *node) {
	if short, ok := strings.CutPrefix(n.tag, "!"); ok && !strings.HasPrefix(short, "!") {
		bare := *n
		bare.tag = ""
		return short, &bare
	}
	if n.kind != mappingNode || len(n.pairs) != 1 {
		return "", nil
	}
	key := n.pairs[0].key.text
	if function, ok := strings.CutPrefix(key, "Fn::"); ok {
		return function, n.pairs[0].value
	}
	if key == "Ref" {
		return key, n.pairs[0].value
	}
	return "", nil
}

func (t template) literal(name string, arguments *node) (string, bool) {
	switch name {
	case "Ref":
		return t.ref(arguments.word())
	case "Sub":
		return t.sub(arguments)
	case "Join":
		return t.join(arguments)
	default:
		return "", false
	}
}

// ref returns the name of a cluster that has a literal one.
func (t template) ref(id string) (string, bool) {
	resource := t.resources.get(id)
	name := resource.get("Properties").get("Name")
	if resource.get("Type").word() != "AWS::EKS::Cluster" || name == nil || name.tag != "" {
		return "", false
	}
	text := name.word()
	return text, text != "" && !hasVariable(text) && !hasTemplate(text)
}

// sub replaces ${Name}, by the map that may follow the text or by a Ref.
func (t template) sub(arguments *node) (string, bool) {
	text, variables := arguments, (*node)(nil)
	if arguments.kind == sequenceNode && len(arguments.items) == 2 {
		text, variables = arguments.items[0], arguments.items[1]
	}
	if text.kind != scalarNode || text.tag != "" {
		return "", false
	}
	var b strings.Builder
	rest := text.text
	for {
		before, after, found := strings.Cut(rest, "${")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, tail, closed := strings.Cut(after, "}")
		value, ok := t.variable(name, variables)
		if !closed || !ok || b.Len() > maxLiteral {
			return "", false
		}
		b.WriteString(value)
		rest = tail
	}
}

func (t template) variable(name string, variables *node) (string, bool) {
	if literal, ok := strings.CutPrefix(name, "!"); ok {
		return "${" + literal + "}", true
	}
	if n := variables.get(name); n != nil {
		return t.text(n)
	}
	return t.ref(name)
}

// join joins a list whose every element is literal.
func (t template) join(arguments *node) (string, bool) {
	if arguments.kind != sequenceNode || len(arguments.items) != 2 || arguments.items[1].kind != sequenceNode {
		return "", false
	}
	var parts []string
	size := 0
	for _, item := range arguments.items[1].items {
		part, ok := t.text(item)
		if size += len(part); !ok || size > maxLiteral {
			return "", false
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, arguments.items[0].word()), true
}

func (t template) text(n *node) (string, bool) {
	n = t.resolve(n)
	return n.text, n.kind == scalarNode && n.tag == ""
}

// expression writes a node on one line, cut where it gets long.
func expression(n *node) string {
	var b strings.Builder
	writeExpression(&b, n)
	if b.Len() > maxExpression {
		return strings.ToValidUTF8(b.String()[:maxExpression], "") + "..."
	}
	return b.String()
}

const maxExpression = 200

func writeExpression(b *strings.Builder, n *node) {
	if b.Len() > maxExpression {
		return
	}
	if n.tag != "" {
		b.WriteString(n.tag + " ")
	}
	switch n.kind {
	case mappingNode:
		b.WriteString("{")
		for i, p := range n.pairs {
			separate(b, i)
			writeExpression(b, p.key)
			b.WriteString(": ")
			writeExpression(b, p.value)
		}
		b.WriteString("}")
	case sequenceNode:
		b.WriteString("[")
		for i, item := range slices.All(n.items) {
			separate(b, i)
			writeExpression(b, item)
		}
		b.WriteString("]")
	default:
		b.WriteString(n.text)
	}
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}
