// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// fault is a problem of the text itself, before anything is understood.
type fault struct {
	code          Code
	line, column  int
	message, help string
}

// readYAML returns the documents of a stream. Documents before a fault are
// returned with it.
func readYAML(data []byte, o Options) ([]*node, *fault) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var docs []*node
	for {
		var root yaml.Node
		err := decoder.Decode(&root)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, yamlFault(err)
		}
		for _, content := range root.Content {
			c := yamlConverter{options: o, done: map[*yaml.Node]*node{}, active: map[*yaml.Node]bool{}}
			doc, f := c.convert(content, 0)
			if f != nil {
				return docs, f
			}
			docs = append(docs, doc)
		}
	}
}

// yamlFault keeps the place of an error. The reader of bytes gives none, but its
// faults (encoding, control characters) are found before it runs.
func yamlFault(err error) *fault {
	f := &fault{code: CodeSyntax, line: 1, column: 1, message: strings.TrimPrefix(err.Error(), "yaml: ")}
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		f.message = e.Message
		f.line, f.column = max(1, e.Mark.Line), max(1, e.Mark.Column)
	}
	f.message = "this is not YAML: " + f.message
	f.help = "check the indentation and quote values that hold special characters"
	return f
}

// yamlConverter turns the nodes of one document into ours: it resolves aliases
// and merge keys and holds the bounds.
type yamlConverter struct {
	options Options
	done    map[*yaml.Node]*node
	active  map[*yaml.Node]bool
	made    int
}

func (c *yamlConverter) convert(y *yaml.Node, depth int) (*node, *fault) {
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if c.active[y] {
		return nil, &fault{CodeCycle, y.Line, y.Column, "the anchor &" + y.Anchor + " holds an alias of itself", "write the value out instead"}
	}
	if n := c.done[y]; n != nil {
		return n, nil
	}
	if depth > c.options.MaxDepth {
		return nil, tooDeep(y.Line, y.Column)
	}
	c.active[y] = true
	n, f := c.content(y, depth)
	delete(c.active, y)
	if f != nil {
		return nil, f
	}
	c.done[y] = n
	if c.made++; n.weight > c.options.MaxNodes || c.made > c.options.MaxNodes {
		return nil, tooMany(y.Line, y.Column)
	}
	return n, nil
}

// bytesPerWeight makes long text weigh as much as many values, for what is built
// of it.
const bytesPerWeight = 64

func tooDeep(line, column int) *fault {
	return &fault{CodeTooDeep, line, column, "lists and maps are nested too deeply here", "no manifest of a Fargate profile needs that; raise Options.MaxDepth if this one does"}
}

func tooMany(line, column int) *fault {
	return &fault{CodeTooLarge, line, column, "the document holds too many values, aliases expanded", "split the file; raise Options.MaxNodes if it is meant to be so large"}
}

func (c *yamlConverter) content(y *yaml.Node, depth int) (*node, *fault) {
	n := &node{line: y.Line, column: y.Column, flow: y.Style&yaml.FlowStyle != 0, weight: 1}
	if y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str" && y.Tag != "!" {
		n.tag = y.Tag
	}
	var f *fault
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mappingNode
		f = c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = sequenceNode
		f = c.sequence(n, y, depth)
	default:
		n.text = y.Value
		n.weight += len(n.text) / bytesPerWeight
		n.plain = y.Style&(yaml.TaggedStyle|yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	}
	return n, f
}

func (c *yamlConverter) sequence(n *node, y *yaml.Node, depth int) *fault {
	n.items = make([]*node, 0, len(y.Content))
	for _, item := range y.Content {
		child, f := c.convert(item, depth+1)
		if f != nil {
			return f
		}
		n.items = append(n.items, child)
		n.weight += child.weight
	}
	return nil
}

func (c *yamlConverter) mapping(n *node, y *yaml.Node, depth int) *fault {
	seen := map[string]bool{}
	var merged []*node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, f := c.convert(y.Content[i], depth+1)
		if f != nil {
			return f
		}
		value, f := c.convert(y.Content[i+1], depth+1)
		if f != nil {
			return f
		}
		if y.Content[i].Tag == "!!merge" && key.plain {
			merged = append(merged, value)
			continue
		}
		n.add(key, value, seen)
	}
	for _, source := range merged {
		if f := c.merge(n, source, seen); f != nil {
			return f
		}
	}
	return nil
}

// add appends a pair, or notes its key as repeated.
func (n *node) add(key, value *node, seen map[string]bool) {
	n.weight += key.weight + value.weight
	if key.kind == scalarNode {
		if seen[key.text] {
			n.repeated = append(n.repeated, key)
			return
		}
		seen[key.text] = true
	}
	n.pairs = append(n.pairs, pair{key, value})
}

// merge adds the pairs of a merge key's value that the map does not have itself.
func (c *yamlConverter) merge(n, source *node, seen map[string]bool) *fault {
	sources := []*node{source}
	if source.kind == sequenceNode {
		sources = source.items
	}
	for _, s := range sources {
		if s.kind != mappingNode {
			return &fault{CodeType, s.line, s.column, "a merge key (<<) takes a map or a list of maps, found " + s.describe(), "write <<: *name, where &name marks a map"}
		}
		for _, p := range s.pairs {
			if p.key.kind == scalarNode && !seen[p.key.text] {
				n.add(p.key, p.value, seen)
				c.made++
			}
		}
		if c.made > c.options.MaxNodes {
			return tooMany(n.line, n.column)
		}
	}
	return nil
}
