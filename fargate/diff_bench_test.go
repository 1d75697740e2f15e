// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// typical is a spec with two subnets, three selectors and four tags, normalized.
func typical() fargate.Spec {
	return fargate.Spec{
		ClusterName: "demo", Name: "fp-a", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
		Subnets: []string{"subnet-0aaa", "subnet-0bbb"},
		Selectors: []selector.Selector{
			{Namespace: "kube-system", Labels: map[string]string{"k8s-app": "kube-dns"}},
			{Namespace: "prod*"},
			{Namespace: "web", Labels: map[string]string{"app": "api", "tier": "front-?"}},
		},
		Tags: map[string]string{"team": "x", "env": "dev", "costcenter": "42", "service": "web"},
	}.Normalize()
}

// asObserved is what EKS reports of a spec, in memory of its own.
func asObserved(s fargate.Spec) fargate.Observed {
	own := s.Normalize()
	own.PodExecutionRoleARN = strings.Clone(own.PodExecutionRoleARN)
	for i, id := range own.Subnets {
		own.Subnets[i] = strings.Clone(id)
	}
	for i, sel := range own.Selectors {
		own.Selectors[i] = selector.Selector{Namespace: strings.Clone(sel.Namespace), Labels: cloneStrings(sel.Labels)}
	}
	own.Tags = cloneStrings(own.Tags)
	return fargate.Observed{Spec: own, Status: fargate.StatusActive}
}

func cloneStrings(m map[string]string) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[strings.Clone(k)] = strings.Clone(v)
	}
	return out
}

// withMarks adds the tags that stand on a profile of ours beside the user's.
func withMarks(o fargate.Observed) fargate.Observed {
	tags := cloneStrings(o.Spec.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	maps.Copy(tags, map[string]string{
		"eksfargate.io/owner.7nxtkze6g2": "install/ns/web", "eksfargate.io/profile": "fp-a", "eksfargate.io/generation": "7",
		"eksfargate.io/tags": "1.", "aws:cloudformation:stack-name": "s",
	})
	o.Spec.Tags = tags
	return o
}

// BenchmarkDiffEqual compares Diff with what other tools use, on one pair that is
// equal, in one run. The pair with marks is what a profile of ours looks like; the
// other two would call it different.
func BenchmarkDiffEqual(b *testing.B) {
	desired := typical()
	observed := asObserved(desired)
	marked := withMarks(observed)
	for name, equal := range map[string]func() bool{
		"Diff":              func() bool { return fargate.Diff(desired, observed) == nil },
		"Diff with marks":   func() bool { return fargate.Diff(desired, marked) == nil },
		"reflect.DeepEqual": func() bool { return reflect.DeepEqual(desired, observed.Spec) },
		"cmp.Equal":         func() bool { return cmp.Equal(desired, observed.Spec) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !equal() {
					b.Fatal("the pair is not equal")
				}
			}
		})
	}
}

func TestDiffOfEqualNormalizedInputAllocatesNothing(t *testing.T) {
	desired := typical()
	marked := withMarks(asObserved(desired))
	unset := desired
	unset.Subnets, unset.PodExecutionRoleARN = nil, ""
	for name, want := range map[string]fargate.Spec{"all set": desired, "what AWS chose": unset} {
		t.Run(name, func(t *testing.T) {
			n := testing.AllocsPerRun(100, func() {
				if fargate.Diff(want, marked) != nil {
					t.Fatal("the pair is not equal")
				}
			})
			if n != 0 {
				t.Errorf("Diff allocates %v times", n)
			}
		})
	}
}
