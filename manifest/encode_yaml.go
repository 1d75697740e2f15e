// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// yamlDocuments writes a stream.
func yamlDocuments(documents []object) []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	for _, o := range documents {
		_ = e.Encode(yamlNode(o)) // a buffer and nodes: neither can fail
	}
	_ = e.Close()
	return b.Bytes()
}

func yamlNode(value any) *yaml.Node {
	switch v := value.(type) {
	case object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, p := range v {
			n.Content = append(n.Content, yamlNode(p.key), yamlNode(p.value))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, yamlNode(item))
		}
		return n
	default:
		text, _ := value.(string)
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
		if !isPlain(text) {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n
	}
}

// isPlain reports whether every reader takes the text for this string without
// quotes. When in doubt it is quoted.
func isPlain(text string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return text != "" && strings.Trim(text, plain+"-_./+*?:") == "" && strings.Contains(plain, text[:1]) &&
		!strings.HasSuffix(text, ":") && scalarClass(text) == classString
}
