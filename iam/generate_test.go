// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// someOf draws a list of one to three of the texts.
func someOf(texts ...string) *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom(texts), 1, 3)
}

// documents draws documents near to what trust policies look like.
func documents() *rapid.Generator[iam.Document] {
	return rapid.Custom(func(t *rapid.T) iam.Document {
		return iam.Document{
			Version:    rapid.SampledFrom([]string{"", iam.VersionCurrent, iam.VersionLegacy, "2030-01-01"}).Draw(t, "version"),
			ID:         rapid.SampledFrom([]string{"", "id", "<&>"}).Draw(t, "id"),
			Statements: rapid.SliceOfN(statements(), 0, 4).Draw(t, "statements"),
			Other:      rapid.SliceOfN(elements(), 0, 1).Draw(t, "other"),
		}
	})
}

func statements() *rapid.Generator[iam.Statement] {
	return rapid.Custom(func(t *rapid.T) iam.Statement {
		s := iam.Statement{
			Sid:    rapid.SampledFrom([]string{"", "A", "B", "EKSFargatePods"}).Draw(t, "sid"),
			Effect: rapid.SampledFrom([]iam.Effect{iam.EffectAllow, iam.EffectAllow, iam.EffectDeny, "allow"}).Draw(t, "effect"),
		}
		if rapid.Bool().Draw(t, "principal") {
			s.Principal = principals().Draw(t, "who")
		} else if rapid.Bool().Draw(t, "not principal") {
			s.NotPrincipal = principals().Draw(t, "who not")
		}
		actions := someOf("sts:AssumeRole", "STS:*", "sts:TagSession", "*", "s?s:Assume*").Draw(t, "actions")
		if rapid.Bool().Draw(t, "not action") {
			s.NotAction = actions
		} else {
			s.Action = actions
		}
		if rapid.Bool().Draw(t, "conditional") {
			s.Condition = rapid.MapOfN(rapid.SampledFrom(operatorNames()), conditionKeys(), 1, 3).Draw(t, "condition")
		}
		if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
			s.Other = []iam.Element{elements().Draw(t, "element")}
		}
		return s
	})
}

func principals() *rapid.Generator[iam.Principal] {
	return rapid.OneOf(
		rapid.Just(iam.Principal{Everyone: true}),
		rapid.Custom(func(t *rapid.T) iam.Principal {
			return iam.Principal{ByType: rapid.MapOfN(
				rapid.SampledFrom([]string{"Service", "Service", "AWS", "Federated", "Other"}),
				someOf(iam.ServicePrincipal, "ec2.amazonaws.com", "*", "111122223333", "arn:aws:iam::111122223333:root"),
				1, 2,
			).Draw(t, "by type")}
		}),
	)
}

func operatorNames() []string {
	var names []string
	for _, base := range []string{
		"ArnLike", "ArnEquals", "ArnNotLike", "ArnNotEquals", "StringEquals", "StringNotEquals", "StringLike", "StringNotLike",
		"StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase", "Bool", "Null", "NumericEquals", "IpAddress",
	} {
		names = append(names, base, strings.ToLower(base), base+"IfExists", "ForAllValues:"+base, "ForAnyValue:"+base, "ForAnyValue:"+base+"IfExists")
	}
	return names
}

func conditionKeys() *rapid.Generator[map[string][]string] {
	return rapid.MapOfN(
		rapid.SampledFrom([]string{"aws:SourceArn", "AWS:SOURCEARN", "aws:SourceAccount", "aws:PrincipalIsAWSService", "aws:SourceOrgID", "sts:ExternalId"}),
		someOf(
			demoProfile, demoCluster, "arn:aws:eks:*:111122223333:fargateprofile/demo/*", "arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*",
			"arn:aws:eks:*", "*", "111122223333", "1111*", "true", "FALSE", "${aws:SourceAccount}", "",
		),
		1, 2,
	)
}

func elements() *rapid.Generator[iam.Element] {
	return rapid.Custom(func(t *rapid.T) iam.Element {
		return iam.Element{
			Name: rapid.SampledFrom([]string{"Why", "x y"}).Draw(t, "name"),
			JSON: rapid.SampledFrom([]string{"1", `{"b":1,"a":[null]}`, `"\u2028"`, "12345678901234567890"}).Draw(t, "json"),
		}
	})
}

// requests draws what EKS may ask for.
func requests() *rapid.Generator[iam.Request] {
	return rapid.Custom(func(t *rapid.T) iam.Request {
		return iam.Request{
			Service:       rapid.SampledFrom([]string{"", iam.ServicePrincipal, "ec2.amazonaws.com"}).Draw(t, "service"),
			Action:        rapid.SampledFrom([]string{"", "sts:assumerole", "sts:TagSession"}).Draw(t, "action"),
			SourceARN:     rapid.SampledFrom([]string{"", demoProfile, demoCluster, "x"}).Draw(t, "source"),
			SourceAccount: rapid.SampledFrom([]string{"", "111122223333", "444455556666"}).Draw(t, "account"),
			Context: rapid.MapOfN(
				rapid.SampledFrom([]string{"aws:SourceOrgID", "STS:externalid"}),
				rapid.SliceOfN(rapid.SampledFrom([]string{"o-1", "true", "111122223333"}), 0, 2), 0, 2,
			).Draw(t, "context"),
		}
	})
}
