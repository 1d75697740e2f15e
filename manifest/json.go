// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// readJSON returns the documents of a file that holds one or more JSON values.
// Documents before a fault are returned with it.
func readJSON(data []byte, o Options) ([]*node, *fault) {
	c := jsonReader{data: data, lines: newPlacer(data), options: o, decoder: json.NewDecoder(bytes.NewReader(data))}
	c.decoder.UseNumber()
	var docs []*node
	for {
		token, at, err := c.next()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, c.fault(err)
		}
		c.made = 0
		doc, f := c.value(token, at, 0)
		if f != nil {
			return docs, f
		}
		docs = append(docs, doc)
	}
}

type jsonReader struct {
	data    []byte
	lines   *placer
	options Options
	decoder *json.Decoder
	made    int
}

// next returns a token and the offset of its first byte.
func (c *jsonReader) next() (json.Token, int, error) {
	at := int(c.decoder.InputOffset())
	token, err := c.decoder.Token()
	for at < len(c.data) && bytes.IndexByte([]byte(" \t\r\n,:"), c.data[at]) >= 0 {
		at++
	}
	return token, at, err
}

func (c *jsonReader) fault(err error) *fault {
	at := int(c.decoder.InputOffset())
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		// The decoder counts from where its buffer began, which Token moves.
		at = max(at, int(e.Offset)-1)
	}
	line, column := c.lines.place(min(at, len(c.data)))
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		line, column = c.lines.place(len(c.data))
		message = "the file ends in the middle of a value"
	}
	return &fault{CodeSyntax, line, column, "this is not JSON: " + message, "check commas, quotes and brackets before this place"}
}

func (c *jsonReader) value(token json.Token, at, depth int) (*node, *fault) {
	line, column := c.lines.place(at)
	n := &node{line: line, column: column, weight: 1}
	if depth > c.options.MaxDepth {
		return nil, tooDeep(line, column)
	}
	if c.made++; c.made > c.options.MaxNodes {
		return nil, tooMany(line, column)
	}
	switch t := token.(type) {
	case json.Delim:
		n.flow = true
		if t == '{' {
			n.kind = mappingNode
			return n, c.object(n, depth)
		}
		n.kind = sequenceNode
		return n, c.array(n, depth)
	case string:
		n.text = t
		if halved(t, c.data[at:c.decoder.InputOffset()]) {
			return nil, &fault{CodeEncoding, line, column, "the string holds half of a character (a lone surrogate)", "write the character itself"}
		}
	case nil:
		n.text, n.plain = "null", true
	default:
		n.text, n.plain = fmt.Sprint(t), true
	}
	return n, nil
}

func (c *jsonReader) array(n *node, depth int) *fault {
	for {
		token, at, err := c.next()
		if err != nil {
			return c.fault(err)
		}
		if token == json.Delim(']') {
			return nil
		}
		item, f := c.value(token, at, depth+1)
		if f != nil {
			return f
		}
		n.items = append(n.items, item)
		n.weight += item.weight
	}
}

func (c *jsonReader) object(n *node, depth int) *fault {
	seen := map[string]bool{}
	for {
		token, at, err := c.next()
		if err != nil {
			return c.fault(err)
		}
		if token == json.Delim('}') {
			return nil
		}
		key, f := c.value(token, at, depth+1)
		if f != nil {
			return f
		}
		if token, at, err = c.next(); err != nil {
			return c.fault(err)
		}
		value, f := c.value(token, at, depth+1)
		if f != nil {
			return f
		}
		n.add(key, value, seen)
	}
}

// halved reports whether the decoder has put a replacement where the file has none.
func halved(text string, raw []byte) bool {
	return strings.ContainsRune(text, utf8.RuneError) &&
		!bytes.ContainsRune(raw, utf8.RuneError) && !bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`))
}
