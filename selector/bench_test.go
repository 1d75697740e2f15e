// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/selector"
)

// benchMatcher has 10 profiles of 5 selectors of 5 labels, wildcards in
// namespaces, keys and values, and pods that match early, late and never.
func benchMatcher(tb testing.TB) (*selector.Matcher, []selector.Pod) {
	tb.Helper()
	var list []selector.Profile
	for p := range 10 {
		var selectors []selector.Selector
		for s := range 5 {
			selectors = append(selectors, on(benchNamespace(p, s),
				"app", fmt.Sprintf("app-%d*", p), "tier", "*-tier", "team?", fmt.Sprintf("t%d", s),
				"eks*/name", "n*e", "ver", "v?.*"))
		}
		list = append(list, profile(fmt.Sprintf("fp-%d", p), selectors...))
	}
	m, err := selector.Compile(list...)
	if err != nil {
		tb.Fatal(err)
	}
	return m, []selector.Pod{benchPod("prod-0", 0, 0), benchPod("stage-9-x", 9, 4), benchPod("none", 5, 5)}
}

func benchNamespace(p, s int) string {
	if s%2 == 0 {
		return fmt.Sprintf("*-%d*", p)
	}
	return fmt.Sprintf("prod-%d", p)
}

func benchPod(namespace string, p, s int) selector.Pod {
	return podIn(namespace, "app", fmt.Sprintf("app-%d-x", p), "tier", "front-tier", "team1", fmt.Sprintf("t%d", s),
		"eks.amazonaws.com/name", "name", "ver", "v1.2")
}

func BenchmarkMatch(b *testing.B) {
	m, pods := benchMatcher(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pods {
			m.Match(p)
		}
	}
}

func BenchmarkHostilePattern(b *testing.B) {
	s := on("*a*a*a*a*b")
	text := strings.Repeat("a", 10_000)
	for b.Loop() {
		s.Matches(text, nil)
	}
}
