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
		if p < len(pattern) {
			switch pattern[p] {
			case star:
				p++
				afterStar, retry = p, skipTo(pattern[p:], s, i)
				i = retry
				continue
			case s[i]:
				p++
				i++
				continue
			case qmark:
				p++
				i += charLen(s[i:])
				continue
			}
		}
		if afterStar < 0 {
			return false
		}
		retry = skipTo(pattern[afterStar:], s, retry+charLen(s[retry:]))
		p, i = afterStar, retry
	}
	return strings.TrimLeft(pattern[p:], "*") == ""
}

// skipTo returns the first place in s, from i on, where pattern can begin to
// match, or len(s).
func skipTo(pattern, s string, i int) int {
	if pattern == "" {
		return len(s)
	}
	if pattern[0] == star || pattern[0] == qmark {
		return i
	}
	if n := strings.IndexByte(s[i:], pattern[0]); n >= 0 {
		return i + n
	}
	return len(s)
}

// charLen is the length in bytes of the first character of s.
func charLen(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}
