// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// wantNoDifference fails on any change.
func wantNoDifference(t *testing.T, desired fargate.Spec, observed fargate.Observed) {
	t.Helper()
	if got := fargate.Diff(desired, observed); got != nil {
		t.Errorf("Diff() = %v, want nil", got)
	}
}

func TestScenario_B25_AnImmutableEditIsNeverSilent(t *testing.T) {
	tests := map[string]struct {
		edit func(*fargate.Spec)
		want fargate.Field
	}{
		"a selector": {func(s *fargate.Spec) { s.Selectors = []selector.Selector{on("api")} }, fargate.FieldSelectors},
		"a subnet":   {func(s *fargate.Spec) { s.Subnets = []string{subnetB} }, fargate.FieldSubnets},
		"the role":   {func(s *fargate.Spec) { s.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/other" }, fargate.FieldRole},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			observed := with(func(s *fargate.Spec) { s.Subnets, s.Tags = []string{subnetA}, map[string]string{"team": "x"} })
			desired := deepCopy(observed)
			tt.edit(&desired)
			got := fargate.Diff(desired, observing(observed))
			if diff := cmp.Diff([]fargate.Field{tt.want}, got.Fields()); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			if !got.RequiresReplacement() || !got.Has(tt.want) {
				t.Errorf("RequiresReplacement() = %v, Has(%s) = %v, want both", got.RequiresReplacement(), tt.want, got.Has(tt.want))
			}
		})
	}
}

func TestScenario_B26_TagsAloneNeverReplace(t *testing.T) {
	got := fargate.Diff(withTags(map[string]string{"team": "y"}), observing(withTags(map[string]string{"team": "x"})))
	if got == nil || got.RequiresReplacement() {
		t.Errorf("Diff() = %v, RequiresReplacement() = %v; want a change without a replacement", got, got.RequiresReplacement())
	}
}

func TestScenario_B27_SelectorOrderIsNoDifference(t *testing.T) {
	desired := withSelectors(on("default"), on("kube-system", "k8s-app", "kube-dns"))
	observed := withSelectors(on("kube-system", "k8s-app", "kube-dns"), selector.Selector{Namespace: "default", Labels: map[string]string{}})
	wantNoDifference(t, desired, observing(observed))
}

func TestScenario_B29_OmittedSubnetsAreWhatAWSChose(t *testing.T) {
	observed := observing(with(func(s *fargate.Spec) { s.Subnets = []string{subnetA, subnetB} }))
	wantNoDifference(t, good(), observed)
	wantNoDifference(t, with(func(s *fargate.Spec) { s.Subnets = []string{} }), observed)
}

func TestScenario_B30_AnotherRoleIsSeen(t *testing.T) {
	observed := withMarks(observing(with(func(s *fargate.Spec) { s.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/other" })))
	if got := fargate.Diff(good(), observed); !got.Has(fargate.FieldRole) || !got.RequiresReplacement() {
		t.Errorf("Diff() = %v, want the role", got)
	}
}

func TestScenario_B32_AllFormsOfNoLabelsAreOne(t *testing.T) {
	for name, labels := range map[string]map[string]string{"absent or null": nil, "empty": {}} {
		t.Run(name, func(t *testing.T) {
			wantNoDifference(t, good(), observing(withSelectors(selector.Selector{Namespace: "web", Labels: labels})))
			wantNoDifference(t, withSelectors(selector.Selector{Namespace: "web", Labels: labels}), observing(good()))
		})
	}
}

func TestScenario_B34_OnlyTagsAreMutable(t *testing.T) {
	for _, f := range []fargate.Field{fargate.FieldRole, fargate.FieldSubnets, fargate.FieldSelectors, fargate.FieldTags, "another"} {
		if got, want := f.Mutable(), f == fargate.FieldTags; got != want {
			t.Errorf("%s.Mutable() = %v, want %v", f, got, want)
		}
	}
}

func TestScenario_B35_TagsOfAWSAreNeverTouched(t *testing.T) {
	desired := withTags(map[string]string{"team": "y"})
	observed := observing(withTags(map[string]string{"aws:cloudformation:stack-name": "s", "team": "x"}))
	for name, optFns := range map[string][]func(*fargate.DiffOptions){"merge": nil, "exact": {exact}} {
		if diff := cmp.Diff(tagChange([]string{"team=y"}, []string{"team=x"}), fargate.Diff(desired, observed, optFns...)); diff != "" {
			t.Errorf("Diff() in mode %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestScenario_B36_TagsOfOthersSurvive(t *testing.T) {
	desired := withTags(map[string]string{"team": "x"})
	observed := observing(withTags(map[string]string{"team": "x", "costcenter": "42"}))
	wantNoDifference(t, desired, observed)
	got := fargate.Diff(desired, observed, exact)
	if len(got) != 1 || !slices.Equal(got[0].Removed(), []string{"costcenter=42"}) || got[0].Added() != nil {
		t.Errorf("Diff() in exact mode = %v, want the removal of costcenter", got)
	}
}

func TestScenario_B54_ThePathOfARoleIsNoDifference(t *testing.T) {
	desired := with(func(s *fargate.Spec) { s.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/teams/net/fp-exec" })
	if got := faults(t, desired.Validate()); got != nil {
		t.Errorf("faults = %v", got)
	}
	wantNoDifference(t, desired, observing(good()))
}

func TestScenario_B82_WhatIsUnsetIsKept(t *testing.T) {
	observed := observing(with(func(s *fargate.Spec) { s.Subnets = []string{subnetA} }))
	wantNoDifference(t, with(func(s *fargate.Spec) { s.PodExecutionRoleARN, s.Subnets = "", nil }), observed)
}
