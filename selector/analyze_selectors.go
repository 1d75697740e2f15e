// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"fmt"
	"slices"
)

const kubeSystem = "kube-system"

// checkSelectors looks at what each selector takes.
func (a *analysis) checkSelectors(p *analyzed) {
	for _, r := range p.regions {
		everywhere := false
		answered := a.ask(p.Name, func() { everywhere = a.takesEveryNamespace(r.region) })
		switch {
		case answered && everywhere:
			a.add(allNamespaces(p.Name, r))
		case matchGlob(r.Namespace, kubeSystem):
			a.add(takesKubeSystem(p.Name, r))
		}
	}
}

func (a *analysis) takesEveryNamespace(r *region) bool {
	all := newGlob(a.prover.universe.namespace, "*")
	_, found := a.prover.search.find(a.prover.universe.namespace, []*glob{all}, []*glob{r.namespace})
	return !found
}

func allNamespaces(profile string, r indexedRegion) Finding {
	f := Finding{
		Code: FindingAllNamespaces, Severity: SeverityWarning, Profile: profile, Selector: r.index,
		Witness: witness(kubeSystem, r.sample.Labels),
		Message: "it takes every pod of every namespace, kube-system among them",
		Remedy:  "name the namespaces, or mind that DaemonSets and other pods that Fargate can't run stay Pending",
	}
	if len(r.needs) > 0 {
		f.Severity, f.Message = SeverityInfo, "it takes its pods from every namespace, kube-system among them"
	}
	return f
}

func takesKubeSystem(profile string, r indexedRegion) Finding {
	f := Finding{
		Code: FindingKubeSystem, Severity: SeverityInfo, Profile: profile, Selector: r.index,
		Witness: witness(kubeSystem, r.sample.Labels),
		Message: "it takes pods of kube-system",
		Remedy:  "mind that DaemonSets and other pods that Fargate can't run stay Pending",
	}
	if len(r.needs) == 0 && !isLiteral(r.Namespace) {
		f.Severity = SeverityWarning
		f.Message = "its wildcard takes every pod of kube-system"
	}
	return f
}

// checkRedundancy looks for selectors that their profile could do without. Of
// selectors that could do without each other, the last one is reported.
func (a *analysis) checkRedundancy(p *analyzed) {
	kept := slices.Clone(p.regions)
	for i, r := range slices.Backward(p.regions) {
		others := slices.Delete(slices.Clone(kept), i, i+1)
		if len(others) == 0 || !a.covers(p.Name, others, r) {
			continue
		}
		kept = others
		a.add(a.redundant(p.Name, r, others))
	}
}

// covers reports whether all pods of r match some of others.
func (a *analysis) covers(profile string, others []indexedRegion, r indexedRegion) bool {
	var outside *Pod
	answered := a.ask(profile, func() { outside = a.prover.outside(r.region, regionsOf(others)) })
	return answered && outside == nil
}

func (a *analysis) redundant(profile string, r indexedRegion, others []indexedRegion) Finding {
	for _, other := range others {
		same := []indexedRegion{other}
		if a.covers(profile, same, r) && a.covers(profile, []indexedRegion{r}, other) {
			return Finding{
				Code: FindingDuplicate, Severity: SeverityInfo, Profile: profile, Selector: r.index,
				OtherSelectors: []int{other.index}, Witness: r.sample,
				Message: fmt.Sprintf("it matches the same pods as selector %d", other.index),
				Remedy:  "remove it",
			}
		}
	}
	overlapping := a.overlapping(profile, r, others)
	return Finding{
		Code: FindingRedundant, Severity: SeverityInfo, Profile: profile, Selector: r.index,
		OtherSelectors: overlapping, Witness: r.sample,
		Message: fmt.Sprintf("all its pods match other selectors of the profile: %s", joinInts(overlapping)),
		Remedy:  "remove it",
	}
}

func (a *analysis) overlapping(profile string, r indexedRegion, others []indexedRegion) []int {
	var indexes []int
	for _, other := range others {
		var common *Pod
		a.ask(profile, func() { common = a.prover.common(r.region, other.region) })
		if common != nil {
			indexes = append(indexes, other.index)
		}
	}
	return indexes
}

func joinInts(list []int) string {
	text := fmt.Sprint(list)
	return text[1 : len(text)-1]
}
