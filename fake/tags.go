// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of tags (user guide): aws: keys do not count and cannot be set.
const (
	maxTags       = 50
	maxTagKey     = 128
	maxTagValue   = 256
	reservedTags  = "aws:"
	minTagsPerPut = 1
)

// tagProblem says what is wrong with tags that a caller wants to set, or "".
// The texts are this package's: no public source has EKS's.
func tagProblem(tags map[string]string) string {
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if problem := tagKeyProblem(key); problem != "" {
			return problem
		}
		if n := utf8.RuneCountInString(tags[key]); n > maxTagValue {
			return "The value of tag '" + key + "' is longer than 256 characters."
		}
		if isReservedTag(tags[key]) {
			return "The value of tag '" + key + "' starts with the reserved prefix 'aws:'."
		}
	}
	if countOwnTags(tags) > maxTags {
		return "A resource can have at most 50 tags."
	}
	return ""
}

func tagKeyProblem(key string) string {
	switch n := utf8.RuneCountInString(key); {
	case n == 0:
		return "A tag key must not be empty."
	case n > maxTagKey:
		return "The tag key '" + key + "' is longer than 128 characters."
	case isReservedTag(key):
		return "The tag key '" + key + "' starts with the reserved prefix 'aws:'."
	default:
		return ""
	}
}

// isReservedTag reports whether a key or a value is AWS's own, in any case.
func isReservedTag(s string) bool {
	return len(s) >= len(reservedTags) && strings.EqualFold(s[:len(reservedTags)], reservedTags)
}

func countOwnTags(tags map[string]string) int {
	n := 0
	for key := range tags {
		if !isReservedTag(key) {
			n++
		}
	}
	return n
}
