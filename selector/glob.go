// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"strings"
	"unicode/utf8"
)

const (
	star  = '*'
	qmark = '?'
)

// isLiteral reports whether pattern has no wildcard.
func isLiteral(pattern string) bool {
	return strings.IndexByte(pattern, star) < 0 && strings.IndexByte(pattern, qmark) < 0
}

// matchGlob reports whether all of s matches pattern. A mismatch goes back to
// the last * only: an earlier one could not do better, for it has already found
// the first place where the text between them fits. So there are at most
// len(pattern) steps for each character of s, whatever the pattern.
func matchGlob(pattern, s string) bool {
	p, i := 0, 0
	afterStar, retry := -1, 0
	for i < len(s) {
		if p < len(pattern) && pattern[p] == star {
			p++
			afterStar, retry = p, i
			continue
		}
		if n := consumes(pattern[p:], s[i:]); n > 0 {
			p++
			i += n
			continue
		}
		if afterStar < 0 {
			return false
		}
		retry += charLen(s[retry:])
		p, i = afterStar, retry
	}
	return strings.TrimLeft(pattern[p:], "*") == ""
}

// consumes says how many bytes of s the first character of pattern takes; 0 if
// it doesn't match. s isn't empty.
func consumes(pattern, s string) int {
	switch {
	case pattern == "":
		return 0
	case pattern[0] == qmark:
		return charLen(s)
	case pattern[0] == s[0]:
		return 1
	}
	return 0
}

// charLen is the length in bytes of the first character of s.
func charLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
