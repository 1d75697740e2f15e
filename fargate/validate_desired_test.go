// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

const me = "install/ns/web"

func goodDesired() fargate.Desired {
	return fargate.Desired{Spec: good(), Owner: fargate.Owner{ID: me}}
}

func TestDesiredValidate(t *testing.T) {
	const nameTooLong = "spec.fargateProfileName TooLong"
	tests := map[string]struct {
		change func(*fargate.Desired)
		want   []string
	}{
		"the usual is fine": {change: func(*fargate.Desired) {}},
		"the zero value lacks all": {
			change: func(d *fargate.Desired) { *d = fargate.Desired{} },
			want: []string{
				"spec.clusterName Required", "spec.fargateProfileName Required", "spec.podExecutionRoleArn Required", "spec.selectors Required", "owner.id Required",
			},
		},
		"an owner is needed":                  {change: owned(""), want: one("owner.id Required")},
		"256 characters of owner are fine":    {change: owned(a(256))},
		"257 are too many":                    {change: owned(a(257)), want: one("owner.id TooLong")},
		"an owner's characters are counted":   {change: owned(strings.Repeat("\u00e9", 256))},
		"an owner with a control character":   {change: owned("a\nb"), want: one("owner.id InvalidSyntax")},
		"an owner that is not UTF-8":          {change: owned("a\xff"), want: one("owner.id InvalidSyntax")},
		"an owner that AWS would reserve":     {change: owned("AWS:me"), want: one("owner.id InvalidSyntax")},
		"an owner under our prefix is fine":   {change: owned("eksfargate.io/me")},
		"a generation counts from one":        {change: func(d *fargate.Desired) { d.Generation = 1 }},
		"a negative generation":               {change: func(d *fargate.Desired) { d.Generation = -1 }, want: one("generation UnsupportedValue")},
		"88 characters are fine when pinned":  {change: func(d *fargate.Desired) { d.Spec.Name = a(88) }},
		"87 characters are fine when derived": {change: func(d *fargate.Desired) { d.Spec.Name, d.Policy.Name = a(87), fargate.NameDerived }},
		"88 characters leave no room for a derived name": {
			change: func(d *fargate.Desired) { d.Spec.Name, d.Policy.Name = a(88), fargate.NameDerived }, want: one(nameTooLong),
		},
		"101 characters are too many in two ways": {
			change: func(d *fargate.Desired) { d.Spec.Name, d.Policy.Name = a(101), fargate.NameDerived }, want: []string{nameTooLong, nameTooLong},
		},
		"defaults and tags count together": {
			change: func(d *fargate.Desired) { d.DefaultTags, d.Spec.Tags = map[string]string{"x": "1"}, manyTags(44) }, want: one("spec.tags TooMany"),
		},
		"a default that is overridden counts once": {
			change: func(d *fargate.Desired) { d.DefaultTags, d.Spec.Tags = map[string]string{"key-01": "1"}, manyTags(44) },
		},
		"a faulty default is named as one": {
			change: func(d *fargate.Desired) {
				d.DefaultTags, d.Spec.Tags = map[string]string{"aws:x": "1", "b": "\x00"}, map[string]string{"AWS:x": "1"}
			},
			want: []string{`spec.tags["AWS:x"] Reserved`, `defaultTags["aws:x"] Reserved`, `defaultTags["b"] InvalidSyntax`},
		},
		"a faulty default that is overridden is gone": {
			change: func(d *fargate.Desired) {
				d.DefaultTags, d.Spec.Tags = map[string]string{"b": "\x00"}, map[string]string{"b": "1"}
			},
		},
		"names without an empty entry are fine": {
			change: func(d *fargate.Desired) {
				d.Drained, d.Policy.TakeOverFrom = []string{"web"}, []string{"somebody/else"}
			},
		},
		"empty entries in lists of names": {
			change: func(d *fargate.Desired) { d.Drained, d.Policy.TakeOverFrom = []string{"web", ""}, []string{""} },
			want:   []string{"policy.takeOverFrom[0] Required", "drained[1] Required"},
		},
		"the faults of all parts come at once": {
			change: func(d *fargate.Desired) {
				d.Spec.Name, d.Owner.ID, d.Policy.Drain, d.Generation = "eks-"+a(90), "", "maybe", -1
				d.Policy.Name, d.DefaultTags = fargate.NameDerived, map[string]string{"": ""}
			},
			want: []string{"spec.fargateProfileName Reserved", nameTooLong, "owner.id Required", "policy.drain UnsupportedValue", `defaultTags[""] Required`, "generation UnsupportedValue"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := goodDesired()
			tt.change(&d)
			if diff := cmp.Diff(tt.want, faults(t, d.Validate())); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDesiredValidateIdentity(t *testing.T) {
	tests := map[string]struct {
		change func(*fargate.Desired)
		want   []string
	}{
		"the usual is fine": {change: func(*fargate.Desired) {}},
		"what only a create needs may be wrong": {
			change: func(d *fargate.Desired) {
				d.Spec.Selectors, d.Spec.PodExecutionRoleARN, d.Spec.Subnets, d.Spec.Tags = nil, "x", []string{"x"}, map[string]string{"": ""}
				d.Policy, d.Generation = fargate.Policy{Drain: "x"}, -1
			},
		},
		"the identity is needed": {
			change: func(d *fargate.Desired) { *d = fargate.Desired{} },
			want:   []string{"spec.clusterName Required", "spec.fargateProfileName Required", "owner.id Required"},
		},
		"the names must be legal": {
			change: func(d *fargate.Desired) { d.Spec.ClusterName, d.Spec.Name = a(101), "eks-x" },
			want:   []string{"spec.clusterName TooLong", "spec.fargateProfileName Reserved"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := goodDesired()
			tt.change(&d)
			if diff := cmp.Diff(tt.want, faults(t, d.ValidateIdentity())); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func owned(id string) func(*fargate.Desired) {
	return func(d *fargate.Desired) { d.Owner.ID = id }
}

func TestDesiredValidateTakesLimits(t *testing.T) {
	d := goodDesired()
	d.Spec.PodExecutionRoleARN = ""
	if got := faults(t, d.Validate(func(l *fargate.Limits) { l.RoleOptional = true })); got != nil {
		t.Errorf("faults with an optional role: %v", got)
	}
}

func TestPolicyValidate(t *testing.T) {
	tests := map[string]struct {
		policy fargate.Policy
		want   []string
	}{
		"the zero value is safe and fine":   {policy: fargate.Policy{}},
		"delete-first with a pinned name":   {policy: fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Name: fargate.NamePinned}},
		"delete-first with derived names":   {policy: fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Name: fargate.NameDerived}},
		"create-first with derived names":   {policy: fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}},
		"create-first with a pinned name":   {policy: fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NamePinned}, want: one("policy.name NameConflict")},
		"create-first with no name policy":  {policy: fargate.Policy{Replacement: fargate.ReplacementCreateFirst}, want: one("policy.name NameConflict")},
		"forbid with derived names":         {policy: fargate.Policy{Replacement: fargate.ReplacementForbid, Name: fargate.NameDerived}},
		"every other word":                  {policy: fargate.Policy{Drain: fargate.DrainConfirmed, Adoption: fargate.AdoptionAlways, TagMode: fargate.TagsExact, Deletion: fargate.DeletionRelease}},
		"every default in words":            {policy: fargate.Policy{Replacement: "forbid", Name: "pinned", Drain: "none", Adoption: "never", TagMode: "merge", Deletion: "delete"}},
		"adoption when equal":               {policy: fargate.Policy{Adoption: fargate.AdoptionWhenEqual}},
		"attempts may be any number":        {policy: fargate.Policy{Attempts: -1}},
		"a word in another case is unknown": {policy: fargate.Policy{Replacement: "CreateFirst"}, want: one("policy.replacement UnsupportedValue")},
		"all unknown words come at once": {
			policy: fargate.Policy{Replacement: "a", Name: "b", Drain: "c", Adoption: "d", TagMode: "e", Deletion: "f"},
			want: []string{
				"policy.replacement UnsupportedValue", "policy.name UnsupportedValue", "policy.drain UnsupportedValue",
				"policy.adoption UnsupportedValue", "policy.tagMode UnsupportedValue", "policy.deletion UnsupportedValue",
			},
		},
		"an unknown name policy is not a conflict": {policy: fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: "b"}, want: one("policy.name UnsupportedValue")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, faults(t, tt.policy.Validate())); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			d := goodDesired()
			d.Policy = tt.policy
			if diff := cmp.Diff(tt.want, faults(t, d.Validate())); diff != "" {
				t.Errorf("faults of a desired profile with the policy (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScenario_B33_DefaultsStandBelowTheTagsOfTheProfile(t *testing.T) {
	tests := map[string]struct {
		defaults, tags, want map[string]string
	}{
		"a key of the profile wins": {
			defaults: map[string]string{"env": "dev", "team": "x"}, tags: map[string]string{"team": "y"}, want: map[string]string{"env": "dev", "team": "y"},
		},
		"no tags of the profile": {defaults: map[string]string{"env": "dev"}, want: map[string]string{"env": "dev"}},
		"no defaults":            {tags: map[string]string{"team": "y"}, want: map[string]string{"team": "y"}},
		"neither":                {want: map[string]string{}},
		"an empty value wins":    {defaults: map[string]string{"env": "dev"}, tags: map[string]string{"env": ""}, want: map[string]string{"env": ""}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := fargate.Desired{Spec: fargate.Spec{Tags: tt.tags}, DefaultTags: tt.defaults}
			defaults, tags := maps.Clone(tt.defaults), maps.Clone(tt.tags)
			got := d.Tags()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Tags() (-want +got):\n%s", diff)
			}
			got["new"] = "x"
			if !maps.Equal(d.DefaultTags, defaults) || !maps.Equal(d.Spec.Tags, tags) {
				t.Error("a write to the result reached the desired profile")
			}
		})
	}
}
