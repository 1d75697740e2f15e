// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/selector"
)

func compiled(t *testing.T, list ...selector.Profile) *selector.Matcher {
	t.Helper()
	m, err := selector.Compile(list...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestScenario_B64_ThePinnedProfileMustMatch(t *testing.T) {
	pod := podIn("web", selector.ProfileLabel, "fp-b")
	got := compiled(t, profile("fp-a", on("web")), profile("fp-b", on("api"))).Match(pod)
	if got.Outcome() != selector.OutcomeNone || got.Reason != selector.ReasonPinnedProfileDoesNotMatch {
		t.Errorf("%+v, want none, PinnedProfileDoesNotMatch", got)
	}
	got = compiled(t, profile("fp-a", on("web")), profile("fp-b", on("web"))).Match(pod)
	if got.Profile != "fp-b" || got.Ambiguous {
		t.Errorf("%+v, want fp-b, not ambiguous", got)
	}
}

func TestScenario_B65_WildcardsAreAnchored(t *testing.T) {
	for pattern, want := range map[string]bool{
		"kube-*": true, "*": true, "kube-?ystem": true, "*system": true, "kube": false, "ube-*": false, "kube-????": false,
	} {
		if got := on(pattern).Matches("kube-system", nil); got != want {
			t.Errorf("%s matches kube-system: %v, want %v", pattern, got, want)
		}
	}
	if on("prod*").Matches("preprod", nil) {
		t.Error("prod* matches preprod")
	}
	if !on("*", "ver", "v?").Matches("web", map[string]string{"ver": "v1"}) {
		t.Error("v? does not match v1")
	}
}

func TestScenario_B67_TheNearestMissIsNamed(t *testing.T) {
	e := compiled(t, profile("fp-default", on("default")), profile("fp-system", on("kube-system"))).Explain(podIn("testnginx"))
	if e.Reason != selector.ReasonNoMatch || len(e.Misses) != 2 {
		t.Fatalf("%+v, want NoMatch with a reason for each selector", e)
	}
	want := "testnginx/p goes to no Fargate profile: namespace testnginx matches no selector; closest: fp-default selects default"
	if diff := cmp.Diff(want, e.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	miss := compiled(t, profile("fp-a", on("web", "app", "api"))).Explain(podIn("web", "app", "x")).Misses[0]
	if miss.Reason != selector.ReasonLabelMismatch || miss.Key != "app" || miss.Want != "api" || miss.Got != "x" {
		t.Errorf("%+v, want LabelMismatch of app, want api, got x", miss)
	}
}

func TestScenario_B69_OnlyTheExactAnnotationOptsOut(t *testing.T) {
	m := compiled(t, profile("fp-a", on("kube-system")))
	for value, want := range map[string]selector.Outcome{
		"ec2": selector.OutcomeOptedOut, "fargate": selector.OutcomeFargate, "Fargate": selector.OutcomeFargate,
		"EC2": selector.OutcomeFargate, "": selector.OutcomeFargate,
	} {
		pod := selector.CoreDNS()
		pod.Annotations[selector.ComputeTypeAnnotation] = value
		if got := m.Match(pod).Outcome(); got != want {
			t.Errorf("compute type %q: %s, want %s", value, got, want)
		}
	}
}
