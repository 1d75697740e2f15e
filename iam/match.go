// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

// glob reports whether the pattern matches all of the text: * is any run of
// characters, ? is exactly one. It takes time proportional to the product of the
// lengths at most, for it goes back to the last star only.
func glob(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	star, mark := -1, 0
	i := 0
	for j := 0; j < len(t); {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(string(p[i:]), "*") == ""
}

// arnLike compares two ARNs part by part. IAM does not document what a pattern
// of fewer than six parts matches.
func arnLike(pattern, value string) match {
	if strings.Count(pattern, ":") < 5 {
		return maybe
	}
	want, got := strings.SplitN(pattern, ":", 6), strings.SplitN(value, ":", 6)
	if len(got) != len(want) {
		return no
	}
	for i := range want {
		if !glob(want[i], got[i]) {
			return no
		}
	}
	return yes
}
