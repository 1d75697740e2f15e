// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"errors"
	"fmt"
	"slices"
)

// Analyze looks for what may surprise the owner of these profiles, which should
// be all of one cluster: those that never get a pod, those whose name decides
// who gets one, and what they do to kube-system. The findings are ordered by
// severity, profile and selector.
//
// Each finding is exact, by the argument of [Compare]. Shadowing is found even if
// it takes several earlier profiles together to cover one, and so is redundancy
// within a profile. What isn't looked at: which subnets and roles the profiles
// have, so identical profiles may be meant; and labels that only some pods could
// have in practice, such as those that a controller sets.
func Analyze(profiles ...Profile) []Finding {
	return analyze(budget, profiles)
}

func analyze(budget int, profiles []Profile) []Finding {
	a := &analysis{prover: newProver(kubernetes()), budget: budget}
	a.checkNames(profiles)
	for _, p := range sortedByName(profiles) {
		a.profiles = append(a.profiles, a.prepare(p))
	}
	for i := range a.profiles {
		a.checkSelectors(&a.profiles[i])
		a.checkRedundancy(&a.profiles[i])
		a.checkEarlier(i)
	}
	a.checkCoreDNS(profiles)
	slices.SortStableFunc(a.findings, compareFindings)
	return a.findings
}

type analysis struct {
	prover   *prover
	budget   int        // for each question
	profiles []analyzed // by name
	findings []Finding
}

// analyzed is a profile with the selectors that some pod matches.
type analyzed struct {
	Profile
	regions []indexedRegion
	partly  bool // of some selector it is not known whether a pod matches it
}

type indexedRegion struct {
	*region
	index int
}

// regionsOf leaves the indexes out.
func regionsOf(indexed []indexedRegion) []*region {
	regions := make([]*region, len(indexed))
	for i, r := range indexed {
		regions[i] = r.region
	}
	return regions
}

func (a *analysis) add(f Finding) { a.findings = append(a.findings, f) }

// ask answers one question with the whole budget. If the prover gives up, no
// answer is to be trusted, and there is a finding about it.
func (a *analysis) ask(profile string, question func()) (answered bool) {
	a.prover.search.budget, a.prover.search.spent = a.budget, false
	question()
	if !a.prover.search.spent {
		return true
	}
	undecided := func(f Finding) bool { return f.Code == FindingUndecided && f.Profile == profile }
	if !slices.ContainsFunc(a.findings, undecided) {
		a.add(Finding{
			Code: FindingUndecided, Severity: SeverityInfo, Profile: profile, Selector: NoSelector,
			Message: "its selectors are too many or too intricate to analyse",
			Remedy:  "use fewer labels with wildcard keys",
		})
	}
	return false
}

func (a *analysis) checkNames(profiles []Profile) {
	err, isJoined := checkNames(profiles).(interface{ Unwrap() []error })
	if !isJoined {
		return
	}
	for _, fault := range err.Unwrap() {
		if e, is := errors.AsType[*NameError](fault); is {
			a.add(Finding{
				Code: FindingBadName, Severity: SeverityError, Profile: e.Name, Selector: NoSelector,
				Message: fmt.Sprintf("profile %d: %v", e.Index, e.Err),
				Remedy:  "give each profile of a cluster a name of its own",
			})
		}
	}
}

// prepare keeps the selectors that some pod matches, and reports the others.
func (a *analysis) prepare(p Profile) analyzed {
	prepared := analyzed{Profile: p}
	if len(p.Selectors) == 0 {
		a.add(Finding{
			Code: FindingNoSelectors, Severity: SeverityError, Profile: p.Name, Selector: NoSelector,
			Message: "it has no selectors, so no pod matches it",
			Remedy:  "add a selector; EKS refuses a profile without one",
		})
	}
	for i, s := range p.Selectors {
		var r *region
		if !a.ask(p.Name, func() { r = a.prover.region(s) }) {
			prepared.partly = true
			continue
		}
		if r.sample != nil {
			prepared.regions = append(prepared.regions, indexedRegion{r, i})
			continue
		}
		a.add(Finding{
			Code: FindingUnreachable, Severity: SeverityError, Profile: p.Name, Selector: i,
			Message: "no pod that Kubernetes accepts can match it",
			Remedy:  "check the namespace and the labels: their characters, their length, and whether they contradict each other",
		})
	}
	return prepared
}

// CoreDNS is the pod template of CoreDNS as EKS ships it: it opts out of Fargate.
// Source: EKS user guide, "Get started with AWS Fargate for your cluster".
func CoreDNS() Pod {
	return Pod{
		Namespace:   kubeSystem,
		Name:        "coredns",
		Labels:      map[string]string{"eks.amazonaws.com/component": "coredns", "k8s-app": "kube-dns"},
		Annotations: map[string]string{ComputeTypeAnnotation: ComputeTypeEC2},
	}
}

func (a *analysis) checkCoreDNS(profiles []Profile) {
	if len(profiles) == 0 {
		return
	}
	pod := CoreDNS()
	pod.Annotations = nil
	match := compile(profiles).Match(pod)
	if match.Profile == "" {
		a.add(Finding{
			Code: FindingCoreDNSNotCovered, Severity: SeverityInfo, Selector: NoSelector, Witness: &pod,
			Message: "no profile takes CoreDNS",
			Remedy: "if the cluster has no EC2 nodes, add a selector with namespace kube-system and at most the labels " +
				"k8s-app: kube-dns and eks.amazonaws.com/component: coredns",
		})
		return
	}
	a.add(Finding{
		Code: FindingCoreDNSCovered, Severity: SeverityInfo, Profile: match.Profile, Selector: match.Selector, Witness: &pod,
		Message: "it takes CoreDNS",
		Remedy:  "to run CoreDNS there, remove its annotation " + ComputeTypeAnnotation + ": " + ComputeTypeEC2 + " and restart it",
	})
}
