// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
	"github.com/eksfargate/eksfargate/selector"
)

func observing(s fargate.Spec) fargate.Observed {
	return fargate.Observed{Spec: s, Status: fargate.StatusActive}
}

func exact(o *fargate.DiffOptions) { o.TagMode = fargate.TagsExact }

func immutable(f fargate.Field, desired, observed []string) fargate.Changes {
	return fargate.Changes{{Field: f, Desired: desired, Observed: observed}}
}

func tagChange(desired, observed []string) fargate.Changes {
	return fargate.Changes{{Field: fargate.FieldTags, Mutable: true, Desired: desired, Observed: observed}}
}

func TestDiffRole(t *testing.T) {
	const cased = "arn:aws:iam::111122223333:role/FP-Exec"
	tests := map[string]struct {
		desired, observed string
		equal             bool
	}{
		"the same":                           {roleR, roleR, true},
		"unset agrees with any":              {"", roleR, true},
		"unset agrees with none":             {"", "", true},
		"another name":                       {roleR, "arn:aws:iam::111122223333:role/other", false},
		"another account":                    {roleR, "arn:aws:iam::444455556666:role/fp-exec", false},
		"another partition":                  {roleR, "arn:aws-cn:iam::111122223333:role/fp-exec", false},
		"a path on one side":                 {roleR, "arn:aws:iam::111122223333:role/teams/net/fp-exec", true},
		"another path":                       {"arn:aws:iam::111122223333:role/a/fp-exec", "arn:aws:iam::111122223333:role/b/fp-exec", true},
		"a name that is the end of the path": {"arn:aws:iam::111122223333:role/a/b", "arn:aws:iam::111122223333:role/b/a", false},
		"another case of the name":           {roleR, cased, true},
		"set where nothing was observed":     {roleR, "", false},
		"the same text that is no ARN":       {"x", "x", true},
		"two texts that are no ARN":          {"x", "X", false},
		"an ARN and no ARN":                  {roleR, "fp-exec", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := fargate.Diff(fargate.Spec{PodExecutionRoleARN: tt.desired}, observing(fargate.Spec{PodExecutionRoleARN: tt.observed}))
			var want fargate.Changes
			if !tt.equal {
				want = immutable(fargate.FieldRole, []string{tt.desired}, nil)
				if tt.observed != "" {
					want[0].Observed = []string{tt.observed}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Diff() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffSubnets(t *testing.T) {
	both := []string{subnetA, subnetB}
	tests := map[string]struct {
		desired, observed []string
		want              fargate.Changes
	}{
		"the same":                       {desired: both, observed: both},
		"another order":                  {desired: []string{subnetB, subnetA}, observed: both},
		"a repetition":                   {desired: []string{subnetA, subnetB, subnetA}, observed: both},
		"nil agrees with what AWS chose": {desired: nil, observed: both},
		"empty agrees, too":              {desired: []string{}, observed: both},
		"nil agrees with nil":            {},
		"one is missing":                 {desired: both, observed: both[:1], want: immutable(fargate.FieldSubnets, both, both[:1])},
		"one is too many":                {desired: both[:1], observed: []string{subnetB, subnetA}, want: immutable(fargate.FieldSubnets, both[:1], both)},
		"all are missing":                {desired: both, want: immutable(fargate.FieldSubnets, both, nil)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := fargate.Diff(fargate.Spec{Subnets: tt.desired}, observing(fargate.Spec{Subnets: tt.observed}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Diff() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffSelectors(t *testing.T) {
	type list = []selector.Selector
	tests := map[string]struct {
		desired, observed list
		want              fargate.Changes
	}{
		"the same":                         {desired: list{on("web", "app", "api")}, observed: list{on("web", "app", "api")}},
		"another order":                    {desired: list{on("a"), on("b")}, observed: list{on("b"), on("a")}},
		"a repetition":                     {desired: list{on("a"), on("a")}, observed: list{on("a")}},
		"nil and empty labels":             {desired: list{on("a")}, observed: list{{Namespace: "a", Labels: map[string]string{}}}},
		"nil and empty lists":              {desired: nil, observed: list{}},
		"another spelling of a wildcard":   {desired: list{on("a**b", "k*?", "**")}, observed: list{on("a*b", "k?*", "*")}},
		"another namespace":                {desired: list{on("a")}, observed: list{on("b")}, want: immutable(fargate.FieldSelectors, []string{"a"}, []string{"b"})},
		"another case of a namespace":      {desired: list{on("a")}, observed: list{on("A")}, want: immutable(fargate.FieldSelectors, []string{"a"}, []string{"A"})},
		"one more":                         {desired: list{on("b"), on("a")}, observed: list{on("a")}, want: immutable(fargate.FieldSelectors, []string{"a", "b"}, []string{"a"})},
		"one less":                         {desired: list{on("a")}, observed: list{on("a"), on("b")}, want: immutable(fargate.FieldSelectors, []string{"a"}, []string{"a", "b"})},
		"another value":                    {desired: list{on("a", "k", "v")}, observed: list{on("a", "k", "w")}, want: immutable(fargate.FieldSelectors, []string{"a{k=v}"}, []string{"a{k=w}"})},
		"another key":                      {desired: list{on("a", "k", "v")}, observed: list{on("a", "l", "v")}, want: immutable(fargate.FieldSelectors, []string{"a{k=v}"}, []string{"a{l=v}"})},
		"a label less":                     {desired: list{on("a")}, observed: list{on("a", "k", "v")}, want: immutable(fargate.FieldSelectors, []string{"a"}, []string{"a{k=v}"})},
		"an empty value is not an absence": {desired: list{on("a", "k", "")}, observed: list{on("a", "l", "")}, want: immutable(fargate.FieldSelectors, []string{"a{k=}"}, []string{"a{l=}"})},
		"what is covered by another counts": {
			desired: list{on("a")}, observed: list{on("a"), on("a", "k", "v")}, want: immutable(fargate.FieldSelectors, []string{"a"}, []string{"a", "a{k=v}"}),
		},
		"one of two demands on a key": {
			desired: list{on("a", "k*", "v", "k**", "w")}, observed: list{on("a", "k*", "v")}, want: immutable(fargate.FieldSelectors, []string{"a{k**=w,k*=v}"}, []string{"a{k*=v}"}),
		},
		"texts that only look alike": {
			desired: list{on("a", "k", "v", "l", "w")}, observed: list{on("a", "k", "v,l=w")}, want: immutable(fargate.FieldSelectors, []string{"a{k=v,l=w}"}, []string{`a{k="v,l=w"}`}),
		},
		"texts that only look alike, in another order": {
			desired: list{on("a", "k", "v", "l", "w"), on("a", "k", "v,l=w")}, observed: list{on("a", "k", "v,l=w"), on("a", "k", "v", "l", "w")},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := fargate.Diff(fargate.Spec{Selectors: tt.desired}, observing(fargate.Spec{Selectors: tt.observed}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Diff() (-want +got):\n%s", diff)
			}
		})
	}
}

// claiming adds the memory that the keys were set by us.
func claiming(tags map[string]string, keys ...string) map[string]string {
	out := tagdiff.WriteClaims(keys)
	maps.Copy(out, tags)
	return out
}

func TestDiffTags(t *testing.T) {
	type tags = map[string]string
	tests := map[string]struct {
		desired, observed tags
		merge, exact      fargate.Changes
	}{
		"the same":                {desired: tags{"a": "1"}, observed: tags{"a": "1"}},
		"nil and empty":           {desired: nil, observed: tags{}},
		"one to add":              {desired: tags{"a": "1"}, merge: tagChange([]string{"a=1"}, nil), exact: tagChange([]string{"a=1"}, nil)},
		"an empty value to add":   {desired: tags{"a": ""}, merge: tagChange([]string{"a="}, nil), exact: tagChange([]string{"a="}, nil)},
		"one to overwrite":        {desired: tags{"a": "1"}, observed: tags{"a": "2"}, merge: tagChange([]string{"a=1"}, []string{"a=2"}), exact: tagChange([]string{"a=1"}, []string{"a=2"})},
		"keys mind their case":    {desired: tags{"a": "1"}, observed: tags{"A": "1"}, merge: tagChange([]string{"a=1"}, nil), exact: tagChange([]string{"a=1"}, []string{"A=1"})},
		"one of somebody else":    {desired: tags{"a": "1"}, observed: tags{"a": "1", "b": "2"}, exact: tagChange(nil, []string{"b=2"})},
		"one of ours to remove":   {desired: tags{"a": "1"}, observed: claiming(tags{"a": "1", "b": "2"}, "a", "b"), merge: tagChange(nil, []string{"b=2"}), exact: tagChange(nil, []string{"b=2"})},
		"all of ours to remove":   {desired: nil, observed: claiming(tags{"a": "1", "b": "2"}, "b"), merge: tagChange(nil, []string{"b=2"}), exact: tagChange(nil, []string{"a=1", "b=2"})},
		"aws: tags are no drift":  {desired: tags{"a": "1"}, observed: tags{"a": "1", "aws:x": "1", "AWS:y": "2"}},
		"our marks are no drift":  {desired: tags{"a": "1"}, observed: tags{"a": "1", "eksfargate.io/owner.x": "me", "eksfargate.io/peer": "y"}},
		"a stale memory is none":  {desired: tags{"a": "1"}, observed: claiming(tags{"a": "1"}, "a", "gone")},
		"a missing one with ours": {desired: tags{"a": "1"}, observed: tags{"eksfargate.io/profile": "x", "aws:x": "1"}, merge: tagChange([]string{"a=1"}, nil), exact: tagChange([]string{"a=1"}, nil)},
		"marks and aws: are never asked for": {
			desired: tags{"aws:x": "1", "AWS:y": "2", "eksfargate.io/owner.x": "me", "EKSFargate.io/z": "1"}, observed: tags{"aws:x": "2"},
		},
		"an equals sign in a key": {
			desired: tags{"a=b": "c"}, observed: claiming(tags{"a": "b=c"}, "a"),
			merge: tagChange([]string{`"a=b"=c`}, []string{"a=b=c"}), exact: tagChange([]string{`"a=b"=c`}, []string{"a=b=c"}),
		},
		"all at once, sorted": {
			desired: tags{"b": "1", "c": "2", "a": "3"}, observed: claiming(tags{"c": "x", "z": "y", "b": "1"}, "z"),
			merge: tagChange([]string{"a=3", "c=2"}, []string{"c=x", "z=y"}), exact: tagChange([]string{"a=3", "c=2"}, []string{"c=x", "z=y"}),
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			desired, observed := fargate.Spec{Tags: tt.desired}, observing(fargate.Spec{Tags: tt.observed})
			if diff := cmp.Diff(tt.merge, fargate.Diff(desired, observed)); diff != "" {
				t.Errorf("Diff() (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.exact, fargate.Diff(desired, observed, exact)); diff != "" {
				t.Errorf("Diff() in exact mode (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffDoesNotCompareTheIdentity(t *testing.T) {
	desired, observed := good(), observing(good())
	observed.Spec.ClusterName, observed.Spec.Name, observed.ARN = "other", "fp-a-999-abcdefgh", "arn:x"
	observed.Status, observed.Issues = fargate.StatusCreateFailed, []fargate.Issue{{Code: fargate.IssueAccessDenied}}
	if got := fargate.Diff(desired, observed); got != nil {
		t.Errorf("Diff() = %v, want nil", got)
	}
}

func TestDiffKeepsTheOrderOfFields(t *testing.T) {
	desired := fargate.Spec{PodExecutionRoleARN: roleR, Subnets: []string{subnetA}, Selectors: []selector.Selector{on("a")}, Tags: map[string]string{"a": "1"}}
	got := fargate.Diff(desired, fargate.Observed{}).Fields()
	want := []fargate.Field{fargate.FieldRole, fargate.FieldSubnets, fargate.FieldSelectors, fargate.FieldTags}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
