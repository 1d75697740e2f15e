// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The patterns that the checks below follow, for documents and generated schemas.
// A test holds each check to its pattern.
const (
	patternName    = `^[0-9A-Za-z][0-9A-Za-z_-]*$`
	patternRoleARN = `^arn:aws(-[a-z]+)*:iam::[0-9]{12}:role/([!-~]{1,510}/)?[\w+=,.@-]{1,64}$`
	patternSubnet  = `^subnet-[0-9a-f]+$`

	dnsLabelGlob  = `[a-z0-9*?]([a-z0-9*?-]*[a-z0-9*?])?`
	labelNameGlob = `[0-9A-Za-z*?]([0-9A-Za-z*?._-]*[0-9A-Za-z*?])?`

	patternNamespace  = `^` + dnsLabelGlob + `$`
	patternLabelKey   = `^(` + dnsLabelGlob + `(\.` + dnsLabelGlob + `)*/)?` + labelNameGlob + `$`
	patternLabelValue = `^(` + labelNameGlob + `)?$`
)

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }
func isGlob(c byte) bool  { return c == '*' || c == '?' }

// each reports whether every byte of s passes.
func each(s string, pass func(byte) bool) bool {
	for i := range len(s) {
		if !pass(s[i]) {
			return false
		}
	}
	return true
}

// isName is the form of a cluster name (EKS API reference, ClusterName) and, as
// far as is known, of a profile name.
func isName(s string) bool {
	return s != "" && isAlnum(s[0]) && each(s, func(c byte) bool { return isAlnum(c) || c == '-' || c == '_' })
}

func isSubnetID(s string) bool {
	id, ok := strings.CutPrefix(s, "subnet-")
	return ok && id != "" && each(id, func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' })
}

// isNamespaceGlob is a DNS-1123 label with wildcards: a namespace, or one part of
// the prefix of a label key.
func isNamespaceGlob(s string) bool {
	return bounded(s, func(c byte) bool { return isLower(c) || isDigit(c) || isGlob(c) }, "-")
}

// isLabelNameGlob is the name part of a label key, or a label value that is not
// empty, with wildcards.
func isLabelNameGlob(s string) bool {
	return bounded(s, func(c byte) bool { return isAlnum(c) || isGlob(c) }, "-_.")
}

// isLabelKeyGlob is a label key with wildcards: [prefix/]name. A wildcard may
// stand for the slash.
func isLabelKeyGlob(s string) bool {
	prefix, name, found := strings.Cut(s, "/")
	if !found {
		return isLabelNameGlob(s)
	}
	for part := range strings.SplitSeq(prefix, ".") {
		if !isNamespaceGlob(part) {
			return false
		}
	}
	return isLabelNameGlob(name)
}

func isLabelValueGlob(s string) bool { return s == "" || isLabelNameGlob(s) }

// bounded reports whether s is not empty, begins and ends with an edge byte, and
// holds nothing but edge bytes and those of inner.
func bounded(s string, edge func(byte) bool, inner string) bool {
	if s == "" || !edge(s[0]) || !edge(s[len(s)-1]) {
		return false
	}
	return each(s, func(c byte) bool { return edge(c) || strings.IndexByte(inner, c) >= 0 })
}

// minLength is the length of the shortest text that a glob can match.
func minLength(glob string) int { return len(glob) - strings.Count(glob, "*") }

// isTagText reports whether a tag key or value is text that can be shown.
func isTagText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
