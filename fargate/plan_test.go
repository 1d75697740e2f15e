// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

var planTime = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func planned(name string, namespaces ...string) fargate.Desired {
	d := fargate.Desired{
		Spec:  fargate.Spec{ClusterName: "demo", Name: name, PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec"},
		Owner: fargate.Owner{ID: "platform"},
	}
	for _, ns := range namespaces {
		d.Spec.Selectors = append(d.Spec.Selectors, selector.Selector{Namespace: ns})
	}
	return d
}

// stands is the profile that EKS has after d was reached.
func stands(t *testing.T, d fargate.Desired) fargate.Observed {
	t.Helper()
	decision := fargate.Decide(fargate.Input{Desired: d, Now: planTime})
	if decision.Call == nil || decision.Call.Spec == nil {
		t.Fatalf("%s is not created: %+v", d.Spec.Name, decision)
	}
	delete(decision.Call.Spec.Tags, owner.PeerKey) // somebody has looked since that it is the only one
	return fargate.Observed{
		Spec: *decision.Call.Spec, Status: fargate.StatusActive, CreatedAt: planTime.Add(-time.Hour),
		ARN: "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/" + decision.Call.Profile + "/1",
	}
}

func plan(t *testing.T, in fargate.ClusterInput) fargate.Plan {
	t.Helper()
	in.Cluster, in.Now = "demo", planTime
	p, err := fargate.PlanCluster(in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// actions tells a plan in short.
func actions(p fargate.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, string(s.Action)+" "+s.Profile)
	}
	return out
}

func TestScenario_B08_PlanIsSerialAndOrderedByName(t *testing.T) {
	p := plan(t, fargate.ClusterInput{Desired: []fargate.Desired{planned("fp-b", "b"), planned("fp-a", "a")}})
	want := []string{"create fp-a", "wait fp-a", "create fp-b", "wait fp-b"}
	if diff := cmp.Diff(want, actions(p)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	for i, s := range p.Steps[1:] {
		if !slices.Equal(s.After, []string{p.Steps[i].ID}) {
			t.Errorf("step %s comes after %v", s.ID, s.After)
		}
	}
}

func TestScenario_B17_PlanOfAReplacement(t *testing.T) {
	old := planned("fp-a", "web")
	changed := planned("fp-a", "web", "api")
	tests := map[string]struct {
		policy fargate.Policy
		want   []string
	}{
		"forbidden": {fargate.Policy{}, []string{"blocked fp-a"}},
		"delete-first": {
			fargate.Policy{Replacement: fargate.ReplacementDeleteFirst},
			[]string{"replace fp-a", "wait fp-a", "create fp-a", "wait fp-a"},
		},
		"create-first": {
			fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived},
			[]string{"replace fp-a", "replace fp-a-999-*", "wait fp-a-999-*", "replace fp-a", "wait fp-a", "update-tags fp-a-999-*"},
		},
		"create-first behind a drain gate": {
			fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived, Drain: fargate.DrainConfirmed},
			[]string{"replace fp-a", "replace fp-a-999-*", "wait fp-a-999-*", "wait fp-a", "replace fp-a", "wait fp-a", "update-tags fp-a-999-*"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := changed
			d.Policy = tt.policy
			got := actions(plan(t, fargate.ClusterInput{Desired: []fargate.Desired{d}, Observed: []fargate.Observed{stands(t, old)}}))
			match := slices.EqualFunc(tt.want, got, func(pattern, s string) bool {
				ok, err := filepath.Match(pattern, s)
				return err == nil && ok
			})
			if !match {
				t.Errorf("steps = %q, want %q", got, tt.want)
			}
		})
	}
}

