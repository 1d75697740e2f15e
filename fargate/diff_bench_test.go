// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"reflect"
	"slices"
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

// BenchmarkDiffEqual compares Diff with what other tools use, on pairs that are
// equal, in one run. DeepEqual and cmp.Equal would call it a difference if the
// order of a list or a mark of ours differed; to sort first and to leave the marks
// out is the least that gives the answer of Diff. Many tools hold the profile as a
// struct of pointers, and DeepEqual takes longer for those.
func BenchmarkDiffEqual(b *testing.B) {
	plain := typical()
	plain.Selectors, plain.Tags = []selector.Selector{{Namespace: "default"}, {Namespace: "kube-system"}}, nil
	for pair, desired := range map[string]fargate.Spec{"labels and tags": typical(), "namespaces": plain} {
		observed := asObserved(desired)
		marked := withMarks(observed)
		pointers, observedPointers := pointersTo(desired), pointersTo(observed.Spec)
		for peer, equal := range map[string]func() bool{
			"Diff":                  func() bool { return fargate.Diff(desired, observed) == nil },
			"Diff with marks":       func() bool { return fargate.Diff(desired, marked) == nil },
			"cmp.Equal":             func() bool { return cmp.Equal(desired, observed.Spec) },
			"DeepEqual":             func() bool { return reflect.DeepEqual(desired, observed.Spec) },
			"DeepEqual of pointers": func() bool { return reflect.DeepEqual(pointers, observedPointers) },
			"sort and DeepEqual with marks": func() bool {
				return reflect.DeepEqual(sortedCopy(desired), sortedCopy(marked.Spec))
			},
		} {
			b.Run(pair+"/"+peer, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !equal() {
						b.Fatal("the pair is not equal")
					}
				}
			})
		}
	}
}

// sortedCopy is the obvious way to make DeepEqual see the meaning.
func sortedCopy(s fargate.Spec) fargate.Spec {
	s.Subnets = slices.Sorted(slices.Values(s.Subnets))
	s.Selectors = slices.SortedFunc(slices.Values(s.Selectors), func(a, b selector.Selector) int { return strings.Compare(a.Namespace, b.Namespace) })
	tags := map[string]string{}
	for key, value := range s.Tags {
		if !strings.HasPrefix(key, "aws:") && !strings.HasPrefix(key, "eksfargate.io/") {
			tags[key] = value
		}
	}
	s.Tags = tags
	return s
}

// pointerSpec is a spec in the form that generated API types often have.
type pointerSpec struct {
	cluster, name, role *string
	subnets             []*string
	selectors           []*pointerSelector
	tags                map[string]*string
}

type pointerSelector struct {
	namespace *string
	labels    map[string]*string
}

func pointersTo(s fargate.Spec) pointerSpec {
	out := pointerSpec{cluster: new(s.ClusterName), name: new(s.Name), role: new(s.PodExecutionRoleARN), tags: pointersIn(s.Tags)}
	for _, id := range s.Subnets {
		out.subnets = append(out.subnets, new(id))
	}
	for _, sel := range s.Selectors {
		out.selectors = append(out.selectors, &pointerSelector{namespace: new(sel.Namespace), labels: pointersIn(sel.Labels)})
	}
	return out
}

func pointersIn(m map[string]string) map[string]*string {
	out := make(map[string]*string, len(m))
	for key, value := range m {
		out[key] = new(value)
	}
	return out
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
