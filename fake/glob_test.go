// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A regular expression is the reference for the matcher.
func TestGlobMatchesLikeARegularExpression(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab/")), 0, 12, -1)
	pattern := rapid.StringOfN(rapid.RuneFrom([]rune("ab/*?")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		p, s := pattern.Draw(t, "pattern"), text.Draw(t, "text")
		quoted := regexp.QuoteMeta(p)
		quoted = strings.ReplaceAll(strings.ReplaceAll(quoted, `\*`, `.*`), `\?`, `.`)
		if want := regexp.MustCompile(`^(?s:` + quoted + `)$`).MatchString(s); globMatch(p, s) != want {
			t.Fatalf("globMatch(%q, %q) is %v, want %v", p, s, !want, want)
		}
	})
}

// A pattern of many stars must not take exponential time.
func TestGlobIsNotExponential(t *testing.T) {
	if globMatch(strings.Repeat("*a", 200)+"b", strings.Repeat("a", 5000)) {
		t.Error("a pattern that ends in b matched a text of a")
	}
}