// Who makes the role makes it while the plan is carried out.
func TestPlanOfProfilesWhoseRoleIsMade(t *testing.T) {
	roleless := func(namespaces ...string) fargate.Desired {
		d := planned("fp-a", namespaces...)
		d.Spec.PodExecutionRoleARN = ""
		d.Policy.Replacement = fargate.ReplacementDeleteFirst
		return d
	}
	tests := map[string]struct {
		desired  fargate.Desired
		observed []fargate.Observed
		want     []string
	}{
		"a new one":    {roleless("web"), nil, []string{"wait ", "create fp-a", "wait fp-a"}},
		"one as it is": {roleless("web"), []fargate.Observed{stands(t, planned("fp-a", "web"))}, nil},
		"one that is replaced": {
			roleless("web", "api"),
			[]fargate.Observed{stands(t, planned("fp-a", "web"))},
			[]string{"wait fp-a", "replace fp-a", "wait fp-a", "create fp-a", "wait fp-a"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := plan(t, fargate.ClusterInput{
				Desired: []fargate.Desired{tt.desired}, Observed: tt.observed, Limits: fargate.Limits{RoleOptional: true},
			})
			if diff := cmp.Diff(tt.want, actions(p)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if p.HasChanges() != (tt.want != nil) {
				t.Errorf("HasChanges() = %v", p.HasChanges())
			}
			for _, s := range p.Steps {
				if s.Drift.Has(fargate.FieldRole) {
					t.Errorf("step %s says that the role differs: %s", s.ID, s.Drift)
				}
			}
		})
	}
}

func TestScenario_B22_ForeignProfilesAreLeftAloneAndReported(t *testing.T) {
	foo := fargate.Observed{Spec: fargate.Spec{ClusterName: "demo", Name: "foo", Selectors: []selector.Selector{{Namespace: "foo"}}}, Status: fargate.StatusActive}
	changed := planned("fp-default", "default", "other")
	changed.Policy = fargate.Policy{Replacement: fargate.ReplacementDeleteFirst}
	p := plan(t, fargate.ClusterInput{
		Desired:  []fargate.Desired{planned("fp-dev", "dev"), changed},
		Observed: []fargate.Observed{foo, stands(t, planned("fp-default", "default", "kube-system"))},
		Prune:    true, Owner: fargate.Owner{ID: "platform"},
	})
	want := []string{"replace fp-default", "wait fp-default", "create fp-default", "wait fp-default", "create fp-dev", "wait fp-dev"}
	if diff := cmp.Diff(want, actions(p)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]fargate.Unmanaged{{Name: "foo", Ownership: fargate.OwnershipUnowned}}, p.Unmanaged); diff != "" {
		t.Errorf("unmanaged (-want +got):\n%s", diff)
	}
}

