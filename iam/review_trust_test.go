// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

func reasons(findings []iam.Finding) []iam.Reason {
	var rs []iam.Reason
	for _, f := range findings {
		rs = append(rs, f.Reason)
	}
	return rs
}

func TestReviewTrust(t *testing.T) {
	unconditional := demo()
	unconditional.Unconditional = true
	anyCluster := demo()
	anyCluster.Cluster = "*"
	ours := iam.TrustPolicy(demo()).String()
	tests := map[string]struct {
		document     string
		scope        iam.Scope
		shortcomings []iam.Reason
		warnings     []iam.Reason
	}{
		"our own document":                 {ours, demo(), nil, nil},
		"our own document for any cluster": {iam.TrustPolicy(anyCluster).String(), anyCluster, nil, nil},
		"no condition":                     {trustWith(`{}`), demo(), nil, []iam.Reason{iam.ReasonSourceARNMissing}},
		"no condition, as wanted":          {trustWith(`{}`), unconditional, nil, nil},
		"only the account":                 {trustWith(`{"StringEquals":{"aws:SourceAccount":"111122223333"}}`), demo(), nil, []iam.Reason{iam.ReasonSourceARNMissing}},
		"any cluster of the account": {
			trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/*"}}`), demo(),
			nil,
			[]iam.Reason{iam.ReasonSourceARNWide},
		},
		"an ARN of another account beside ours": {
			trustWith(`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:us-east-1:444455556666:fargateprofile/demo/*","arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"]}}`), demo(),
			nil,
			[]iam.Reason{iam.ReasonOtherAccount},
		},
		"the cluster": {
			trustWith(`{"ArnLike":{"aws:SourceArn":"` + demoCluster + `"}}`), demo(),
			[]iam.Reason{iam.ReasonTrustNamesCluster},
			nil,
		},
		"another cluster": {
			trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"}}`), demo(),
			[]iam.Reason{iam.ReasonTrustRefuses},
			nil,
		},
		"another partition": {
			trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws-cn:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`), demo(),
			[]iam.Reason{iam.ReasonTrustRefuses},
			[]iam.Reason{iam.ReasonWrongPartition},
		},
		"something that cannot be told": {
			trustWith(`{"StringEquals":{"aws:SourceOrgID":"o-1"}}`), demo(),
			nil,
			[]iam.Reason{iam.ReasonTrustUndecidable},
		},
		"a pattern that is no ARN": {trustWith(`{"StringLike":{"aws:SourceArn":"*"}}`), demo(), nil, []iam.Reason{iam.ReasonSourceARNWide}},
		"a statement that denies": {
			strings.Replace(ours, `"Statement":[`, `"Statement":[{"Effect":"Deny","Principal":"*","Action":"*"},`, 1), demo(),
			[]iam.Reason{iam.ReasonTrustRefuses},
			nil,
		},
		"an EC2 statement in China": {
			`{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com.cn"},"Action":"sts:AssumeRole"}}`, demo(),
			[]iam.Reason{iam.ReasonTrustRefuses},
			[]iam.Reason{iam.ReasonSharedWithNodes},
		},
		"EC2 denied": {
			strings.Replace(ours, `"Statement":[`, `"Statement":[{"Effect":"Deny","Principal":{"Service":"ec2.amazonaws.com"},"Action":"*"},`, 1), demo(), nil, nil,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.ReviewTrust(mustParse(t, tc.document), tc.scope)
			if diff := cmp.Diff(tc.shortcomings, reasons(got.Shortcomings)); diff != "" {
				t.Errorf("shortcomings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.warnings, reasons(got.Warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			for _, f := range append(got.Shortcomings, got.Warnings...) {
				if f.Message == "" || f.Fix == "" {
					t.Errorf("%s has no message or no fix: %+v", f.Reason, f)
				}
			}
		})
	}
}

func TestReviewTrust_OfSomeProfiles(t *testing.T) {
	one := trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/*"}}`)
	anyCluster := trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/*/fp-a/*"}}`)
	const mixed = `{"Version":"2012-10-17","Statement":[
		{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/fp-a/*"},"StringEquals":{"aws:SourceOrgID":"o"}}},
		{"Effect":"Deny","Principal":"*","Action":"*","Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/fp-c/*"}}}]}`
	tests := map[string]struct {
		document string
		profiles []string
		want     []string
	}{
		"the one that is allowed":           {one, []string{"fp-a"}, nil},
		"another":                           {one, []string{"fp-b"}, []string{"profile fp-b: aws:SourceArn allows profile fp-a, not fp-b"}},
		"that one among others":             {one, []string{"fp-a", "fp-b", "fp-a"}, []string{"profile fp-b: aws:SourceArn allows profile fp-a, not fp-b"}},
		"the first of two that are refused": {one, []string{"fp-b", "fp-c"}, []string{"profile fp-b: aws:SourceArn allows profile fp-a, not fp-b"}},
		"any":                               {one, nil, []string{"aws:SourceArn allows profile fp-a only"}},
		"any, and one is named any":         {strings.ReplaceAll(one, "fp-a", "any"), nil, []string{"aws:SourceArn allows profile any only"}},
		"any, and a pattern of some":        {strings.ReplaceAll(one, "fp-a", "fp-*"), nil, []string{"aws:SourceArn allows profile fp-* only"}},
		"a no is worse than a maybe":        {mixed, []string{"fp-a", "fp-b"}, []string{"profile fp-b: aws:SourceArn allows profile fp-a, not fp-b"}},
		"a statement that denies is worst":  {mixed, []string{"fp-a", "fp-c", "fp-b"}, []string{"profile fp-c: the statement denies sts:AssumeRole to eks-fargate-pods.amazonaws.com"}},
		"a name allowed for any cluster":    {anyCluster, []string{"fp-a"}, []string{"the trust policy allows profiles of other clusters than demo"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := iam.ReviewTrust(mustParse(t, tc.document), demo(), tc.profiles...)
			var got []string
			for _, f := range append(r.Shortcomings, r.Warnings...) {
				got = append(got, f.Message)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScenario_B62_ARoleSharedWithNodesIsFlagged(t *testing.T) {
	d := mustParse(t, `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"Service":["ec2.amazonaws.com","eks-fargate-pods.amazonaws.com"]},"Action":"sts:AssumeRole"}}`)
	got := reasons(iam.ReviewTrust(d, demo()).Warnings)
	if diff := cmp.Diff([]iam.Reason{iam.ReasonSourceARNMissing, iam.ReasonSharedWithNodes}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Nobody knows the id of a profile that does not exist yet, nor a name where any
// will do: what stands for them is no ARN that somebody could look for.
func TestReviewTrust_InventsNoARN(t *testing.T) {
	const source = "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/"
	tests := map[string]struct {
		condition string
		any, web  string
	}{
		"a literal wildcard": {
			`{"StringEquals":{"aws:SourceArn":"` + source + `*"}}`,
			"aws:SourceArn allows " + source + "*, not " + source + "*/*; StringEquals takes a wildcard literally, use ArnLike",
			"aws:SourceArn allows " + source + "*, not " + source + "web/*; StringEquals takes a wildcard literally, use ArnLike",
		},
		"the cluster": {
			`{"ArnLike":{"aws:SourceArn":"` + demoCluster + `"}}`,
			"aws:SourceArn names the cluster " + demoCluster + ", but the source is its Fargate profile " + source + "*/*",
			"aws:SourceArn names the cluster " + demoCluster + ", but the source is its Fargate profile " + source + "web/*",
		},
		"one id": {
			`{"ArnLike":{"aws:SourceArn":"` + source + `web/20b6a9b0-d1cb-a3f2-5f3b-1b1f8a7b9c0d"}}`,
			"aws:SourceArn allows profile web only",
			"aws:SourceArn allows profile id 20b6a9b0-d1cb-a3f2-5f3b-1b1f8a7b9c0d only",
		},
		"all but the cluster's": {
			`{"ArnNotLike":{"aws:SourceArn":"` + source + `*"}}`,
			"aws:SourceArn excludes " + source + "*/*",
			"aws:SourceArn excludes " + source + "web/*",
		},
		"a place of no ARN": {
			`{"StringLike":{"aws:SourceArn":"x*"}}`,
			"aws:SourceArn allows x*, not " + source + "*/*",
			"aws:SourceArn allows x*, not " + source + "web/*",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := mustParse(t, trustWith(tt.condition))
			for _, c := range []struct {
				profiles []string
				want     string
			}{{nil, tt.any}, {[]string{"web"}, "profile web: " + tt.web}} {
				r := iam.ReviewTrust(d, demo(), c.profiles...)
				if len(r.Shortcomings) != 1 || r.Shortcomings[0].Message != c.want {
					t.Errorf("for %v: %+v\nwant %s", c.profiles, r.Shortcomings, c.want)
				}
			}
		})
	}
}
