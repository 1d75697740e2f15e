// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of a document. The policy language needs seven.
const maxDepth = 16

// node is a JSON value that has lost nothing: members keep their order, numbers
// their digits.
type node struct {
	kind    kind
	text    string // of a string, number or boolean
	items   []node
	members []member
}

type member struct {
	name  string
	value node
}

type kind string

const (
	kindNull    kind = "null"
	kindBoolean kind = "a boolean"
	kindNumber  kind = "a number"
	kindString  kind = "a string"
	kindList    kind = "a list"
	kindObject  kind = "an object"
)

// parseJSON reads one JSON text. It refuses duplicate keys and deep nesting.
func parseJSON(text string) (node, error) {
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return node{}, fault("", "%s", syntaxReason(err))
	}
	r := treeReader{tokens: json.NewDecoder(bytes.NewReader(whole))}
	r.tokens.UseNumber()
	return r.value("", 0)
}

func syntaxReason(err error) string {
	var offset int64
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	}
	return "not valid JSON after " + strconv.FormatInt(offset, 10) + " bytes: " + err.Error()
}

// treeReader builds nodes from the tokens of a text that is known to be valid.
type treeReader struct{ tokens *json.Decoder }

func (r treeReader) value(path string, depth int) (node, error) {
	token, _ := r.tokens.Token() // the text is valid
	switch t := token.(type) {
	case string:
		return node{kind: kindString, text: t}, nil
	case json.Number:
		return node{kind: kindNumber, text: t.String()}, nil
	case bool:
		return node{kind: kindBoolean, text: strconv.FormatBool(t)}, nil
	case json.Delim:
		return r.container(t, path, depth+1)
	default:
		return node{kind: kindNull}, nil
	}
}

func (r treeReader) container(open json.Delim, path string, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, fault(path, "nested more than %d deep", maxDepth)
	}
	read := r.list
	if open == '{' {
		read = r.object
	}
	n, err := read(path, depth)
	_, _ = r.tokens.Token() // the closing bracket
	return n, err
}

func (r treeReader) list(path string, depth int) (node, error) {
	n := node{kind: kindList}
	for r.tokens.More() {
		item, err := r.value(indexPath(path, len(n.items)), depth)
		if err != nil {
			return node{}, err
		}
		n.items = append(n.items, item)
	}
	return n, nil
}

func (r treeReader) object(path string, depth int) (node, error) {
	n := node{kind: kindObject}
	seen := map[string]bool{}
	for r.tokens.More() {
		token, _ := r.tokens.Token()
		name, _ := token.(string)
		at := memberPath(path, name)
		if seen[name] {
			return node{}, fault(at, "the key %q appears twice in one object; give one key a list of values instead", name)
		}
		seen[name] = true
		value, err := r.value(at, depth)
		if err != nil {
			return node{}, err
		}
		n.members = append(n.members, member{name: name, value: value})
	}
	return n, nil
}

func indexPath(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func memberPath(path, name string) string {
	if name == "" || strings.ContainsFunc(name, unusualInName) {
		return path + "[" + strconv.Quote(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func unusualInName(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/_-", r)
}
