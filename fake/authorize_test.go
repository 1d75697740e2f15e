// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

const userARN = "arn:aws:iam::111122223333:user/fake"

func TestDeniedPermissionsHaveTheTextsOfAWS(t *testing.T) {
	withTags := func(in *eks.CreateFargateProfileInput) { in.Tags = map[string]string{"team": "x"} }
	withoutSubnets := func(in *eks.CreateFargateProfileInput) { in.Subnets = nil }
	cases := map[string]struct {
		deny, code, message string
		status              int
		edit                edit
	}{
		"the operation itself": {
			"eks:CreateFargateProfile", "AccessDeniedException",
			"User: " + userARN + " is not authorized to perform: eks:CreateFargateProfile" +
				" on resource: arn:aws:eks:us-east-1:111122223333:cluster/demo", 403, func(*eks.CreateFargateProfileInput) {},
		},
		"a pattern in other case": {
			"EKS:create*", "AccessDeniedException",
			"User: " + userARN + " is not authorized to perform: eks:CreateFargateProfile" +
				" on resource: arn:aws:eks:us-east-1:111122223333:cluster/demo", 403, func(*eks.CreateFargateProfileInput) {},
		},
		"tagging what is created": {
			"eks:TagResource", "AccessDeniedException",
			"User: " + userARN + " is not authorized to perform: eks:TagResource" +
				" on resource: arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/*", 403, withTags,
		},
		"passing the role": {
			"iam:PassRole", "AccessDeniedException",
			"User: " + userARN + " is not authorized to perform: iam:PassRole" +
				" on resource: arn:aws:iam::111122223333:role/fargate-pods", 403, func(*eks.CreateFargateProfileInput) {},
		},
		"reading the service's own role": {
			"iam:GetRole", "InvalidRequestException",
			"Failed to validate if SLR: AWSServiceRoleForAmazonEKSForFargate already exists" +
				" due to missing permissions for 'iam:GetRole'", 400, func(*eks.CreateFargateProfileInput) {},
		},
		"making the service's own role": {
			"iam:CreateServiceLinkedRole", "AccessDeniedException",
			"User: " + userARN + " is not authorized to perform: iam:CreateServiceLinkedRole on resource: " +
				"arn:aws:iam::111122223333:role/aws-service-role/eks-fargate.amazonaws.com/AWSServiceRoleForAmazonEKSForFargate",
			403, func(*eks.CreateFargateProfileInput) {},
		},
		"choosing subnets":  {"ec2:DescribeSubnets", "InvalidRequestException", `Missing permissions for "ec2:DescribeSubnets"`, 400, withoutSubnets},
		"looking at routes": {"ec2:DescribeRouteTables", "InvalidRequestException", `Missing permissions for "ec2:DescribeRouteTables"`, 400, withoutSubnets},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				e.c.Deny(tc.deny)
				wantError(e.t, create(e.t, e.c, e.api, "web", tc.edit), tc.code, tc.status, tc.message)
				e.c.ClearFaults()
				if err := create(e.t, e.c, e.api, "web", tc.edit); err != nil {
					e.t.Errorf("after ClearFaults: %v", err)
				}
			})
		})
	}
}

func TestScenario_B38_OnlyACreateWithTagsNeedsToTag(t *testing.T) {
	c := fake.New()
	c.Deny("eks:TagResource", "ec2:DescribeSubnets")
	if err := create(t, c, c.EKS(), "web"); err != nil {
		t.Errorf("a create without tags and with subnets: %v", err)
	}
	_, err := c.EKS().TagResource(t.Context(), &eks.TagResourceInput{
		ResourceArn: aws.String("arn:aws:eks:us-east-1:111122223333:cluster/demo"), Tags: map[string]string{"a": "b"},
	})
	wantError(t, err, "AccessDeniedException", 403, "User: "+userARN+
		" is not authorized to perform: eks:TagResource on resource: arn:aws:eks:us-east-1:111122223333:cluster/demo")
}

