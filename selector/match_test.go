// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/selector"
)

type matchCase struct {
	profiles   []selector.Profile
	pod        selector.Pod
	outcome    selector.Outcome
	reason     selector.Reason
	profile    string
	selector   int
	candidates []string
}

func profiles(list ...selector.Profile) []selector.Profile { return list }

func TestMatch(t *testing.T) {
	const none = selector.NoSelector
	web := profile("fp-a", on("web"))
	coredns := podIn("kube-system", "eks.amazonaws.com/component", "coredns", "k8s-app", "kube-dns")
	for name, c := range map[string]matchCase{
		"a literal namespace":             hit(web, podIn("web")),
		"another namespace":               miss(web, podIn("api")),
		"all labels must match":           miss(profile("fp-a", on("web", "app", "api", "tier", "x")), podIn("web", "app", "api")),
		"more labels on the pod are fine": hit(profile("fp-a", on("web", "app", "api")), podIn("web", "app", "api", "z", "1")),
		"the second selector matches": {
			profiles: profiles(profile("fp-a", on("x"), on("y"))), pod: podIn("y"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonMatched, profile: "fp-a", selector: 1, candidates: []string{"fp-a"},
		},
		"a star stands for nothing, too":           hit(profile("fp-a", on("prod*")), podIn("prod")),
		"a pattern is anchored at the start":       miss(profile("fp-a", on("prod*")), podIn("preprod")),
		"a pattern is anchored at the end":         miss(profile("fp-a", on("*prod")), podIn("prod-1")),
		"stars at both ends":                       hit(profile("fp-a", on("*dev*")), podIn("my-dev-1")),
		"a question mark is one character":         hit(profile("fp-a", on("kube-?ystem")), podIn("kube-system")),
		"a question mark is not none":              miss(profile("fp-a", on("prod?")), podIn("prod")),
		"a question mark is not two":               miss(profile("fp-a", on("prod?")), podIn("prod12")),
		"a star takes every namespace":             hit(profile("fp-a", on("*")), podIn("anything")),
		"a star in the middle":                     hit(profile("fp-a", on("a*c")), podIn("abbbc")),
		"a star in the middle is not an overlap":   miss(profile("fp-a", on("ab*bc")), podIn("abc")),
		"a star in a label value":                  hit(profile("fp-a", on("web", "ver", "v1*")), podIn("web", "ver", "v1.2")),
		"a star in a label value takes none":       hit(profile("fp-a", on("web", "ver", "*")), podIn("web", "ver", "")),
		"an empty label value is literal":          miss(profile("fp-a", on("web", "ver", "")), podIn("web", "ver", "1")),
		"an empty label value matches itself":      hit(profile("fp-a", on("web", "ver", "")), podIn("web", "ver", "")),
		"a question mark in a label value":         hit(profile("fp-a", on("web", "ver", "v?")), podIn("web", "ver", "v1")),
		"a star in a label key":                    hit(profile("fp-a", on("web", "team*", "blue")), podIn("web", "team-x", "blue")),
		"key and value must match in one label":    miss(profile("fp-a", on("web", "team*", "blue")), podIn("web", "team-x", "red", "other", "blue")),
		"any label may meet a wildcard key":        hit(profile("fp-a", on("web", "team*", "blue")), podIn("web", "team-x", "red", "team-y", "blue")),
		"one label may meet two":                   hit(profile("fp-a", on("web", "team*", "b*", "*x", "*e")), podIn("web", "team-x", "blue")),
		"a star in a label key crosses the slash":  hit(profile("fp-a", on("web", "*name", "x")), podIn("web", "app.kubernetes.io/name", "x")),
		"a star after the slash of a label key":    hit(profile("fp-a", on("web", "app.kubernetes.io/*", "x")), podIn("web", "app.kubernetes.io/name", "x")),
		"a missing label is not an empty one":      miss(profile("fp-a", on("web", "app", "")), podIn("web")),
		"case counts in keys":                      miss(profile("fp-a", on("web", "App", "x")), podIn("web", "app", "x")),
		"case counts in values":                    miss(profile("fp-a", on("web", "app", "X")), podIn("web", "app", "x")),
		"brackets are literal":                     miss(profile("fp-a", on("prod[12]")), podIn("prod1")),
		"a backslash is literal":                   hit(profile("fp-a", on("web", "app", `a\*`)), podIn("web", "app", `a\b`)),
		"dots are literal":                         miss(profile("fp-a", on("web", "app", "v1.2")), podIn("web", "app", "v1x2")),
		"a question mark is a whole character":     hit(profile("fp-a", on("web", "app", "caf?")), podIn("web", "app", "café")),
		"empty labels select by namespace":         hit(profile("fp-a", selector.Selector{Namespace: "web", Labels: map[string]string{}}), podIn("web")),
		"no selectors":                             miss(profile("fp-a"), podIn("web")),
		"an empty namespace of a pod is default":   hit(profile("fp-a", on("default")), podIn("")),
		"a star takes a pod without a namespace":   hit(profile("fp-a", on("*")), podIn("")),
		"an empty selector namespace is no star":   miss(profile("fp-a", on("")), podIn("default")),
		"an empty selector namespace is not empty": miss(profile("fp-a", on("")), podIn("")),
		"coredns by its component label":           hit(profile("fp-a", on("kube-system", "eks.amazonaws.com/component", "coredns")), coredns),
		"coredns lacks another label":              miss(profile("fp-a", on("kube-system", "eks.amazonaws.com/component", "coredns", "tier", "x")), coredns),
		"no profiles":                              {pod: podIn("web"), outcome: selector.OutcomeNone, reason: selector.ReasonNoMatch, selector: none},
		"two selectors of one profile are no tie":  hit(profile("fp-a", on("web"), on("*")), podIn("web")),
		"the first name wins a tie": {
			profiles: profiles(profile("prod-workload", on("web")), profile("beta-workload", on("web"))), pod: podIn("web"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonTieDecidedByName,
			profile: "beta-workload", candidates: []string{"beta-workload", "prod-workload"},
		},
		"a tie goes by bytes, capitals and digits first": {
			profiles: profiles(profile("a", on("web")), profile("B", on("w*")), profile("10", on("*")), profile("9", on("*b"))), pod: podIn("web"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonTieDecidedByName,
			profile: "10", candidates: []string{"10", "9", "B", "a"},
		},
		"the specific one does not win": {
			profiles: profiles(profile("fp-a", on("web")), profile("fp-z", on("web", "app", "api"))), pod: podIn("web", "app", "api"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonTieDecidedByName,
			profile: "fp-a", candidates: []string{"fp-a", "fp-z"},
		},
		"wildcard and literal selectors keep their order": {
			profiles: profiles(profile("fp-a", on("x"), on("w*"), on("web"), on("*"))), pod: podIn("web"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonMatched, profile: "fp-a", selector: 1, candidates: []string{"fp-a"},
		},
		"a pin narrows": {
			profiles: profiles(profile("fp-a", on("web")), profile("fp-b", on("web"))), pod: podIn("web", selector.ProfileLabel, "fp-b"),
			outcome: selector.OutcomeFargate, reason: selector.ReasonPinned, profile: "fp-b", candidates: []string{"fp-b"},
		},
		"a pinned profile must match": {
			profiles: profiles(profile("fp-a", on("web")), profile("fp-b", on("api"))), pod: podIn("web", selector.ProfileLabel, "fp-b"),
			outcome: selector.OutcomeNone, reason: selector.ReasonPinnedProfileDoesNotMatch, selector: none,
		},
		"a pinned profile must exist": {
			profiles: profiles(web), pod: podIn("web", selector.ProfileLabel, "fp-b"),
			outcome: selector.OutcomeNone, reason: selector.ReasonPinnedProfileNotFound, selector: none,
		},
		"a pin to an empty name is a pin": {
			profiles: profiles(web), pod: podIn("web", selector.ProfileLabel, ""),
			outcome: selector.OutcomeNone, reason: selector.ReasonPinnedProfileNotFound, selector: none,
		},
		"a pin is a name, not a pattern": {
			profiles: profiles(web), pod: podIn("web", selector.ProfileLabel, "fp-*"),
			outcome: selector.OutcomeNone, reason: selector.ReasonPinnedProfileNotFound, selector: none,
		},
		"opting out keeps a matching pod off": {
			profiles: profiles(web), pod: optingOut(podIn("web")),
			outcome: selector.OutcomeOptedOut, reason: selector.ReasonOptedOut, selector: none, candidates: []string{"fp-a"},
		},
		"opting out of two": {
			profiles: profiles(web, profile("fp-b", on("*"))), pod: optingOut(podIn("web")),
			outcome: selector.OutcomeOptedOut, reason: selector.ReasonOptedOut, selector: none, candidates: []string{"fp-a", "fp-b"},
		},
		"opting out beats a pin": {
			profiles: profiles(web, profile("fp-b", on("*"))), pod: optingOut(podIn("web", selector.ProfileLabel, "fp-b")),
			outcome: selector.OutcomeOptedOut, reason: selector.ReasonOptedOut, selector: none, candidates: []string{"fp-b"},
		},
		"opting out of nothing is no match": miss(web, optingOut(podIn("kube-system"))),
		"an annotation of another value is no opt-out": hit(web, selector.Pod{
			Namespace: "web", Annotations: map[string]string{selector.ComputeTypeAnnotation: "EC2"},
		}),
		"compute type fargate is no opt-out": hit(web, selector.Pod{
			Namespace: "web", Annotations: map[string]string{selector.ComputeTypeAnnotation: "fargate"},
		}),
		"the annotation as a label is no opt-out": hit(web, podIn("web", selector.ComputeTypeAnnotation, selector.ComputeTypeEC2)),
		"the label as an annotation is no pin": hit(web, selector.Pod{
			Namespace: "web", Annotations: map[string]string{selector.ProfileLabel: "fp-b"},
		}),
	} {
		t.Run(name, func(t *testing.T) { c.check(t) })
	}
}

// hit expects the only profile to get the pod by its first selector.
func hit(p selector.Profile, pod selector.Pod) matchCase {
	return matchCase{
		profiles: profiles(p), pod: pod, outcome: selector.OutcomeFargate, reason: selector.ReasonMatched,
		profile: p.Name, candidates: []string{p.Name},
	}
}

// miss expects no profile to match.
func miss(p selector.Profile, pod selector.Pod) matchCase {
	return matchCase{
		profiles: profiles(p), pod: pod, outcome: selector.OutcomeNone,
		reason: selector.ReasonNoMatch, selector: selector.NoSelector,
	}
}

func (c matchCase) check(t *testing.T) {
	t.Helper()
	m, err := selector.Compile(c.profiles...)
	if err != nil {
		t.Fatal(err)
	}
	got := m.Match(c.pod)
	want := selector.Match{
		Profile: c.profile, Selector: c.selector, Ambiguous: len(c.candidates) > 1, Reason: c.reason,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Match (-want +got):\n%s", diff)
	}
	if got.Outcome() != c.outcome {
		t.Errorf("Outcome = %q, want %q", got.Outcome(), c.outcome)
	}
	var names []string
	for name := range m.Candidates(c.pod) {
		names = append(names, name)
	}
	if diff := cmp.Diff(c.candidates, names); diff != "" {
		t.Errorf("Candidates (-want +got):\n%s", diff)
	}
}

func TestCandidatesStopWhenTheCallerDoes(t *testing.T) {
	m, err := selector.Compile(profile("a", on("*")), profile("b", on("*"), on("web")))
	if err != nil {
		t.Fatal(err)
	}
	for name, index := range m.Candidates(podIn("web")) {
		if name != "a" || index != 0 {
			t.Errorf("first candidate is %s[%d], want a[0]", name, index)
		}
		break
	}
}

func TestCompileRefusesBadNames(t *testing.T) {
	_, err := selector.Compile(profile("a"), profile(""), profile("b"), profile("a"), profile(""))
	for _, want := range []error{selector.ErrEmptyName, selector.ErrDuplicateName} {
		if !errors.Is(err, want) {
			t.Errorf("error %v does not wrap %v", err, want)
		}
	}
	if got := strings.Count(err.Error(), "\n") + 1; got != 3 {
		t.Errorf("%d faults reported, want 3:\n%v", got, err)
	}
	first, found := errors.AsType[*selector.NameError](err)
	if !found || first.Index != 1 || first.Name != "" {
		t.Errorf("first fault is %+v, want the one at index 1", first)
	}
	_, err = selector.Compile(profile("x"), profile("y"), profile("x"))
	want := `compiling profile 2 ("x"): selector: profile name used twice; give each profile of a cluster a name of its own`
	if err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestCompileKeepsNothingOfItsArguments(t *testing.T) {
	given := []selector.Profile{profile("a", on("web", "app", "x"))}
	m, err := selector.Compile(given...)
	if err != nil {
		t.Fatal(err)
	}
	given[0].Name = "b"
	given[0].Selectors[0].Namespace = "api"
	given[0].Selectors[0].Labels["app"] = "y"
	if got := m.Match(podIn("web", "app", "x")); got.Profile != "a" {
		t.Errorf("Match = %+v after the arguments changed, want profile a", got)
	}
}

func TestTheZeroMatcherHasNoProfiles(t *testing.T) {
	var m selector.Matcher
	want := selector.Match{Selector: selector.NoSelector, Reason: selector.ReasonNoMatch}
	if got := m.Match(podIn("web")); got != want {
		t.Errorf("Match = %+v, want %+v", got, want)
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	m, pods := benchMatcher(t)
	for _, p := range pods {
		if n := testing.AllocsPerRun(100, func() { m.Match(p) }); n != 0 {
			t.Errorf("Match of %+v allocates %v times, want never", p, n)
		}
	}
}

func TestAPodOfManyLabels(t *testing.T) {
	m, err := selector.Compile(profile("fp-a", on("web", "k?", "x", "*-19", "v")), profile("fp-b", on("web", "k?", "none")))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 14, 15, 16, 17, 200} {
		pod := podIn("web", "k1", "x", "label-19", "v")
		for i := range n {
			pod.Labels[fmt.Sprintf("more-%d", i)] = "v"
		}
		want := selector.Match{Profile: "fp-a", Reason: selector.ReasonMatched}
		if got := m.Match(pod); got != want {
			t.Errorf("with %d more labels: %+v, want %+v", n, got, want)
		}
		delete(pod.Labels, "k1")
		want = selector.Match{Selector: selector.NoSelector, Reason: selector.ReasonNoMatch}
		if got := m.Match(pod); got != want {
			t.Errorf("with %d more labels, but not the one: %+v, want %+v", n, got, want)
		}
	}
}

func TestAHostilePatternDoesNotBlowUp(t *testing.T) {
	value := strings.Repeat("a", 10_000)
	for _, pattern := range []string{"*a*a*a*a*b", strings.Repeat("*a", 5_000) + "*b", strings.Repeat("a*", 200) + "b"} {
		s := on("*", "k", pattern)
		if s.Matches("web", map[string]string{"k": value}) {
			t.Errorf("%.20s... matches, want not", pattern)
		}
		if !s.Matches("web", map[string]string{"k": value + "b"}) {
			t.Errorf("%.20s... does not match with a b at the end", pattern)
		}
	}
}

func TestMatchesAgreesWithAMatcherOfOne(t *testing.T) {
	patterns := []string{"", "*", "**", "?", "a", "ab", "a*", "*a", "*a*", "a*b", "a?", "?a", "?*", "a**", "b", "*?b"}
	texts := []string{"", "a", "b", "ab", "ba", "aab", "abb", "bab"}
	for _, namespace := range patterns {
		for _, value := range patterns {
			s := on(namespace, "k?", value)
			m, err := selector.Compile(profile("p", s))
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range texts {
				for _, v := range texts {
					pod := podIn(n, "k1", v)
					if got, want := m.Match(pod).Profile == "p", s.Matches(n, pod.Labels); got != want {
						t.Fatalf("%+v on %+v: Match says %v, Matches says %v", s, pod, got, want)
					}
				}
			}
		}
	}
}

func TestProfileOrderMakesNoDifference(t *testing.T) {
	list := profiles(profile("c", on("*")), profile("a", on("web")), profile("b", on("w*")))
	want := selector.Match{Profile: "a", Ambiguous: true, Reason: selector.ReasonTieDecidedByName}
	for range 3 {
		list = append(list[1:], list[0])
		m, err := selector.Compile(slices.Clone(list)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Match(podIn("web")); got != want {
			t.Errorf("Match = %+v, want %+v", got, want)
		}
	}
}
