// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"

	"github.com/eksfargate/eksfargate/selector"
)

func ExampleSelector_Matches() {
	s := selector.Selector{Namespace: "prod-*", Labels: map[string]string{"team-?": "blue*"}}
	fmt.Println(s.Matches("prod-eu", map[string]string{"team-a": "blue-green"}))
	fmt.Println(s.Matches("prod", map[string]string{"team-a": "blue-green"}))
	// Output:
	// true
	// false
}

// shop has two profiles that both match the pods of the shop's API.
func shop() *selector.Matcher {
	m, err := selector.Compile(
		selector.Profile{Name: "fp-web", Selectors: []selector.Selector{{Namespace: "web"}}},
		selector.Profile{Name: "fp-api", Selectors: []selector.Selector{
			{Namespace: "web", Labels: map[string]string{"app": "api"}},
		}},
	)
	if err != nil {
		panic(err) // two profiles of one name
	}
	return m
}

func ExampleCompile() {
	_, err := selector.Compile(selector.Profile{Name: "fp"}, selector.Profile{Name: "fp"})
	fmt.Println(err)
	// Output:
	// compiling profile 1 ("fp"): selector: profile name used twice; give each profile of a cluster a name of its own
}

func ExampleMatcher_Match() {
	pod := selector.Pod{Namespace: "web", Name: "p", Labels: map[string]string{"app": "api"}}
	match := shop().Match(pod)
	fmt.Println(match.Outcome(), match.Profile, match.Ambiguous, match.Reason)

	pod.Labels[selector.ProfileLabel] = "fp-web"
	match = shop().Match(pod)
	fmt.Println(match.Outcome(), match.Profile, match.Ambiguous, match.Reason)
	// Output:
	// fargate fp-api true TieDecidedByName
	// fargate fp-web false Pinned
}

func ExampleMatcher_Candidates() {
	pod := selector.Pod{Namespace: "web", Labels: map[string]string{"app": "api"}}
	for profile, index := range shop().Candidates(pod) {
		fmt.Println(profile, "by selector", index)
	}
	// Output:
	// fp-api by selector 0
	// fp-web by selector 0
}

func ExampleMatcher_Explain() {
	pod := selector.Pod{Namespace: "webs", Name: "p", Labels: map[string]string{"app": "web"}}
	explanation := shop().Explain(pod)
	fmt.Println(explanation)
	for _, miss := range explanation.Misses {
		fmt.Println("-", miss)
	}
	// Output:
	// webs/p goes to no Fargate profile: namespace webs matches no selector; closest: fp-web selects web
	// - fp-web selector 0 wants namespace web, got webs
	// - fp-api selector 0 wants namespace web, got webs
}

func ExampleCompare() {
	a := selector.Selector{Namespace: "web", Labels: map[string]string{"k": "x", "k*": "y"}}
	b := selector.Selector{Namespace: "web", Labels: map[string]string{"k?*": "y"}}
	relation := selector.Compare(a, b)
	fmt.Println(relation.Kind)
	fmt.Println("in both:", relation.Both.Labels)
	fmt.Println("only in b:", relation.OnlyB.Labels)
	// Output:
	// Subset
	// in both: map[k:x ka:y]
	// only in b: map[ka:y]
}

func ExampleAnalyze() {
	findings := selector.Analyze(
		selector.Profile{Name: "fp-web", Selectors: []selector.Selector{
			{Namespace: "web", Labels: map[string]string{"app": "api"}},
		}},
		selector.Profile{Name: "fp-all", Selectors: []selector.Selector{{Namespace: "web*"}}},
	)
	for _, f := range findings {
		fmt.Println(f.Severity, f.Code, f.Profile, f.Others)
	}
	// Output:
	// warning Shadowed fp-web [fp-all]
	// info CoreDNSNotCovered  []
}

func ExampleImpact() {
	web := selector.Profile{Name: "fp-web", Selectors: []selector.Selector{{Namespace: "web"}}}
	all := selector.Profile{Name: "fp-z", Selectors: []selector.Selector{{Namespace: "*"}}}
	pods := []selector.Placed{
		{Pod: selector.Pod{Namespace: "web", Name: "a"}, Scheduler: selector.FargateScheduler, Profile: "fp-web", Node: "fargate-1"},
		{
			Pod: selector.Pod{Namespace: "web", Name: "b"}, Scheduler: selector.FargateScheduler, Profile: "fp-web", Node: "fargate-2",
			Template: &selector.Pod{Labels: map[string]string{selector.ProfileLabel: "fp-web"}},
		},
		{Pod: selector.Pod{Namespace: "api", Name: "c"}, Scheduler: "default-scheduler"},
	}
	for _, move := range selector.Impact([]selector.Profile{web}, []selector.Profile{all}, pods) {
		fmt.Println(move)
	}
	// Output:
	// web/a moves from fp-web to fp-z (ProfileDeleted)
	// web/b loses fp-web, and no profile takes it (PinnedProfileNotFound)
	// api/c must be created again to run on fp-z (PlacedAtCreation)
}

func ExampleLinkNodes() {
	nodes := []selector.Node{{Name: "fargate-ip-10-0-0-1.ec2.internal"}, {Name: "ip-10-0-0-2.ec2.internal"}}
	pods := []selector.Placed{{
		Pod:  selector.Pod{Namespace: "web", Name: "p", Labels: map[string]string{selector.ProfileLabel: "fp-web"}},
		Node: "fargate-ip-10-0-0-1.ec2.internal",
	}}
	for _, link := range selector.LinkNodes(nodes, pods) {
		fmt.Println(link.Node, link.Reason, link.Profile)
	}
	// Output:
	// fargate-ip-10-0-0-1.ec2.internal Linked fp-web
	// ip-10-0-0-2.ec2.internal NotFargate
}

func ExampleCoreDNS() {
	m, err := selector.Compile(selector.Profile{Name: "fp", Selectors: []selector.Selector{{Namespace: "kube-system"}}})
	if err != nil {
		panic(err)
	}
	pod := selector.CoreDNS()
	fmt.Println(m.Match(pod).Outcome())
	delete(pod.Annotations, selector.ComputeTypeAnnotation)
	fmt.Println(m.Match(pod).Outcome())
	// Output:
	// optedOut
	// fargate
}