func TestPermissionsOfOtherCalls(t *testing.T) {
	c := fake.New(atRest)
	mustUntag(t, c.EKS(), clusterARN, "a")
	_, errs := c.EKS().ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: new(clusterARN)})
	_, erri := c.IAM().GetRole(t.Context(), &iam.GetRoleInput{RoleName: aws.String(fake.RoleName)})
	_, errl := c.IAM().ListRoles(t.Context(), nil)
	_, erra := c.STS().GetCallerIdentity(t.Context(), nil)
	if err := errors.Join(errs, erri, errl, erra); err != nil {
		t.Fatal(err)
	}
	var got []fake.Permission
	for call := range c.Calls() {
		got = append(got, call.Permissions()...)
	}
	want := []fake.Permission{
		{Action: "eks:UntagResource", Resource: clusterARN},
		{Action: "eks:ListTagsForResource", Resource: clusterARN},
		{Action: "iam:GetRole", Resource: "arn:aws:iam::111122223333:role/fargate-pods"},
		{Action: "iam:ListRoles", Resource: "*"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
	c.Deny("iam:ListRoles")
	_, err := c.IAM().ListRoles(t.Context(), nil)
	wantError(t, err, "AccessDenied", 403, "User: "+userARN+" is not authorized to perform: iam:ListRoles on resource: *")
}

func TestServiceLinkedRoleIsMadeOnce(t *testing.T) {
	c := fake.New(atRest)
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(time.Hour)
	c.Deny("iam:CreateServiceLinkedRole")
	mustCreate(t, c, c.EKS(), "more")
}

func TestDenialForAWhile(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Deny: "eks:DescribeCluster", Skip: 1, Count: 2})
	if got := pattern(t, c, 5); got != ".xx.." {
		t.Errorf("struck %s", got)
	}
}

// policyOf allows statements that are written without Version and brackets.
func policyOf(statements string) string {
	return `{"Version":"2012-10-17","Statement":` + statements + `}`
}

func TestPolicyOfACaller(t *testing.T) {
	const (
		create  = `{"Effect":"Allow","Action":"eks:CreateFargateProfile","Resource":"arn:aws:eks:*:*:cluster/demo"}`
		allowed = `{"Effect":"Allow","Action":"iam:PassRole","Resource":"arn:aws:iam::111122223333:role/fargate-*"}`
		getRole = `{"Effect":"Allow","Action":["iam:GetRole","iam:CreateServiceLinkedRole"],"Resource":"*"}`
		tag     = `{"Effect":"Allow","Action":["eks:TagResource"],"Resource":"*",` +
			`"Condition":{"StringEquals":{"aws:RequestTag/team":["x","y"]}}}`
	)
	all := create + "," + allowed + "," + getRole
	cases := map[string]struct {
		policy  string
		tags    map[string]string
		missing string // "" when the create must succeed
	}{
		"all that is needed":       {policyOf("[" + all + "]"), nil, ""},
		"everything":               {policyOf(`{"Effect":"Allow","Action":"*","Resource":"*"}`), nil, ""},
		"nothing":                  {policyOf("[]"), nil, "eks:CreateFargateProfile"},
		"no right to pass":         {policyOf("[" + create + "," + getRole + "]"), nil, "iam:PassRole"},
		"no right to tag":          {policyOf("[" + all + "]"), map[string]string{"team": "x"}, "eks:TagResource"},
		"this tag":                 {policyOf("[" + all + "," + tag + "]"), map[string]string{"team": "x"}, ""},
		"not this tag":             {policyOf("[" + all + "," + tag + "]"), map[string]string{"team": "z"}, "eks:TagResource"},
		"another cluster":          {policyOf(`{"Effect":"Allow","Action":"eks:*","Resource":"arn:aws:eks:*:*:cluster/other"}`), nil, "eks:CreateFargateProfile"},
		"a wildcard over a colon":  {policyOf(`{"Effect":"Allow","Action":"eks:*","Resource":"arn:aws:eks:*:cluster/demo"}`), nil, "eks:CreateFargateProfile"},
		"all but the operation":    {policyOf(`{"Effect":"Allow","NotAction":"eks:Create*","Resource":"*"}`), nil, "eks:CreateFargateProfile"},
		"all but another one":      {policyOf(`{"Effect":"Allow","NotAction":"eks:Delete*","Resource":"*"}`), nil, ""},
		"all but this role":        {policyOf(`{"Effect":"Allow","Action":"*","NotResource":"arn:aws:iam::*:role/fargate-pods"}`), nil, "iam:PassRole"},
		"a denial wins":            {policyOf(`[{"Effect":"Allow","Action":"*","Resource":"*"},{"Effect":"Deny","Action":"iam:PassRole","Resource":"*"}]`), nil, "iam:PassRole"},
		"roles for pods only":      {policyOf(`[` + create + `,` + getRole + `,{"Effect":"Allow","Action":"iam:PassRole","Resource":"*","Condition":{"StringEquals":{"iam:PassedToService":"eks-fargate-pods.amazonaws.com"}}}]`), nil, ""},
		"roles for instances only": {policyOf(`[` + create + `,` + getRole + `,{"Effect":"Allow","Action":"iam:PassRole","Resource":"*","Condition":{"StringEquals":{"iam:PassedToService":"ec2.amazonaws.com"}}}]`), nil, "iam:PassRole"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				if err := e.c.SetPolicy("", tc.policy); err != nil {
					e.t.Fatal(err)
				}
				in := createInput(e.c, "web")
				in.Tags = tc.tags
				_, err := e.api.CreateFargateProfile(e.t.Context(), in)
				switch {
				case tc.missing == "" && err != nil:
					e.t.Errorf("refused: %v", err)
				case tc.missing != "" && !containsText(err, "not authorized to perform: "+tc.missing+" on resource: "):
					e.t.Errorf("error %v, want a denial of %s", err, tc.missing)
				}
			})
		})
	}
}