func TestPruneDeletesOnlyWhatTheOwnerOwns(t *testing.T) {
	other := planned("theirs", "x")
	other.Owner.ID = "somebody"
	in := fargate.ClusterInput{
		Desired:  []fargate.Desired{planned("keep", "keep")},
		Observed: []fargate.Observed{stands(t, planned("keep", "keep")), stands(t, planned("old", "old")), stands(t, other)},
	}
	if p := plan(t, in); p.HasChanges() || len(p.Unmanaged) != 2 {
		t.Errorf("without prune: %q, unmanaged %v", actions(p), p.Unmanaged)
	}
	in.Prune, in.Owner = true, fargate.Owner{ID: "platform"}
	p := plan(t, in)
	if diff := cmp.Diff([]string{"delete old", "wait old"}, actions(p)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if len(p.Undesired()) != 1 || p.Undesired()[0].Spec.Name != "old" {
		t.Errorf("Undesired() = %+v", p.Undesired())
	}
}

// Of a predecessor and its successor, either can carry the newer generation.
func TestPruneIsNeverOutdated(t *testing.T) {
	at := func(physical, generation string) fargate.Observed {
		o := stands(t, planned("old", "old"))
		o.Spec.Name, o.ARN = physical, o.ARN+physical
		o.Spec.Tags["eksfargate.io/generation"] = generation
		return o
	}
	for name, generations := range map[string][2]string{"the first has the newer": {"5", "4"}, "the second has the newer": {"4", "5"}} {
		t.Run(name, func(t *testing.T) {
			p := plan(t, fargate.ClusterInput{
				Observed: []fargate.Observed{at("old", generations[0]), at("old-999-abcdefgh", generations[1])},
				Prune:    true, Owner: fargate.Owner{ID: "platform"},
			})
			if got := p.Blocked(); len(got) > 0 || !p.HasChanges() {
				t.Errorf("blocked steps: %+v, of %q", got, actions(p))
			}
		})
	}
}

func TestPlanOfWhatIsThereIsEmpty(t *testing.T) {
	d := planned("web", "web")
	p := plan(t, fargate.ClusterInput{Desired: []fargate.Desired{d}, Observed: []fargate.Observed{stands(t, d)}})
	if p.HasChanges() || len(p.Steps) != 0 {
		t.Errorf("steps = %q", actions(p))
	}
}

func TestPlanWarns(t *testing.T) {
	p := plan(t, fargate.ClusterInput{
		Desired: []fargate.Desired{planned("a", "web-*"), planned("b", "*-1"), planned("c", "c")},
		Limits:  fargate.Limits{Profiles: 2},
	})
	var codes []fargate.WarningCode
	for _, w := range p.Warnings {
		codes = append(codes, w.Code)
	}
	if !slices.Contains(codes, fargate.WarningOverlap) {
		t.Errorf("warnings = %v, want an overlap", p.Warnings)
	}
	if len(p.Blocked()) != 1 || p.Blocked()[0].Reason != fargate.ReasonQuotaExceeded {
		t.Errorf("blocked = %+v, want the third profile for want of a slot", p.Blocked())
	}
}

func TestPlansFromEveryStart(t *testing.T) {
	old, changed := planned("web", "web"), planned("web", "web", "api")
	changed.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived, Adoption: fargate.AdoptionAlways}
	start := func(f func(*fargate.Observed)) fargate.ClusterInput {
		o := stands(t, old)
		o.Spec.Tags = maps.Clone(o.Spec.Tags)
		f(&o)
		return fargate.ClusterInput{Desired: []fargate.Desired{changed}, Observed: []fargate.Observed{o}}
	}
	half := start(func(o *fargate.Observed) { o.Spec.Tags["eksfargate.io/peer"] = "web-999-nanzqupz" })
	successor := stands(t, changed)
	successor.Spec.Name = "web-999-nanzqupz"
	successor.Spec.Tags["eksfargate.io/peer"] = "web"
	successor.Issues = []fargate.Issue{{Code: fargate.IssueInternalFailure}}
	half.Observed = append(half.Observed, successor)
	tests := map[string]struct {
		in   fargate.ClusterInput
		want []string
	}{
		"a half replaced profile with a degraded successor": {
			half, []string{"wait web-999-nanzqupz", "replace web", "wait web", "update-tags web-999-nanzqupz"},
		},
		"an unowned profile without tags": {
			start(func(o *fargate.Observed) { o.Spec.Tags = nil }),
			[]string{"update-tags web", "replace web", "replace web-999-nanzqupz", "wait web-999-nanzqupz", "replace web", "wait web", "update-tags web-999-nanzqupz"},
		},
		"a failed profile": {
			start(func(o *fargate.Observed) { o.Status = fargate.StatusCreateFailed }),
			[]string{"delete web", "wait web", "create web-999-nanzqupz", "wait web-999-nanzqupz"},
		},
		"an unknown status": {
			start(func(o *fargate.Observed) { o.Status = "RESTING" }),
			[]string{"wait web", "replace web", "replace web-999-nanzqupz", "wait web-999-nanzqupz", "replace web", "wait web", "update-tags web-999-nanzqupz"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := plan(t, tt.in)
			if diff := cmp.Diff(tt.want, actions(p)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if !p.HasChanges() || len(p.Blocked()) > 0 {
				t.Errorf("changes: %v, blocked: %v", p.HasChanges(), p.Blocked())
			}
		})
	}
}

func TestTextOfWarningsAndOfNothing(t *testing.T) {
	overlap := plan(t, fargate.ClusterInput{Desired: []fargate.Desired{planned("a", "web-*"), planned("b", "*-1")}})
	if text := overlap.Text(); !strings.Contains(text, "\n! profiles a and b select some of the same pods") {
		t.Errorf("Text() lacks the overlap:\n%s", text)
	}
	if text := plan(t, fargate.ClusterInput{}).Text(); text != "cluster demo: nothing to do\n" {
		t.Errorf("Text() = %q", text)
	}
}

func TestStale(t *testing.T) {
	base := stands(t, planned("web", "web"))
	p := plan(t, fargate.ClusterInput{Observed: []fargate.Observed{base}})
	change := func(f func(*fargate.Observed)) []fargate.Observed {
		o := base
		o.Spec.Tags = maps.Clone(o.Spec.Tags)
		f(&o)
		return []fargate.Observed{o}
	}
	tests := map[string]struct {
		observed []fargate.Observed
		want     []string
	}{
		"the same":        {[]fargate.Observed{base}, nil},
		"gone":            {nil, []string{"profile web is gone"}},
		"a new one":       {[]fargate.Observed{base, stands(t, planned("x", "x"))}, []string{"profile x is new"}},
		"made again":      {change(func(o *fargate.Observed) { o.ARN += "2" }), []string{"profile web has another ARN"}},
		"another status":  {change(func(o *fargate.Observed) { o.Status = "DELETING" }), []string{"profile web has another status: DELETING"}},
		"another tag":     {change(func(o *fargate.Observed) { o.Spec.Tags["x"] = "y" }), []string{"profile web has another set of tags"}},
		"another role":    {change(func(o *fargate.Observed) { o.Spec.PodExecutionRoleARN = "r" }), []string{"profile web has another role"}},
		"another subnet":  {change(func(o *fargate.Observed) { o.Spec.Subnets = []string{"s"} }), []string{"profile web has another list of subnets"}},
		"other selectors": {change(func(o *fargate.Observed) { o.Spec.Selectors = nil }), []string{"profile web has another list of selectors"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, p.Stale(tt.observed)); diff != "" {
				t.Errorf("Stale() (-want +got):\n%s", diff)
			}
		})
	}
}

