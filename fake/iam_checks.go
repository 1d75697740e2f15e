// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

// Limits of IAM (API model).
const (
	maxRoleName            = 64
	maxInstanceProfileName = 128
	maxPolicyName          = 128
	maxIAMPath             = 512
	maxDescription         = 1000
	maxIAMDocument         = 131_072
	minIAMARN              = 20
	maxIAMARN              = 2048
	minSessionLimit        = 3600
	maxSessionLimit        = 43_200
	maxItemsOfPage         = 1000
	defaultItemsOfPage     = 100
	namePattern            = `[\w+=,.@-]+`
	tagPattern             = `[\p{L}\p{Z}\p{N}_.:/=+\-@]`
)

// checks collects what is wrong with an input by itself. AWS reports all of it
// in one error. The error repeats no values, as the newest reports do not.
type checks []string

func (c *checks) add(where, constraint string, args ...any) {
	*c = append(*c, fmt.Sprintf("Value at '%s' failed to satisfy constraint: Member must ", where)+
		fmt.Sprintf(constraint, args...))
}

func (c *checks) err() error {
	if len(*c) == 0 {
		return nil
	}
	plural := "s"
	if len(*c) == 1 {
		plural = ""
	}
	return apiErrorf(codeValidation, "%d validation error%s detected: %s", len(*c), plural, strings.Join(*c, "; "))
}

func (c *checks) present(f field) {
	if !f.set {
		c.add(memberName(f.name), "not be null")
	}
}

// length checks the number of characters of a member that is there.
func (c *checks) length(where string, value *string, least, most int) {
	if value != nil {
		c.count(where, utf8.RuneCountInString(*value), least, most)
	}
}

func (c *checks) count(where string, n, least, most int) {
	switch {
	case n < least:
		c.add(where, "have length greater than or equal to %d", least)
	case n > most:
		c.add(where, "have length less than or equal to %d", most)
	}
}

func (c *checks) number(where string, value *int32, least, most int32) {
	switch {
	case value == nil:
	case *value < least:
		c.add(where, "have value greater than or equal to %d", least)
	case *value > most:
		c.add(where, "have value less than or equal to %d", most)
	}
}

func (c *checks) characters(where string, value *string, pattern string, valid func(rune) bool) {
	if strings.ContainsFunc(aws.ToString(value), func(r rune) bool { return !valid(r) }) {
		c.add(where, "satisfy regular expression pattern: %s", pattern)
	}
}

func (c *checks) name(where string, value *string, most int) {
	c.length(where, value, 1, most)
	c.characters(where, value, namePattern, isNameCharacter)
}

func (c *checks) roleName(value *string) { c.name("roleName", value, maxRoleName) }

func (c *checks) path(where string, value *string) {
	c.length(where, value, 1, maxIAMPath)
	if value != nil && !isIAMPath(*value) {
		c.add(where, `satisfy regular expression pattern: (\u002F)|(\u002F[\u0021-\u007F]+\u002F)`)
	}
}

func (c *checks) document(where string, value *string) {
	c.length(where, value, 1, maxIAMDocument)
	c.characters(where, value, `[\u0009\u000A\u000D\u0020-\u00FF]+`, func(r rune) bool {
		return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xff
	})
}

func (c *checks) arn(where string, value *string) { c.length(where, value, minIAMARN, maxIAMARN) }

func (c *checks) paging(marker *string, maxItems *int32) {
	c.length("marker", marker, 1, maxIAMDocument)
	c.number("maxItems", maxItems, 1, maxItemsOfPage)
}

func (c *checks) tags(tags []types.Tag) {
	c.count("tags", len(tags), 0, maxTags)
	for i, tag := range tags {
		where := fmt.Sprintf("tags.%d.member.", i+1)
		c.present(field{where + "key", tag.Key != nil})
		c.present(field{where + "value", tag.Value != nil})
		c.tagKey(where+"key", tag.Key)
		c.length(where+"value", tag.Value, 0, maxTagValue)
		c.characters(where+"value", tag.Value, tagPattern+"*", isTagCharacter)
	}
}

func (c *checks) tagKey(where string, key *string) {
	c.length(where, key, 1, maxTagKey)
	c.characters(where, key, tagPattern+"+", isTagCharacter)
}

func isNameCharacter(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_+=,.@-", r)
}

func isTagCharacter(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Z, unicode.N) || strings.ContainsRune("_.:/=+-@", r)
}

// isIAMPath reports whether a path is / or begins and ends with one and has
// visible ASCII between.
func isIAMPath(path string) bool {
	outside := func(r rune) bool { return r < '!' || r > 0x7f }
	return strings.HasPrefix(path, "/") && strings.HasSuffix(path, "/") && !strings.ContainsFunc(path, outside)
}

func (c *checks) tagKeys(keys []string) {
	c.count("tagKeys", len(keys), 0, maxTags)
	for i, key := range keys {
		c.tagKey(fmt.Sprintf("tagKeys.%d.member", i+1), &key)
	}
}
