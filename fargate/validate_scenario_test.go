// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func TestScenario_B18_CreateFirstWithAPinnedNameIsRefused(t *testing.T) {
	d := goodDesired()
	d.Spec.Name = "karpenter"
	d.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NamePinned}
	if diff := cmp.Diff(one("policy.name NameConflict"), faults(t, d.Validate())); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestScenario_B23_LimitsAreReportedBeforeAnyCall(t *testing.T) {
	six := selector.Selector{Namespace: "web", Labels: manyTags(6)}
	runValidate(t, map[string]validateCase{
		"six selectors":           {spec: withSelectors(manySelectors(6)...), want: one("spec.selectors TooMany")},
		"six labels":              {spec: withSelectors(six), want: one("spec.selectors[0].labels TooMany")},
		"no selector":             {spec: withSelectors(), want: one("spec.selectors Required")},
		"a selector of labels":    {spec: withSelectors(on("", "app", "api")), want: one("spec.selectors[0].namespace Required")},
		"a quota that was raised": {spec: withSelectors(append(manySelectors(5), six)...), limits: func(l *fargate.Limits) { l.Selectors, l.Labels = 6, 6 }},
	})
}

func TestScenario_B48_ZeroValuesAreFaultsAndNoPanic(t *testing.T) {
	var spec fargate.Spec
	want := []string{"spec.clusterName Required", "spec.fargateProfileName Required", "spec.podExecutionRoleArn Required", "spec.selectors Required"}
	if diff := cmp.Diff(want, faults(t, spec.Validate())); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if got := fargate.Diff(spec, fargate.Observed{}); got != nil {
		t.Errorf("Diff of zero values = %v, want nil", got)
	}
	if diff := cmp.Diff(fargate.Spec{}, spec.Normalize()); diff != "" {
		t.Errorf("Normalize of the zero value (-want +got):\n%s", diff)
	}
}

func TestScenario_B51_NamesThatEKSRefusesAreFaults(t *testing.T) {
	named := func(name string) fargate.Spec { return with(func(s *fargate.Spec) { s.Name = name }) }
	runValidate(t, map[string]validateCase{
		"101 characters":      {spec: named(a(101)), want: one("spec.fargateProfileName TooLong")},
		"the reserved prefix": {spec: named("eks-foo"), want: one("spec.fargateProfileName Reserved")},
		"the first character": {spec: named("-foo"), want: one("spec.fargateProfileName InvalidSyntax")},
		"the characters":      {spec: named("foo.bar"), want: one("spec.fargateProfileName InvalidSyntax")},
	})
}

func TestScenario_B52_EveryPartitionIsARole(t *testing.T) {
	for _, partition := range []string{"aws", "aws-cn", "aws-us-gov", "aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f", "aws-eusc"} {
		spec := with(func(s *fargate.Spec) { s.PodExecutionRoleARN = "arn:" + partition + ":iam::111122223333:role/fp-exec" })
		if got := faults(t, spec.Validate()); got != nil {
			t.Errorf("a role of %s: %v", partition, got)
		}
	}
}

func TestScenario_B83_AllFaultsAtOnceWithTheirPaths(t *testing.T) {
	spec := with(func(s *fargate.Spec) { s.Name, s.Selectors = "eks-x", nil })
	err := spec.Validate()
	if diff := cmp.Diff([]string{"spec.fargateProfileName Reserved", "spec.selectors Required"}, faults(t, err)); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if first, ok := errors.AsType[fargate.FieldError](err); !ok || first.Field != "spec.fargateProfileName" {
		t.Errorf("the first FieldError in the chain is %+v, %v", first, ok)
	}
}
