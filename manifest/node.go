// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

// nodeKind is the shape of a node.
type nodeKind int

const (
	scalarNode nodeKind = iota
	mappingNode
	sequenceNode
	// unresolvedNode stands for something that only another program can know.
	// Its text is the expression.
	unresolvedNode
	// absentNode stands for a value that the source takes back.
	absentNode
)

// node is a piece of a document, whether it came from YAML or from JSON. Aliases
// are shared pointers, so a node may be reached by several ways; it is never
// changed after it was built.
type node struct {
	kind         nodeKind
	line, column int
	// tag is an explicit tag other than !!str, as in the source.
	tag string
	// text is the content of a scalar.
	text string
	// plain: without quotes, so the text may stand for a number, a boolean or null.
	plain bool
	// flow: written with brackets or braces.
	flow  bool
	pairs []pair
	// repeated are the keys that were given before.
	repeated []*node
	items    []*node
	// weight is the number of nodes that a walk visits, aliases expanded.
	weight int
}

type pair struct{ key, value *node }

// get returns the value of a key of a mapping, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, p := range n.pairs {
		if p.key.kind == scalarNode && p.key.text == key {
			return p.value
		}
	}
	return nil
}

// has reports whether a mapping has a key.
func (n *node) has(key string) bool { return n.get(key) != nil }

// word returns the text of a scalar, and "" for anything else.
func (n *node) word() string {
	if n == nil || n.kind != scalarNode || n.isNull() {
		return ""
	}
	return n.text
}

func (n *node) isNull() bool {
	return n.kind == scalarNode && n.plain && scalarClass(n.text) == classNull
}

// isMap reports whether the node is a map, as opposed to a call or a template
// that is written like one.
func (n *node) isMap() bool { return n.kind == mappingNode && n.tag == "" && !n.isTemplate() }

// isTemplate reports whether the node is what YAML makes of {{ ... }}: a
// mapping whose key is a mapping.
func (n *node) isTemplate() bool {
	return n.kind == mappingNode && n.flow && len(n.pairs) == 1 && n.pairs[0].key.kind == mappingNode
}

// describe names the shape for messages.
func (n *node) describe() string {
	switch {
	case n.kind == mappingNode:
		return "a map"
	case n.kind == sequenceNode:
		return "a list"
	case n.isNull():
		return "null"
	default:
		return "a single value"
	}
}
