// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

// globMatch reports whether all of s matches a pattern in which * stands for
// any number of bytes, none included, and ? for exactly one. Its cost is at
// most len(pattern) x len(s): after a mismatch only the last * is tried again.
func globMatch(pattern, s string) bool {
	p, i := 0, 0
	star, mark := -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
