// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/manifest"
)

func TestSpec(t *testing.T) {
	t.Parallel()
	r := parse(eksctl("selectors: [{namespace: a, labels: {k: v}}]", "subnets: [subnet-01]", "tags: {t: v}"))
	got, err := r.Profiles[0].Spec()
	if err != nil {
		t.Fatal(err)
	}
	want := fargate.Spec{
		ClusterName: "demo", Name: "web", PodExecutionRoleARN: "arn:aws:iam::222233334444:role/pods",
		Subnets:   []string{"subnet-01"},
		Selectors: []selector.Selector{{Namespace: "a", Labels: map[string]string{"k": "v"}}},
		Tags:      map[string]string{"t": "v"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSpecRefusesUnresolvedValues(t *testing.T) {
	t.Parallel()
	r := parse(eksctl("selectors: [{namespace: $A, labels: {k: $B}}]", "subnets: [$C]", "tags: {$D: v}"))
	_, err := r.Profiles[0].Spec()
	var unresolved *manifest.UnresolvedError
	if !errors.As(err, &unresolved) || !manifest.IsUnresolved(err) {
		t.Fatalf("got %v", err)
	}
	want := []string{"subnets[0] ($C)", "selectors[0].namespace ($A)", `selectors[0].labels["k"] ($B)`, `tags["$D"] (v)`}
	if diff := cmp.Diff(want, unresolved.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(err.Error(), "in:3") || !strings.Contains(err.Error(), "$C") {
		t.Errorf("the message lacks the place or the expression: %v", err)
	}
	if manifest.IsUnresolved(errors.New("another")) {
		t.Error("any error counts as unresolved")
	}
}

func TestSpecOfAProfileThatExistsLeavesOutTheTagsOfOthers(t *testing.T) {
	t.Parallel()
	r := parse(`{"fargateProfile": {"fargateProfileName": "a", "clusterName": "c", "fargateProfileArn": "arn:aws:eks:r:1:fargateprofile/c/a/i",
		"selectors": [{"namespace": "a"}], "tags": {"aws:x": "1", "eksfargate.io/profile": "a", "mine": "2"}}}`)
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	spec, err := r.Profiles[0].Spec()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"mine": "2"}, spec.Tags); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(r.Profiles[0].Tags) != 3 {
		t.Error("the profile itself lost tags")
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	var unset manifest.Value
	known, unresolved := manifest.Known("a"), manifest.Unresolved("$A")
	if !unset.IsUnset() || !known.IsKnown() || !unresolved.IsUnresolved() {
		t.Error("a value is not in its own state")
	}
	if unset.Or(known) != known || known.Or(unresolved) != known || unresolved.Or(known) != unresolved {
		t.Error("Or replaces a value that is set, or keeps one that is not")
	}
	got, err := json.Marshal([]manifest.Value{unset, known, unresolved})
	if err != nil || string(got) != `[null,"a",null]` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestResultJSONHasListsNotNull(t *testing.T) {
	t.Parallel()
	for _, r := range []manifest.Result{parse("apiVersion: v1\nkind: Pod\n"), manifest.Merge()} {
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(got), `{"profiles":[],"problems":[`) {
			t.Errorf("got %s", got)
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	file := []byte(eksctl("selectors: [{namespace: a}]"))
	a, b := manifest.Parse("a", file), manifest.Parse("b", file)
	merged := manifest.Merge(b, a)
	if len(merged.Profiles) != 2 {
		t.Fatalf("%d profiles, want 2", len(merged.Profiles))
	}
	p := only(t, merged)
	if p.Code != manifest.CodeDuplicate || p.File != "a" || !strings.Contains(p.Message, "b:3") {
		t.Errorf("got %v", p)
	}
	if kept := manifest.Merge(parse("x: y"), parse("[]")); len(kept.Problems) != 2 {
		t.Errorf("%d problems, want those of both", len(kept.Problems))
	}
	if again := manifest.Merge(merged, manifest.Result{}); len(again.Problems) != 1 {
		t.Errorf("a second merge repeats the problem: %v", again.Problems)
	}
}

func TestErr(t *testing.T) {
	t.Parallel()
	r := parse(eksctl("selectors: []", "subnets: [a]"))
	problems, ok := errors.AsType[*manifest.ProblemsError](r.Err())
	if !ok || len(problems.Problems) != 1 {
		t.Fatalf("got %v, want the one error without the warning", r.Err())
	}
	want := "in:5:14: error: fargateProfiles[0].selectors: a profile needs at least one selector; say which pods run on the profile, by namespace"
	if got := r.Err().Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := parse(eksctl("selectors: [{namespace: a}]")).Err(); err != nil {
		t.Errorf("no problem, and yet: %v", err)
	}
}
