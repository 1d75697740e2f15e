// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/selector"
)

func explain(t *testing.T, pod selector.Pod, list ...selector.Profile) selector.Explanation {
	t.Helper()
	m, err := selector.Compile(list...)
	if err != nil {
		t.Fatal(err)
	}
	return m.Explain(pod)
}

func TestExplainInOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		pod      selector.Pod
		profiles []selector.Profile
		want     string
	}{
		"matched": {
			podIn("web"), profiles(profile("fp-a", on("api"), on("web"))),
			"web/p goes to Fargate profile fp-a: selector 1 matches",
		},
		"tie": {
			podIn("web"), profiles(profile("fp-z", on("web")), profile("fp-a", on("*"))),
			"web/p goes to Fargate profile fp-a: the first by name of fp-a, fp-z, which all match",
		},
		"pinned": {
			podIn("web", selector.ProfileLabel, "fp-z"), profiles(profile("fp-z", on("web")), profile("fp-a", on("*"))),
			"web/p goes to Fargate profile fp-z: pinned by label, and selector 0 matches",
		},
		"opted out": {
			optingOut(podIn("web")), profiles(profile("fp-z", on("web")), profile("fp-a", on("*"))),
			"web/p stays off Fargate: annotation eks.amazonaws.com/compute-type: ec2 opts out of fp-a, fp-z",
		},
		"pinned to nothing": {
			podIn("web", selector.ProfileLabel, "fp-b"), profiles(profile("fp-a", on("*"))),
			`web/p goes to no Fargate profile: it is pinned to "fp-b", which does not exist (what EKS does then is not documented)`,
		},
		"pinned to a profile that does not match": {
			podIn("web", selector.ProfileLabel, "fp-b"), profiles(profile("fp-a", on("*")), profile("fp-b", on("api"))),
			"web/p goes to no Fargate profile: it is pinned to one that does not match (what EKS does then is not documented); " +
				"fp-b selector 0 wants namespace api, got web",
		},
		"pinned to a profile without selectors": {
			podIn("web", selector.ProfileLabel, "fp-b"), profiles(profile("fp-a", on("*")), profile("fp-b")),
			"web/p goes to no Fargate profile: it is pinned to one that does not match (what EKS does then is not documented); " +
				"fp-b has no selectors",
		},
		"no profiles": {podIn("web"), nil, "web/p goes to no Fargate profile: there is none"},
		"an empty namespace is default": {
			podIn(""), profiles(profile("fp-a", on("web"))),
			"default/p goes to no Fargate profile: namespace default matches no selector; closest: fp-a selects web",
		},
		"the closest namespace": {
			podIn("testnginx"), profiles(profile("fp-system", on("kube-system")), profile("fp-default", on("default"))),
			"testnginx/p goes to no Fargate profile: namespace testnginx matches no selector; closest: fp-default selects default",
		},
		"the closest namespace is a pattern": {
			podIn("pord-1"), profiles(profile("fp-a", on("pord")), profile("fp-b", on("prod-*"))),
			"pord-1/p goes to no Fargate profile: namespace pord-1 matches no selector; closest: fp-a selects pord",
		},
		"a label differs": {
			podIn("web", "app", "x"), profiles(profile("fp-a", on("web", "app", "api"))),
			"web/p goes to no Fargate profile: fp-a selector 0 wants label app=api, got app=x",
		},
		"a label is missing": {
			podIn("web", "tier", "x"), profiles(profile("fp-a", on("web", "app", "api"))),
			"web/p goes to no Fargate profile: fp-a selector 0 wants label app=api, which the pod lacks",
		},
		"a label is misspelled": {
			podIn("web", "App", "api"), profiles(profile("fp-a", on("web", "app", "api"))),
			"web/p goes to no Fargate profile: fp-a selector 0 wants label app=api, which the pod lacks (the pod has App)",
		},
		"a profile has no selectors": {
			podIn("web"), profiles(profile("fp-a")),
			"web/p goes to no Fargate profile: fp-a has no selectors",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := explain(t, c.pod, c.profiles...).String()
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExplainGivesTheFirstReasonOfEachSelector(t *testing.T) {
	e := explain(t, podIn("web", "app", "x", "team-a", "red", "team-b", "blues", "team-c", "green"),
		profile("fp-a",
			on("api", "app", "y"),           // namespace before label
			on("web", "app", "y"),           // value
			on("web", "zone", "1"),          // key
			on("web", "team-*", "blue"),     // the nearest of several values
			on("web", "app", "y", "b", "1"), // the first by key of two
			on("web", "team-?", "blu?s"),    // matches
		),
		profile("fp-b"),
	)
	want := []selector.Miss{
		{Profile: "fp-a", Selector: 1, Reason: selector.ReasonLabelMismatch, Key: "app", Want: "y", GotKey: "app", Got: "x"},
		{Profile: "fp-a", Selector: 3, Reason: selector.ReasonLabelMismatch, Key: "team-*", Want: "blue", GotKey: "team-b", Got: "blues"},
		{Profile: "fp-a", Selector: 2, Reason: selector.ReasonLabelMissing, Key: "zone", Want: "1"},
		{Profile: "fp-a", Selector: 4, Reason: selector.ReasonLabelMismatch, Key: "app", Want: "y", GotKey: "app", Got: "x"},
		{Profile: "fp-a", Selector: 0, Reason: selector.ReasonNamespaceMismatch, Want: "api", Got: "web"},
		{Profile: "fp-b", Selector: selector.NoSelector, Reason: selector.ReasonNoSelectors},
	}
	if diff := cmp.Diff(want, e.Misses, cmpopts.IgnoreUnexported(selector.Miss{})); diff != "" {
		t.Errorf("Misses (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]selector.Candidate{{Profile: "fp-a", Selector: 5}}, e.Candidates); diff != "" {
		t.Errorf("Candidates (-want +got):\n%s", diff)
	}
}

func TestExplainSaysThatAPinExcludes(t *testing.T) {
	e := explain(t, podIn("web", selector.ProfileLabel, "fp-b"),
		profile("fp-a", on("web")), profile("fp-b", on("zzzzzz", "k", "v")), profile("fp-c", on("api")))
	want := []string{
		"fp-b selector 0 wants namespace zzzzzz, got web",
		"fp-a selector 0 matches, but the pod is pinned to fp-b",
		"fp-c selector 0 wants namespace api, got web",
	}
	var got []string
	for _, miss := range e.Misses {
		got = append(got, miss.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e.Reason != selector.ReasonPinnedProfileDoesNotMatch || e.Outcome() != selector.OutcomeNone {
		t.Errorf("reason %s and outcome %s, want PinnedProfileDoesNotMatch and none", e.Reason, e.Outcome())
	}
}

func TestExplainOrdersByNearness(t *testing.T) {
	for name, c := range map[string]struct {
		pod           selector.Pod
		near, farther selector.Selector
	}{
		"a label is nearer than the namespace":       {podIn("web"), on("web", "a", "1", "b", "2", "c", "3"), on("wep")},
		"one label is nearer than two":               {podIn("web"), on("web", "b", "1"), on("web", "a", "1", "b", "2")},
		"another value is nearer than no label":      {podIn("web", "b", "2"), on("web", "b", "loooooong"), on("web", "a", "1")},
		"a near value is nearer":                     {podIn("web", "a", "api"), on("web", "a", "app"), on("web", "a", "zzzzz")},
		"a near key is nearer":                       {podIn("web", "apt", "x"), on("web", "app", "x"), on("web", "zone", "x")},
		"a near namespace is nearer":                 {podIn("prod"), on("prod?"), on("staging")},
		"a namespace near a pattern is nearer":       {podIn("prd-eu-1"), on("prod-*"), on("prd")},
		"two namespaces differ by their labels next": {podIn("web"), on("api"), on("lll", "a", "1")},
		"a near namespace outweighs labels":          {podIn("web"), on("wep", "a", "1"), on("zzzzzzz")},
		"a text of absurd length is far":             {podIn("web"), on("zzz"), on(strings.Repeat("w", 513))},
		"a pod's text of absurd length is far":       {podIn("web", "a", strings.Repeat("x", 513), "b", "y"), on("web", "b", strings.Repeat("z", 512)), on("web", "a", "y")},
		"names and indexes decide last":              {podIn("web"), on("api"), on("api")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, list := range [][]selector.Profile{
				profiles(profile("a", c.near), profile("b", c.farther)),
				profiles(profile("a", c.near, c.farther)),
			} {
				e := explain(t, c.pod, list...)
				if e.Misses[0].Profile != "a" || e.Misses[0].Selector != 0 {
					t.Errorf("the nearest is %v, want the first", e.Misses[0])
				}
			}
			if c.near.Namespace == c.farther.Namespace && c.near.Labels == nil {
				return
			}
			if e := explain(t, c.pod, profile("a", c.farther), profile("b", c.near)); e.Misses[0].Profile != "b" {
				t.Errorf("the nearest is %v, want that of b", e.Misses[0])
			}
		})
	}
}

func TestExplainMarshals(t *testing.T) {
	e := explain(t, podIn("web"), profile("fp-a", on("api")))
	got, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"profile":"","selector":-1,"ambiguous":false,"reason":"NoMatch","pod":{"namespace":"web","name":"p"},"candidates":[],` +
		`"misses":[{"profile":"fp-a","selector":0,"reason":"NamespaceMismatch","want":"api","got":"web"}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
