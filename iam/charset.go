// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The syntax of names, by hand: a decision checks many of them, and compiling a
// regular expression for each takes longer than all the rest of it.

// consists reports whether all characters of a text are of a kind.
func consists(s string, of func(rune) bool) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !of(r) }) < 0
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLower(r rune) bool { return r >= 'a' && r <= 'z' }
func isAlnum(r rune) bool { return isDigit(r) || isLower(r) || r >= 'A' && r <= 'Z' }

// isNameChar follows the API model of IAM, shapes roleNameType and policyNameType.
func isNameChar(r rune) bool { return isAlnum(r) || strings.ContainsRune("_+=,.@-", r) }

// isTagChar follows the API model of IAM, shapes tagKeyType and tagValueType.
func isTagChar(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Z, r) || strings.ContainsRune("_.:/=+-@", r)
}

// isName reports whether a text can be the name of a role or of a policy.
func isName(s string, longest int) bool {
	return s != "" && len(s) <= longest && consists(s, isNameChar)
}

func isRoleName(s string) bool { return isName(s, MaxRoleName) }

// isRolePath follows the API model of IAM, shape pathType.
func isRolePath(s string) bool {
	framed := s == "/" || len(s) > 2 && strings.HasPrefix(s, "/") && strings.HasSuffix(s, "/")
	return framed && len(s) <= 512 && consists(s, func(r rune) bool { return r >= '!' && r <= '~' })
}

// isTagText reports whether IAM takes the text in a tag.
func isTagText(s string, limit int) bool {
	return utf8.RuneCountInString(s) <= limit && consists(s, isTagChar)
}

func isAccountID(s string) bool { return len(s) == 12 && consists(s, isDigit) }

// isClusterName follows the API model of EKS, shape ClusterName.
func isClusterName(s string) bool {
	return s != "" && len(s) <= 100 && isAlnum(rune(s[0])) && consists(s, func(r rune) bool { return isAlnum(r) || r == '_' || r == '-' })
}

// isPartition reports whether a text has the form of a partition: aws, aws-us-gov.
func isPartition(s string) bool {
	words := strings.Split(s, "-")
	for _, word := range words {
		if word == "" || !consists(word, isLower) {
			return false
		}
	}
	return words[0] == commercial
}

// isRegion reports whether a text has the form of a region, such as us-gov-west-1.
func isRegion(s string) bool {
	parts := strings.Split(s, "-")
	last := len(parts) - 1
	if last < 2 || len(parts[0]) < 2 || parts[last] == "" || !consists(parts[last], isDigit) {
		return false
	}
	for _, part := range parts[:last] {
		if part == "" || !consists(part, isLower) {
			return false
		}
	}
	return true
}
