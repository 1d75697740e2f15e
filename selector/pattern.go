// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "strings"

// pattern is a glob prepared for matching. Most patterns that people write are a
// literal, a prefix, a suffix, an infix or everything, and those need no search.
type pattern struct {
	shape shape
	text  string // the literal, prefix, suffix or infix; the whole glob otherwise
}

type shape uint8

const (
	shapeLiteral shape = iota
	shapeAll
	shapePrefix
	shapeSuffix
	shapeInfix
	shapeGlob
)

func newPattern(glob string) pattern {
	inner := strings.Trim(glob, "*")
	leading := strings.HasPrefix(glob, "*")
	trailing := strings.HasSuffix(glob, "*")
	switch {
	case isLiteral(glob):
		return pattern{shapeLiteral, glob}
	case inner == "":
		return pattern{shapeAll, ""}
	case !isLiteral(inner):
		return pattern{shapeGlob, glob}
	case leading && trailing:
		return pattern{shapeInfix, inner}
	case trailing:
		return pattern{shapePrefix, inner}
	default:
		return pattern{shapeSuffix, inner}
	}
}

func (p pattern) matches(s string) bool {
	switch p.shape {
	case shapeLiteral:
		return p.text == s
	case shapeAll:
		return true
	case shapePrefix:
		return strings.HasPrefix(s, p.text)
	case shapeSuffix:
		return strings.HasSuffix(s, p.text)
	case shapeInfix:
		return strings.Contains(s, p.text)
	default:
		return matchGlob(p.text, s)
	}
}
