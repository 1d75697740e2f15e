// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package diagram

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

// Overlaps draws the profiles of a cluster with their selectors. An arrow goes from
// the selector that gets the pods which both select to the one that does not, with a
// pod that shows it. What never gets a pod is drawn dashed. The same profiles give the
// same text.
func Overlaps(cluster string, profiles []selector.Profile, findings []selector.Finding) string {
	profiles = slices.Clone(profiles)
	slices.SortStableFunc(profiles, func(a, b selector.Profile) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	b.WriteString("  subgraph cluster[" + quote("cluster "+cluster) + "]\n")
	for i, p := range profiles {
		drawProfile(&b, i, p)
	}
	b.WriteString("  end\n")
	for i, winner := range profiles {
		for j, loser := range profiles[i+1:] {
			drawArrows(&b, i, winner, i+1+j, loser)
		}
	}
	drawIdle(&b, profiles, findings)
	return b.String()
}

func drawProfile(b *strings.Builder, i int, p selector.Profile) {
	fmt.Fprintf(b, "    subgraph p%d[%s]\n", i, quote(p.Name))
	for k, s := range p.Selectors {
		fmt.Fprintf(b, "      %s(%s)\n", node(i, k), quote(text(s.Namespace, s.Labels)))
	}
	b.WriteString("    end\n")
}

func node(profile, index int) string { return fmt.Sprintf("p%ds%d", profile, index) }

func drawArrows(b *strings.Builder, i int, winner selector.Profile, j int, loser selector.Profile) {
	for k, x := range winner.Selectors {
		for l, y := range loser.Selectors {
			r := selector.Compare(x, y)
			if r.Both != nil {
				fmt.Fprintf(b, "  %s -->|%s| %s\n", node(i, k), quote("gets "+text(r.Both.Namespace, r.Both.Labels)), node(j, l))
			}
		}
	}
}

// drawIdle marks the selectors that never get a pod by themselves.
func drawIdle(b *strings.Builder, profiles []selector.Profile, findings []selector.Finding) {
	idle := map[string]bool{}
	for _, f := range findings {
		i := slices.IndexFunc(profiles, func(p selector.Profile) bool { return p.Name == f.Profile })
		if i < 0 || !neverGetsPods(f.Code) {
			continue
		}
		for k := range profiles[i].Selectors {
			if f.Selector == selector.NoSelector || f.Selector == k {
				idle[node(i, k)] = true
			}
		}
	}
	if len(idle) == 0 {
		return
	}
	b.WriteString("  classDef idle stroke-dasharray: 4 4\n")
	b.WriteString("  class " + strings.Join(slices.Sorted(maps.Keys(idle)), ",") + " idle\n")
}

func neverGetsPods(c selector.FindingCode) bool {
	switch c {
	case selector.FindingUnreachable, selector.FindingIdentical, selector.FindingShadowed:
		return true
	default:
		return false
	}
}

func text(namespace string, labels map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	if len(pairs) == 0 {
		return namespace
	}
	return namespace + "{" + strings.Join(pairs, ",") + "}"
}

// quote makes any text a label: what Mermaid or HTML would read as more than text is
// written as a character code.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if strings.ContainsRune("\"#<>&`;\\", r) || r < ' ' {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}