func TestPolicyConcernsOneCaller(t *testing.T) {
	c := fake.New()
	if err := c.SetPolicy("arn:aws:iam::111122223333:user/other", policyOf("[]")); err != nil {
		t.Fatal(err)
	}
	if got := pattern(t, c, 1); got != "." {
		t.Error("the policy of another caller counts")
	}
	other := c.EKS(func(caller *fake.Caller) { caller.ARN = "arn:aws:iam::111122223333:user/other" })
	if _, err := other.ListClusters(t.Context(), nil); err == nil {
		t.Error("the caller with the policy was allowed")
	}
	if err := c.SetPolicy("arn:aws:iam::111122223333:user/other", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := other.ListClusters(t.Context(), nil); err != nil {
		t.Errorf("after the policy was lifted: %v", err)
	}
	if err := c.SetPolicy("", "{"); err == nil {
		t.Error("a document that is no JSON was accepted")
	}
}

func TestPermissionsOfCalls(t *testing.T) {
	c := fake.New()
	if err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) {
		in.Subnets, in.Tags = nil, map[string]string{"a": "b"}
	}); err != nil {
		t.Fatal(err)
	}
	mustDescribe(t, c.EKS(), "web")
	pattern(t, c, 1)
	if _, err := c.EKS().ListClusters(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.EKS().CreateCluster(t.Context(), clusterInput("new")); err != nil {
		t.Fatal(err)
	}
	var got []fake.Permission
	for call := range c.Calls() {
		got = append(got, call.Permissions()...)
	}
	const cluster, profile = "arn:aws:eks:us-east-1:111122223333:cluster/", "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/*"
	const roles = "arn:aws:iam::111122223333:role/"
	want := []fake.Permission{
		{Action: "eks:CreateFargateProfile", Resource: cluster + "demo"},
		{Action: "eks:TagResource", Resource: profile},
		{Action: "iam:PassRole", Resource: roles + "fargate-pods"},
		{Action: "iam:GetRole", Resource: roles + "aws-service-role/eks-fargate.amazonaws.com/AWSServiceRoleForAmazonEKSForFargate"},
		{Action: "iam:CreateServiceLinkedRole", Resource: roles + "aws-service-role/eks-fargate.amazonaws.com/AWSServiceRoleForAmazonEKSForFargate"},
		{Action: "ec2:DescribeSubnets", Resource: "*"},
		{Action: "ec2:DescribeRouteTables", Resource: "*"},
		{Action: "eks:DescribeFargateProfile", Resource: profile},
		{Action: "eks:DescribeCluster", Resource: cluster + "demo"},
		{Action: "eks:ListClusters", Resource: "*"},
		{Action: "eks:CreateCluster", Resource: cluster + "new"},
		{Action: "eks:TagResource", Resource: cluster + "new"},
		{Action: "iam:PassRole", Resource: roles + "eks-cluster"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
	if !slices.IsSortedFunc(slices.Collect(c.Calls()), func(a, b fake.Call) int { return a.Number - b.Number }) {
		t.Error("calls out of order")
	}
}
