// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// matches asks whether a pattern of the operator matches the text.
func matches(operator, pattern, text string) bool {
	d := iam.Document{Statements: []iam.Statement{{
		Effect: iam.EffectAllow, Principal: iam.Principal{Everyone: true}, Action: []string{"*"},
		Condition: iam.Condition{operator: {"aws:SourceArn": {pattern}}},
	}}}
	return iam.Evaluate(d, iam.Request{SourceARN: text}).Allowed()
}

func TestStringLike_AgreesWithARegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab:*?\x{e4}]{0,12}`).Draw(t, "pattern")
		text := rapid.StringMatching(`[ab:\x{e4}]{1,12}`).Draw(t, "text")
		want := regexp.MustCompile("^" + translate(pattern, ".") + "$").MatchString(text)
		if got := matches("StringLike", pattern, text); got != want {
			t.Fatalf("%q on %q: %v, want %v", pattern, text, got, want)
		}
	})
}

func TestArnLike_AgreesWithARegularExpression(t *testing.T) {
	part := rapid.StringMatching(`[ab*?]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		pattern := make([]string, 6)
		expression := make([]string, 6)
		for i := range pattern {
			pattern[i] = part.Draw(t, "part")
			expression[i] = translate(pattern[i], "[^:]")
		}
		// Colons in the resource are part of it.
		pattern[5] += rapid.SampledFrom([]string{"", ":", ":*", "/*"}).Draw(t, "end")
		expression[5] = translate(pattern[5], ".")
		text := rapid.StringMatching(`([ab]{0,3}:){4,7}[ab/]{0,4}`).Draw(t, "text")
		want := regexp.MustCompile("^" + strings.Join(expression, ":") + "$").MatchString(text)
		if got := matches("ArnLike", strings.Join(pattern, ":"), text); got != want {
			t.Fatalf("%q on %q: %v, want %v", strings.Join(pattern, ":"), text, got, want)
		}
	})
}

// translate turns a pattern into a regular expression, with what one character
// may be.
func translate(pattern, one string) string {
	return strings.NewReplacer("*", one+"*", "?", one).Replace(pattern)
}
