// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// TestEvaluateAgreesWithEKS compares two readings of a trust policy that know
// nothing of each other: what Evaluate says of a document, and whether the fake's
// EKS takes a role with it.
func TestEvaluateAgreesWithEKS(t *testing.T) {
	results := map[iam.Result]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := trusts().Draw(t, "document")
		profile := rapid.SampledFrom([]string{"web", "api", "web-1"}).Draw(t, "profile")
		v := iam.Evaluate(d, demo().Request(profile))
		results[v.Result]++
		if v.Result == iam.ResultUnknown {
			return
		}
		if got := eksTakes(t, d, profile); got != v.Allowed() {
			t.Fatalf("EKS takes the role: %v; Evaluate says %s: %s", got, v.Result, v.Message)
		}
	})
	t.Logf("%v", results)
	if results[iam.ResultAllow] == 0 || results[iam.ResultDeny] == 0 {
		t.Errorf("the documents are of one kind: %v", results)
	}
}

// eksTakes reports whether the trust policy is good enough to create a profile.
func eksTakes(t *rapid.T, d iam.Document, profile string) bool {
	c := fake.New()
	arn := c.AddRole("probe", d.String())
	_, err := c.EKS().CreateFargateProfile(t.Context(), &eks.CreateFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: &profile, PodExecutionRoleArn: &arn,
		Subnets: fake.PrivateSubnetIDs(), Selectors: []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	})
	if err != nil && !awserr.Is(err, awserr.TrustNotUsable) {
		t.Fatalf("EKS refused it for another reason: %v", err)
	}
	return err == nil
}

// trusts draws documents near to what people write.
func trusts() *rapid.Generator[iam.Document] {
	return rapid.Custom(func(t *rapid.T) iam.Document {
		return iam.Document{Version: iam.VersionCurrent, Statements: rapid.SliceOfN(trustStatements(), 1, 3).Draw(t, "statements")}
	})
}

func trustStatements() *rapid.Generator[iam.Statement] {
	return rapid.Custom(func(t *rapid.T) iam.Statement {
		s := iam.Statement{Effect: rapid.SampledFrom([]iam.Effect{iam.EffectAllow, iam.EffectAllow, iam.EffectAllow, iam.EffectDeny}).Draw(t, "effect")}
		if who := trustPrincipals().Draw(t, "principal"); rapid.IntRange(0, 9).Draw(t, "not") > 0 {
			s.Principal = who
		} else {
			s.NotPrincipal = who
		}
		actions := rapid.SliceOfN(rapid.SampledFrom([]string{iam.AssumeRole, "sts:*", "STS:assumerole", "sts:TagSession", "*", "sts:Assume????"}), 1, 2).Draw(t, "actions")
		if rapid.IntRange(0, 9).Draw(t, "not action") > 0 {
			s.Action = actions
		} else {
			s.NotAction = actions
		}
		if rapid.Bool().Draw(t, "conditional") {
			s.Condition = iam.Condition(rapid.MapOfN(rapid.SampledFrom(operators()), trustKeys(), 1, 2).Draw(t, "condition"))
		}
		return s
	})
}

func trustPrincipals() *rapid.Generator[iam.Principal] {
	return rapid.OneOf(
		rapid.Just(iam.Principal{Everyone: true}),
		rapid.Just(iam.Principal{ByType: map[string][]string{"Service": {iam.ServicePrincipal}}}),
		rapid.Custom(func(t *rapid.T) iam.Principal {
			return iam.Principal{ByType: rapid.MapOfN(
				rapid.SampledFrom([]string{"Service", "AWS", "Federated"}),
				rapid.SliceOfN(rapid.SampledFrom([]string{iam.ServicePrincipal, "ec2.amazonaws.com", "*", "arn:aws:iam::111122223333:root"}), 1, 2), 1, 2,
			).Draw(t, "by type")}
		}),
	)
}

func operators() []string {
	var names []string
	for _, base := range []string{
		"ArnLike", "ArnEquals", "ArnNotLike", "ArnNotEquals", "StringEquals", "StringNotEquals", "StringLike", "StringNotLike",
		"StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase", "Bool",
	} {
		names = append(names, base, base+"IfExists", "ForAllValues:"+base, "ForAnyValue:"+base)
	}
	// Two spellings that IAM refuses: Evaluate must not let EKS in where the fake does
	// not.
	return append(names, "Null", "stringlike", "ForAllValues:arnLike")
}

func trustKeys() *rapid.Generator[map[string][]string] {
	return rapid.MapOfN(
		rapid.SampledFrom([]string{"aws:SourceArn", "AWS:sourcearn", "aws:SourceAccount", "aws:PrincipalIsAWSService", "aws:PrincipalServiceName"}),
		rapid.SliceOfN(rapid.SampledFrom([]string{
			"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*", "arn:aws:eks:*:111122223333:fargateprofile/demo/web/*",
			"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*", "arn:aws:eks:us-east-1:111122223333:cluster/demo",
			"arn:aws:eks:*", "arn:*", "*", "111122223333", "1111????3333", "444455556666", "true", "FALSE", iam.ServicePrincipal,
		}), 1, 2), 1, 2,
	)
}
