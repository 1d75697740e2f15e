// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// Format is a form of a result.
type Format string

// The forms. Not every command has each of them.
const (
	Table   Format = "table"
	JSON    Format = "json"
	YAML    Format = "yaml"
	Mermaid Format = "mermaid"
)

// Write writes a value as JSON or YAML. The YAML has the fields of the JSON in the
// same order.
func Write(w io.Writer, f Format, value any) error {
	text, err := encode(value)
	if err != nil {
		return err
	}
	if f == YAML {
		if text, err = toYAML(text); err != nil {
			return err
		}
	}
	_, err = w.Write(text)
	return err
}

func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return b.Bytes(), nil
}

// Line writes a value as JSON in one line.
func Line(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// toYAML rewrites JSON, which is YAML already, in the style that people read.
func toYAML(text []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(escaped(text), &doc); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	plain(&doc)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

// escaped is the same JSON without characters that YAML reads otherwise than JSON, such
// as those that it takes for the end of a line. They can only be in strings.
func escaped(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		if unprinted(r) {
			fmt.Fprintf(&b, `\U%08x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.Bytes()
}

// plain takes the braces and quotes of JSON away. Empty lists and maps keep theirs,
// and so does text that some reader would not take for the same text.
func plain(n *yaml.Node) {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str" && needsQuotes(n.Value):
		n.Style = yaml.DoubleQuotedStyle
	case n.Kind == yaml.ScalarNode || len(n.Content) > 0:
		n.Style = 0
	}
	for _, child := range n.Content {
		plain(child)
	}
}

// needsQuotes reports whether text would be something else without quotes, to readers
// of YAML 1.1, too: a boolean, a number or a time.
func needsQuotes(text string) bool {
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return text != "" && strings.ContainsRune("0123456789+-.", rune(text[0])) || strings.ContainsFunc(text, unprinted)
}

func unprinted(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