// allKinds is a plan in which every kind of step stands.
func allKinds(t *testing.T) fargate.Plan {
	t.Helper()
	replaced := planned("web", "web", "api")
	replaced.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
	tagged := planned("tagged", "tagged")
	tagged.Spec.Tags = map[string]string{"team": "x"}
	other := planned("theirs", "x")
	other.Owner.ID = "somebody"
	return plan(t, fargate.ClusterInput{
		Desired: []fargate.Desired{replaced, tagged, planned("new", "new-*"), planned("stuck", "b")},
		Observed: []fargate.Observed{
			stands(t, planned("web", "web")), stands(t, planned("tagged", "tagged")), stands(t, planned("old", "old")),
			stands(t, planned("stuck", "a")), stands(t, other),
		},
		Prune: true, Owner: fargate.Owner{ID: "platform"},
		Pods: []selector.Placed{{Pod: selector.Pod{Namespace: "web", Name: "p"}, Profile: "web"}},
	})
}

func TestPlanTextAndJSON(t *testing.T) {
	p := allKinds(t)
	golden(t, "testdata/plan.txt", p.Text())
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/plan.json", string(text)+"\n")
	var back fargate.Plan
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if stale := back.Stale(p.Observed); len(stale) > 0 {
		t.Errorf("a plan that was stored is stale: %v", stale)
	}
	if back.Text() != p.Text() {
		t.Error("a plan that was stored reads differently")
	}
}
