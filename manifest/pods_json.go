// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// appendJSON writes a node as JSON, with scalars as Kubernetes reads them. Keys
// that repeat are written once.
func appendJSON(b []byte, n *node) []byte {
	switch n.kind {
	case mappingNode:
		b = append(b, '{')
		for i, p := range n.pairs {
			b = appendComma(b, i)
			b = appendString(b, p.key.text)
			b = append(b, ':')
			b = appendJSON(b, p.value)
		}
		return append(b, '}')
	case sequenceNode:
		b = append(b, '[')
		for i, item := range n.items {
			b = appendJSON(appendComma(b, i), item)
		}
		return append(b, ']')
	default:
		return appendScalar(b, n)
	}
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func appendString(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		return append(b, `""`...) // never: a string is always JSON
	}
	return append(b, quoted...)
}

func appendScalar(b []byte, n *node) []byte {
	if !n.plain {
		return appendString(b, n.text)
	}
	switch scalarClass(n.text) {
	case classNull:
		return append(b, "null"...)
	case classBoolean:
		yes := strings.Contains(" y yes on true ", " "+strings.ToLower(n.text)+" ")
		return strconv.AppendBool(b, yes)
	case classNumber:
		return appendNumber(b, n.text)
	default:
		return appendString(b, n.text)
	}
}

// appendNumber keeps a number that JSON can write, and text otherwise.
func appendNumber(b []byte, text string) []byte {
	if json.Valid([]byte(text)) {
		return append(b, text...)
	}
	text = strings.TrimPrefix(text, "+")
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.AppendInt(b, i, 10)
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return appendString(b, text)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}
