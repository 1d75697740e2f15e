// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package diagram_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/selector"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/diagram"
)

func TestOverlaps(t *testing.T) {
	profiles := []selector.Profile{
		{Name: "web", Selectors: []selector.Selector{{Namespace: "web"}, {Namespace: "Web"}}},
		{Name: "all", Selectors: []selector.Selector{{Namespace: "*", Labels: map[string]string{"app": "x"}}}},
	}
	want := `flowchart LR
  subgraph cluster["cluster demo"]
    subgraph p0["all"]
      p0s0("*{app=x}")
    end
    subgraph p1["web"]
      p1s0("web")
      p1s1("Web")
    end
  end
  p0s0 -->|"gets web{app=x}"| p1s0
  classDef idle stroke-dasharray: 4 4
  class p1s1 idle
`
	got := diagram.Overlaps("demo", profiles, selector.Analyze(profiles...))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the diagram (-want +got):\n%s", diff)
	}
}

func TestNoTextBreaksOutOfItsLabel(t *testing.T) {
	label := regexp.MustCompile(`"[^"#<>&;\x60]*(#\d+;[^"#<>&;\x60]*)*"`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		p := selector.Profile{Name: text, Selectors: []selector.Selector{{Namespace: text, Labels: map[string]string{text: text}}}}
		for line := range strings.Lines(diagram.Overlaps(text, []selector.Profile{p}, nil)) {
			if rest := label.ReplaceAllString(line, ""); strings.ContainsAny(rest, `"#<&;`) {
				t.Fatalf("the line is more than a label: %q", line)
			}
		}
	})
}
