// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/diagram"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) analyzeCommand() *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:     "analyze -f PROFILES",
		GroupID: groupFiles,
		Short:   "Look for what may surprise the owner of profiles",
		Long: `Look for what may surprise the owner of the profiles of a cluster: selectors that overlap,
each with a pod that shows it and the profile that gets it; profiles that never get a
pod; selectors that no pod can match; whether CoreDNS is covered; what is left of the
quotas, if they are AWS's defaults. With -o mermaid, the overlaps are drawn.`,
		Example: example(
			"fargatectl analyze -f cluster.yaml",
			"fargatectl analyze -f manifests/ -o mermaid > overlaps.mmd",
		),
		Args: onlyFlags,
		RunE: func(*cobra.Command, []string) error { return a.analyze(paths) },
	}
	filesFlag(cmd, &paths, "the profiles")
	formats(cmd, output.Table, output.JSON, output.YAML, output.Mermaid)
	return cmd
}

// analysis is what was found about the profiles of one cluster.
type analysis struct {
	Cluster  string             `json:"cluster"`
	Profiles []selector.Profile `json:"profiles"`
	Findings []selector.Finding `json:"findings"`
	Quota    []quota            `json:"quota"`
}

// quota is what is left of one of AWS's default limits.
type quota struct {
	Code  string `json:"code"`
	What  string `json:"what"`
	Used  int    `json:"used"`
	Limit int    `json:"limit"`
	Left  int    `json:"left"`
}

func (a *app) analyze(paths []string) error {
	result, err := a.readProfiles(paths)
	if err != nil {
		return err
	}
	if err := result.Err(); err != nil {
		return err
	}
	analyses := []analysis{}
	for _, c := range a.byCluster(result.Profiles) {
		analyses = append(analyses, analysis{
			Cluster: c.Name, Profiles: c.Profiles, Quota: quotas(c.Profiles),
			Findings: append([]selector.Finding{}, selector.Analyze(c.Profiles...)...),
		})
	}
	if output.Format(a.format) == output.Mermaid {
		return a.draw(analyses)
	}
	if done, err := a.encoded(analyses); done || err != nil {
		return err
	}
	for _, x := range analyses {
		a.showAnalysis(x)
	}
	return nil
}

// draw draws one cluster, for a diagram has one subject.
func (a *app) draw(all []analysis) error {
	if len(all) != 1 {
		return failure("choose one with --cluster NAME", "the files have profiles of %s to draw", count(len(all), "cluster"))
	}
	a.say("%s", diagram.Overlaps(all[0].Cluster, all[0].Profiles, all[0].Findings))
	return nil
}

// clusterProfiles are the profiles of one cluster, as matching needs them.
type clusterProfiles struct {
	Name     string
	Profiles []selector.Profile
}

// byCluster sorts profiles into their clusters, in the order of the files. A profile
// whose name or selectors are not known can't be judged and is left out.
func (a *app) byCluster(profiles []manifest.Profile) []clusterProfiles {
	var out []clusterProfiles
	index := map[string]int{}
	for _, p := range profiles {
		cluster := p.ClusterName.Or(manifest.Known(a.cluster)).Text
		if a.cluster != "" && cluster != a.cluster {
			continue
		}
		known, err := matching(p)
		if err != nil {
			a.note("note:", "left out: "+err.Error())
			continue
		}
		i, seen := index[cluster]
		if !seen {
			i = len(out)
			index[cluster] = i
			out = append(out, clusterProfiles{Name: cluster})
		}
		out[i].Profiles = append(out[i].Profiles, known)
	}
	return out
}

// matching is a profile without what matching does not look at, which may be unknown.
func matching(p manifest.Profile) (selector.Profile, error) {
	spec, err := manifest.Profile{Name: p.Name, Selectors: p.Selectors, Source: p.Source}.Spec()
	return selector.Profile{Name: spec.Name, Selectors: spec.Selectors}, err
}

// The default quotas of AWS.
const (
	maxProfiles  = 10
	maxSelectors = 5
	maxLabels    = 5
)

// quotas are what is left for the cluster, for its fullest profile, and for the
// fullest selector.
func quotas(profiles []selector.Profile) []quota {
	selectors, labels := 0, 0
	for _, p := range profiles {
		selectors = max(selectors, len(p.Selectors))
		for _, s := range p.Selectors {
			labels = max(labels, len(s.Labels))
		}
	}
	return []quota{
		{"L-33415657", "profiles in the cluster", len(profiles), maxProfiles, maxProfiles - len(profiles)},
		{"L-D78D8AF8", "selectors in the fullest profile", selectors, maxSelectors, maxSelectors - selectors},
		{"L-23414FF3", "labels in the fullest selector", labels, maxLabels, maxLabels - labels},
	}
}

func (a *app) showAnalysis(x analysis) {
	style := a.style()
	a.say("%s\n\n", style.Bold("cluster "+orDash(x.Cluster)+": "+count(len(x.Profiles), "profile")))
	for _, f := range x.Findings {
		a.say("%s\n", indented(findingText(style, f)))
	}
	rows := output.Rows{{"QUOTA", "USED", "LIMIT", "LEFT", ""}}
	for _, q := range x.Quota {
		rows = append(rows, []string{q.What, fmt.Sprint(q.Used), fmt.Sprint(q.Limit), fmt.Sprint(q.Left), q.Code})
	}
	a.say("\n%s\n", rows)
}

func findingText(style output.Style, f selector.Finding) string {
	var b strings.Builder
	b.WriteString(style.Severity(string(f.Severity), string(f.Severity)) + ": ")
	if f.Profile != "" {
		b.WriteString(style.Bold(f.Profile))
		if f.Selector != selector.NoSelector {
			fmt.Fprintf(&b, " selector %d", f.Selector)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s (%s)\n", f.Message, f.Code)
	if f.Witness != nil {
		b.WriteString("  for example " + podText(*f.Witness) + "\n")
	}
	b.WriteString("  " + f.Remedy)
	return b.String()
}
