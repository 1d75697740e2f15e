// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func ExampleSpec_Validate() {
	spec := fargate.Spec{
		ClusterName:         "demo",
		Name:                "eks-web",
		PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
		Selectors:           []selector.Selector{{Namespace: "web"}, {Labels: map[string]string{"app": "api"}}},
	}
	err := spec.Validate()
	if invalid, ok := errors.AsType[*fargate.ValidationError](err); ok {
		for _, f := range invalid.Errors {
			fmt.Println(f.Field, f.Code)
		}
	}
	fmt.Println(err)
	// Output:
	// spec.fargateProfileName Reserved
	// spec.selectors[1].namespace Required
	// fargate: invalid profile "eks-web" of cluster "demo": 2 faults
	//   spec.fargateProfileName: the prefix eks- is reserved by EKS (choose a name that begins otherwise)
	//   spec.selectors[1].namespace: a selector needs a namespace (name one, with wildcards if need be; * stands for all)
}

// AWS raises quotas, so they are inputs.
func ExampleSpec_Validate_limits() {
	spec := fargate.Spec{ClusterName: "demo", Name: "web", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec"}
	for _, namespace := range []string{"a", "b", "c", "d", "e", "f"} {
		spec.Selectors = append(spec.Selectors, selector.Selector{Namespace: namespace})
	}
	fmt.Println(spec.Validate())
	fmt.Println(spec.Validate(func(l *fargate.Limits) { l.Selectors = 10 }))
	// Output:
	// fargate: invalid profile "web" of cluster "demo": spec.selectors: there are 6 selectors, more than 5 (use wildcards or a second profile, or have the quota L-D78D8AF8 raised)
	// <nil>
}

func ExampleSpec_Normalize() {
	spec := fargate.Spec{
		Subnets:   []string{"subnet-0bbb", "subnet-0aaa", "subnet-0bbb"},
		Selectors: []selector.Selector{{Namespace: "web"}, {Namespace: "prod**", Labels: map[string]string{}}},
	}
	n := spec.Normalize()
	fmt.Println(n.Subnets)
	fmt.Println(n.Selectors)
	// Output:
	// [subnet-0aaa subnet-0bbb]
	// [{prod* map[]} {web map[]}]
}

func ExampleSelectorText() {
	fmt.Println(fargate.SelectorText(selector.Selector{Namespace: "web", Labels: map[string]string{"tier": "front", "app": "api-*"}}))
	// Output: web{app=api-*,tier=front}
}

func ExampleDiff() {
	desired := fargate.Spec{
		Selectors: []selector.Selector{{Namespace: "web"}, {Namespace: "api"}},
		Tags:      map[string]string{"team": "x"},
	}
	observed := fargate.Observed{Spec: fargate.Spec{
		PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
		Subnets:             []string{"subnet-0aaa"},
		Selectors:           []selector.Selector{{Namespace: "web"}},
		Tags:                map[string]string{"costcenter": "42"},
	}}
	changes := fargate.Diff(desired, observed)
	fmt.Println(changes)
	fmt.Println("needs a replacement:", changes.RequiresReplacement())
	fmt.Print(changes.Text())
	// Output:
	// selectors +api, tags +team=x
	// needs a replacement: true
	// selectors (immutable: needs a replacement)
	//   + api
	// tags (updated in place)
	//   + team=x
}

// In exact mode every tag that is not desired is drift, but for those of AWS.
func ExampleDiff_exact() {
	observed := fargate.Observed{Spec: fargate.Spec{Tags: map[string]string{"costcenter": "42", "aws:cloudformation:stack-name": "s"}}}
	fmt.Println(fargate.Diff(fargate.Spec{}, observed, func(o *fargate.DiffOptions) { o.TagMode = fargate.TagsExact }))
	// Output: tags -costcenter=42
}

func ExampleRules() {
	for _, rule := range fargate.Rules() {
		if rule.Field == "spec.fargateProfileName" {
			fmt.Println(rule.Code, "-", rule.Requirement)
		}
	}
	// Output:
	// Required - is set
	// TooLong - has at most 100 characters
	// InvalidSyntax - has the form ^[0-9A-Za-z][0-9A-Za-z_-]*$
	// Reserved - does not begin with eks-
}

func ExampleIssueCode_Advice() {
	advice := fargate.IssueRoleAlreadyInUse.Advice()
	fmt.Println(advice.Cause)
	fmt.Println(advice.Remedy)
	fmt.Println("retryable:", advice.Retryable)
	// Output:
	// the role is already mapped for EC2 nodes of this cluster
	// give the profile a pod execution role of its own, other than any node role
	// retryable: false
}

func ExampleDesired_Tags() {
	desired := fargate.Desired{
		DefaultTags: map[string]string{"env": "dev", "team": "x"},
		Spec:        fargate.Spec{Tags: map[string]string{"team": "y"}},
	}
	tags := desired.Tags()
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		fmt.Println(key, tags[key])
	}
	// Output:
	// env dev
	// team y
}

func ExampleDesired_Validate() {
	desired := fargate.Desired{
		Spec: fargate.Spec{
			ClusterName: "demo", Name: "web", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
			Selectors: []selector.Selector{{Namespace: "web"}},
		},
		Owner:  fargate.Owner{ID: "prod/platform/web"},
		Policy: fargate.Policy{Replacement: fargate.ReplacementCreateFirst},
	}
	fmt.Println(desired.Validate())
	desired.Policy.Name = fargate.NameDerived
	fmt.Println(desired.Validate())
	// Output:
	// fargate: invalid profile "web" of cluster "demo": policy.name: a create-first replacement needs a second name, and a pinned name allows only one (set policy.name to derived, or policy.replacement to deleteFirst)
	// <nil>
}

func ExamplePlaceOf() {
	place, ok := fargate.PlaceOf("arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/a0bfcdd2-c22e-1a97-5ef5-9b6bd6ac8c37")
	fmt.Println(place, ok)
	fmt.Println(place.Contradicts(fargate.Place{Region: "eu-west-1"}))
	// Output:
	// account 111122223333, region us-east-1 true
	// true
}

func ExampleMayBelong() {
	fmt.Println(fargate.MayBelong("web", "web-998-k3fq7zda"), fargate.MayBelong("web", "website"))
	// Output: true false
}
