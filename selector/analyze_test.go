// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/selector"
)

// summary is what a test looks at: severity, code, where, and what else.
func summary(f selector.Finding) string {
	text := fmt.Sprintf("%s %s %s[%d]", f.Severity, f.Code, f.Profile, f.Selector)
	if len(f.Others) > 0 {
		text += " others " + strings.Join(f.Others, ",")
	}
	if len(f.OtherSelectors) > 0 {
		text += fmt.Sprint(" selectors ", f.OtherSelectors)
	}
	return text
}

// coreDNSCode drops what every list of profiles has.
func coreDNSCode(f selector.Finding) bool {
	return f.Code == selector.FindingCoreDNSCovered || f.Code == selector.FindingCoreDNSNotCovered
}

func TestAnalyze(t *testing.T) {
	for name, c := range map[string]struct {
		profiles []selector.Profile
		want     []string
	}{
		"nothing to say": {profiles(profile("a", on("web")), profile("b", on("api"))), nil},
		"no profiles":    {nil, nil},
		"no selectors":   {profiles(profile("a")), []string{"error NoSelectors a[-1]"}},
		"two bad names":  {profiles(profile("", on("x")), profile("a", on("y")), profile("a", on("z"))), []string{"error BadName [-1]", "error BadName a[-1]"}},
		"an unreachable": {profiles(profile("a", on("web"), on("a_b"), on("x", "k", "-"))), []string{"error Unreachable a[1]", "error Unreachable a[2]"}},
		"contradictions": {profiles(profile("a", on("x", "k", "a", "?", "b", strings.Repeat("?", 64), "c"), on("x", "/k", "v"))), []string{"error Unreachable a[1]"}},
		"identical":      {profiles(profile("b", on("web")), profile("a", on("web"))), []string{"warning Identical b[-1] others a"}},
		"identical by meaning": {
			profiles(profile("b", on("a*b", "k", "**"), on("x")), profile("a", on("x"), on("a**b", "k", "*"))),
			[]string{"warning Identical b[-1] others a"},
		},
		"shadowed by one": {
			profiles(profile("b", on("web", "app", "x")), profile("a", on("web"))),
			[]string{"warning Shadowed b[-1] others a"},
		},
		"shadowed by two together": {
			profiles(profile("c", on("web", "app", "x"), on("api")), profile("a", on("w*")), profile("b", on("api*"), on("other"))),
			[]string{"warning Shadowed c[-1] others a,b"},
		},
		"one selector shadowed by two together": {
			// A web pod of any app: its name begins with a letter or digit and so
			// matches a, or it is empty and matches b.
			profiles(profile("c", on("web", "app", "*")), profile("a", on("web", "app", "?*")), profile("b", on("web", "app", ""))),
			[]string{"warning Shadowed c[-1] others a,b"},
		},
		"one selector of two shadowed": {
			profiles(profile("b", on("web", "app", "x"), on("new")), profile("a", on("web"))),
			[]string{"warning Ambiguous b[-1] others a", "warning Shadowed b[0] others a"},
		},
		"a later name shadows nothing": {
			profiles(profile("a", on("web", "app", "x")), profile("b", on("web"))),
			[]string{"info Ambiguous b[-1] others a"},
		},
		"ambiguous": {
			profiles(profile("a", on("web", "app", "x")), profile("b", on("web", "tier", "y"))),
			[]string{"warning Ambiguous b[-1] others a"},
		},
		"ambiguous in pairs": {
			profiles(profile("a", on("x*")), profile("b", on("*x")), profile("c", on("*q*"))),
			[]string{"warning Ambiguous b[-1] others a", "warning Ambiguous c[-1] others a", "warning Ambiguous c[-1] others b"},
		},
		"a duplicate": {
			profiles(profile("a", on("web"), on("api"), on("web", []string{}...))),
			[]string{"info Duplicate a[2] selectors [0]"},
		},
		"a duplicate by meaning": {
			profiles(profile("a", on("a?*"), on("a*?"))), []string{"info Duplicate a[1] selectors [0]"},
		},
		"a redundant one": {
			profiles(profile("a", on("web", "app", "x"), on("web"))), []string{"info Redundant a[0] selectors [1]"},
		},
		"redundant by two together": {
			profiles(profile("a", on("web", "k", "?*"), on("web", "k", "*"), on("web", "k", ""), on("else"))),
			[]string{"info Redundant a[2] selectors [1]", "info Redundant a[0] selectors [1]"},
		},
		"the union covers, none alone does": {
			profiles(profile("a", on("web", "k", "*"), on("web", "k", "?*"), on("w*", "k", ""))),
			[]string{"info Redundant a[1] selectors [0]"},
		},
		"three together, each needed": {
			profiles(profile("a", on("w?", "k", "?*"), on("?x", "k", ""), on("wx", "k", "*"))),
			[]string{"info Redundant a[2] selectors [0 1]"},
		},
		"all namespaces": {profiles(profile("a", on("*"))), []string{"warning AllNamespaces a[0]"}},
		"all namespaces, written otherwise": {
			profiles(profile("a", on("?*"), on("???????????*", "k", "v"))), []string{"warning AllNamespaces a[0]", "info KubeSystem a[1]", "info Redundant a[1] selectors [0]"},
		},
		"all namespaces with a label":            {profiles(profile("a", on("*", "k", "v"))), []string{"info AllNamespaces a[0]"}},
		"kube-system":                            {profiles(profile("a", on("kube-system"))), []string{"info KubeSystem a[0]"}},
		"kube-system by a wildcard":              {profiles(profile("a", on("kube-*"))), []string{"warning KubeSystem a[0]"}},
		"kube-system by a wildcard with a label": {profiles(profile("a", on("kube-*", "k", "v"))), []string{"info KubeSystem a[0]"}},
	} {
		t.Run(name, func(t *testing.T) {
			findings := slices.DeleteFunc(selector.Analyze(c.profiles...), coreDNSCode)
			var got []string
			for _, f := range findings {
				got = append(got, summary(f))
				if f.Message == "" || f.Remedy == "" {
					t.Errorf("%s has no message or no remedy", summary(f))
				}
				checkFinding(t, c.profiles, f)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// checkFinding checks that the witness shows what the finding says.
func checkFinding(t interface {
	Helper()
	Errorf(format string, args ...any)
}, list []selector.Profile, f selector.Finding,
) {
	t.Helper()
	if f.Witness == nil {
		return
	}
	if why := illegal(*f.Witness); why != "" {
		t.Errorf("%s: the witness %+v is not legal: %s", summary(f), *f.Witness, why)
	}
	matching := map[string][]int{}
	for _, p := range list {
		for i, s := range p.Selectors {
			if s.Matches(f.Witness.Namespace, f.Witness.Labels) {
				matching[p.Name] = append(matching[p.Name], i)
			}
		}
	}
	if f.Profile != "" && len(matching[f.Profile]) == 0 {
		t.Errorf("%s: the witness %+v does not match the profile", summary(f), *f.Witness)
	}
	if f.Selector != selector.NoSelector && !slices.Contains(matching[f.Profile], f.Selector) {
		t.Errorf("%s: the witness %+v does not match the selector", summary(f), *f.Witness)
	}
	if len(f.Others) > 0 && !slices.ContainsFunc(f.Others, func(name string) bool { return matching[name] != nil }) {
		t.Errorf("%s: the witness %+v matches none of the others", summary(f), *f.Witness)
	}
}

func TestAnalyzeLooksForCoreDNS(t *testing.T) {
	for name, c := range map[string]struct {
		selector selector.Selector
		want     selector.FindingCode
	}{
		"the namespace":             {on("kube-system"), selector.FindingCoreDNSCovered},
		"a wildcard":                {on("kube-*"), selector.FindingCoreDNSCovered},
		"everything":                {on("*"), selector.FindingCoreDNSCovered},
		"one of its labels":         {on("kube-system", "k8s-app", "kube-dns"), selector.FindingCoreDNSCovered},
		"the other label":           {on("kube-system", "eks.amazonaws.com/component", "coredns"), selector.FindingCoreDNSCovered},
		"both labels":               {on("kube-system", "eks.amazonaws.com/component", "coredns", "k8s-app", "kube-dns"), selector.FindingCoreDNSCovered},
		"a label that it lacks":     {on("kube-system", "app", "coredns"), selector.FindingCoreDNSNotCovered},
		"a value that it lacks":     {on("kube-system", "k8s-app", "coredns"), selector.FindingCoreDNSNotCovered},
		"another namespace":         {on("default"), selector.FindingCoreDNSNotCovered},
		"the namespace in capitals": {on("Kube-System"), selector.FindingCoreDNSNotCovered},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range selector.Analyze(profile("a", c.selector)) {
				if coreDNSCode(f) && f.Code != c.want {
					t.Errorf("%s, want %s", f.Code, c.want)
				}
				if f.Code == selector.FindingCoreDNSCovered && (f.Profile != "a" || f.Selector != 0) {
					t.Errorf("%+v, want a[0]", f)
				}
				checkFinding(t, nil, selector.Finding{Witness: f.Witness, Selector: selector.NoSelector})
			}
		})
	}
}

func TestCoreDNSOptsOut(t *testing.T) {
	m, err := selector.Compile(profile("a", on("kube-system")))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Match(selector.CoreDNS()).Outcome(); got != selector.OutcomeOptedOut {
		t.Errorf("outcome %s, want optedOut", got)
	}
}

func TestFindingsReadWell(t *testing.T) {
	list := profiles(profile("fp-a", on("web"), on("x y")), profile("fp-b", on("web", "app", "api"), on("w*"), on("w*")), profile("fp-b", on("z")))
	want := []string{
		"error: fp-a selector 1: no pod that Kubernetes accepts can match it (Unreachable); " +
			"check the namespace and the labels: their characters, their length, and whether they contradict each other",
		"error: fp-b: profile 2: selector: profile name used twice (BadName); give each profile of a cluster a name of its own",
		"warning: fp-b selector 0: all its pods go to profiles of earlier names: fp-a (Shadowed); " +
			"give the profile an earlier name, narrow the others, or pin pods with the label eks.amazonaws.com/fargate-profile",
		"info: no profile takes CoreDNS (CoreDNSNotCovered); if the cluster has no EC2 nodes, add a selector with namespace kube-system " +
			"and at most the labels k8s-app: kube-dns and eks.amazonaws.com/component: coredns",
		"info: fp-b: all pods of fp-a match it, too, and go to fp-a by its name (Ambiguous); nothing, if that profile is an exception from this one",
		"info: fp-b selector 0: all its pods match other selectors of the profile: 1 (Redundant); remove it",
		"info: fp-b selector 2: it matches the same pods as selector 1 (Duplicate); remove it",
	}
	var got []string
	for _, f := range selector.Analyze(list...) {
		got = append(got, f.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnalyzeSaysWhenItGivesUp(t *testing.T) {
	list := profiles(profile("a", on("*", "a?", "1", "?*", "*x*")), profile("b", on("*", "a?", "1"), on("w*b*", "k", "*v*w")))
	whole := selector.Analyze(list...)
	for budget := range 60 {
		for _, f := range selector.AnalyzeWithin(budget, list...) {
			known := slices.ContainsFunc(whole, func(g selector.Finding) bool { return summary(f) == summary(g) })
			if f.Code != selector.FindingUndecided && !known {
				t.Errorf("with a budget of %d: %s", budget, f)
			}
		}
	}
	undecided := map[string]int{}
	for _, f := range selector.AnalyzeWithin(0, list...) {
		if f.Code == selector.FindingUndecided {
			undecided[f.Profile]++
		}
	}
	if undecided["a"] != 1 || undecided["b"] != 1 {
		t.Errorf("findings that a profile is undecided: %v, want one each for a and b", undecided)
	}
}

// What a profile takes by the selectors that were too much to look at is not known, so
// that nothing is said of all its pods.
func TestAnalyzeDoesNotForgetWhatIsUndecided(t *testing.T) {
	hard := on("*", "a?", "1", "?*", "*x*", "b", "y")
	for name, list := range map[string][]selector.Profile{
		"of the later profile":   profiles(profile("a", on("x")), profile("b", on("x"), hard)),
		"of the earlier profile": profiles(profile("a", on("x", "k", "v"), hard), profile("b", on("x"))),
	} {
		whole := selector.Analyze(list...)
		for budget := range 60 {
			for _, f := range selector.AnalyzeWithin(budget, list...) {
				known := slices.ContainsFunc(whole, func(g selector.Finding) bool { return summary(f) == summary(g) })
				if f.Code != selector.FindingUndecided && !known {
					t.Errorf("%s, with a budget of %d: %s", name, budget, f)
				}
			}
		}
	}
}

func TestAnalyzeGoesOnAfterItGaveUp(t *testing.T) {
	hard, unreachable := on("*", "a?", "1", "?*", "*x*", "b", "y"), on("a_b")
	for _, f := range selector.AnalyzeWithin(4, profile("a", hard, unreachable)) {
		if f.Code == selector.FindingUnreachable && f.Selector == 1 {
			return
		}
	}
	t.Error("the second selector isn't found to be unreachable")
}

func TestAnalyzeDoesNotCareForOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []selector.Profile
		for i := range rapid.IntRange(0, 4).Draw(t, "profiles") {
			selectors := rapid.SliceOfN(anySelector(), 0, 3).Draw(t, "selectors")
			list = append(list, profile(fmt.Sprintf("fp-%d", i), selectors...))
		}
		want := selector.Analyze(list...)
		for _, f := range want {
			checkFinding(t, list, f)
		}
		slices.Reverse(list)
		if diff := cmp.Diff(want, selector.Analyze(list...)); diff != "" {
			t.Errorf("in another order (-want +got):\n%s", diff)
		}
		checkWinners(t, list, want)
	})
}

// checkWinners checks that a profile that is said to get no pods gets none of
// those that Analyze can think of.
func checkWinners(t *rapid.T, list []selector.Profile, findings []selector.Finding) {
	m, err := selector.Compile(list...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Selector != selector.NoSelector || f.Code != selector.FindingShadowed && f.Code != selector.FindingIdentical {
			continue
		}
		for _, g := range findings {
			if g.Witness != nil && m.Match(*g.Witness).Profile == f.Profile {
				t.Errorf("%s, but it gets %+v", f, *g.Witness)
			}
		}
	}
}

func TestScenario_B63_IdenticalAndOverlappingProfiles(t *testing.T) {
	web := on("web")
	checkRelation(t, on("web", "app", "api"), web, selector.Subset)
	checkRelation(t, on("web-*"), web, selector.Disjoint)
	checkRelation(t, on("web-*"), on("web*"), selector.Subset)
	r := selector.Compare(on("a*"), on("*b"))
	if r.Kind != selector.Overlaps || r.Both.Namespace != "ab" {
		t.Errorf("%s with %+v, want Overlaps with ab", r.Kind, r.Both)
	}
	got := summary(selector.Analyze(profile("fp-a", web), profile("fp-b", web))[0])
	if want := "warning Identical fp-b[-1] others fp-a"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
