// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// regions has one region of each partition.
func regions() map[string]string {
	return map[string]string{
		"aws":        "us-east-1",
		"aws-cn":     "cn-north-1",
		"aws-us-gov": "us-gov-west-1",
		"aws-iso":    "us-iso-east-1",
		"aws-iso-b":  "us-isob-east-1",
		"aws-iso-e":  "eu-isoe-west-1",
		"aws-iso-f":  "us-isof-south-1",
		"aws-eusc":   "eusc-de-east-1",
	}
}

func TestTrustPolicy_GoldenForEachPartition(t *testing.T) {
	for _, partition := range iam.Partitions() {
		t.Run(partition, func(t *testing.T) {
			scope := iam.Scope{Region: regions()[partition], Account: "111122223333", Cluster: "demo"}
			if err := scope.Validate(); err != nil {
				t.Fatal(err)
			}
			golden(t, "trust/"+partition+".json", iam.TrustPolicy(scope).Indent()+"\n")
		})
	}
}

func TestTrustPolicy_GoldenWithoutConditions(t *testing.T) {
	scope := demo()
	scope.Unconditional = true
	golden(t, "trust/unconditional.json", iam.TrustPolicy(scope).Indent()+"\n")
}

func TestScenario_B41_TheDefaultTrustPolicyHasTheSourceCondition(t *testing.T) {
	scope := iam.Scope{Partition: "aws-cn", Region: "cn-north-1", Account: "111122223333", Cluster: "demo"}
	got := iam.TrustPolicy(scope).Statements[0].Condition["ArnLike"]["aws:SourceArn"]
	if diff := cmp.Diff([]string{"arn:aws-cn:eks:cn-north-1:111122223333:fargateprofile/demo/*"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTrustPolicy_AllowsTheScopeAndNothingElse(t *testing.T) {
	names := rapid.StringMatching(`[0-9A-Za-z][0-9A-Za-z_-]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		scope := iam.Scope{
			Region:  rapid.SampledFrom([]string{"us-east-1", "cn-north-1", "eusc-de-east-1"}).Draw(t, "region"),
			Account: rapid.StringMatching(`\d{12}`).Draw(t, "account"),
			Cluster: names.Draw(t, "cluster"),
		}
		d := iam.TrustPolicy(scope)
		if v := iam.Evaluate(d, scope.Request(names.Draw(t, "profile"))); !v.Allowed() {
			t.Fatalf("%s: %s", v.Result, v.Message)
		}
		if v := iam.Evaluate(iam.TrustPolicy(demo()), scope.Request("p")); v.Allowed() != (scope == demo()) {
			t.Fatalf("%s for the profiles of %+v", v.Result, scope)
		}
		if review := iam.ReviewTrust(d, scope); len(review.Shortcomings)+len(review.Warnings) > 0 {
			t.Fatalf("findings about our own document: %+v", review)
		}
		if err := iam.CheckTrustSize(d, 0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTrustPolicy_AWrongScopeAllowsNothing(t *testing.T) {
	d := iam.TrustPolicy(iam.Scope{})
	if v := iam.Evaluate(d, iam.ProfileRequest(demoProfile)); v.Allowed() {
		t.Errorf("the empty scope allows %s", demoProfile)
	}
}

func TestTrustPolicy_StarsMeanAny(t *testing.T) {
	d := iam.TrustPolicy(iam.Scope{Partition: "aws", Region: "*", Account: "111122223333", Cluster: "*"})
	if v := iam.Evaluate(d, iam.ProfileRequest(demoProfile)); !v.Allowed() {
		t.Errorf("%s: %s", v.Result, v.Message)
	}
}

func TestMerge_AddsAStatementAndTouchesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		existing, wanted := documents().Draw(t, "existing"), iam.TrustPolicy(demo())
		before := existing.String()
		merged := iam.Merge(existing, wanted)
		if existing.String() != before {
			t.Fatal("the existing document was changed")
		}
		if twice := iam.Merge(merged, wanted); twice.String() != merged.String() {
			t.Fatalf("merging again changes the document (-once +twice):\n%s", cmp.Diff(merged.String(), twice.String()))
		}
		rest := merged
		rest.Statements = merged.Statements[:len(existing.Statements)]
		if len(existing.Statements) == 0 {
			rest.Version = existing.Version
		}
		if existing.Statements == nil {
			rest.Statements = nil
		}
		if rest.String() != before {
			t.Fatalf("more than a statement was added (-existing +rest):\n%s", cmp.Diff(before, rest.String()))
		}
	})
}

func TestMerge(t *testing.T) {
	ours := iam.TrustPolicy(demo()).String()
	tests := map[string]struct {
		existing string
		sids     []string
		version  string
	}{
		"into nothing":                       {`{}`, []string{"EKSFargatePods"}, "2012-10-17"},
		"into itself":                        {ours, []string{"EKSFargatePods"}, "2012-10-17"},
		"into itself under another label":    {strings.Replace(ours, "EKSFargatePods", "X", 1), []string{"X"}, "2012-10-17"},
		"beside a statement without a label": {`{"Version":"2008-10-17","Statement":{"Effect":"Deny"}}`, []string{"", "EKSFargatePods"}, "2008-10-17"},
		"where the label is taken":           {`{"Statement":[{"Sid":"EKSFargatePods"},{"Sid":"EKSFargatePods2"}]}`, []string{"EKSFargatePods", "EKSFargatePods2", "EKSFargatePods3"}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			merged := iam.Merge(mustParse(t, tc.existing), mustParse(t, ours))
			var sids []string
			for _, s := range merged.Statements {
				sids = append(sids, s.Sid)
			}
			if diff := cmp.Diff(tc.sids, sids); diff != "" || merged.Version != tc.version {
				t.Errorf("version %q, labels (-want +got):\n%s", merged.Version, diff)
			}
		})
	}
}

func TestCheckTrustSize(t *testing.T) {
	d := iam.Document{ID: strings.Repeat("x", 2048-len(`{"Id":""}`))}
	if err := iam.CheckTrustSize(d, 0); err != nil || d.Size() != 2048 {
		t.Errorf("size %d: %v, want 2048 and no error", d.Size(), err)
	}
	d.ID += " \t\n" // white space does not count, though JSON writes \t and \n as two characters each
	tests := map[string]struct {
		limit int
		want  string
	}{
		"the default quota": {0, "the trust policy has 2052 characters, 2048 are allowed: ask AWS for a higher quota"},
		"a higher quota":    {4096, ""},
		"the highest quota": {5000, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			err := iam.CheckTrustSize(d, tc.limit)
			if got := errorText(err); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	huge := iam.Document{ID: strings.Repeat("x", 5000)}
	if got := errorText(iam.CheckTrustSize(huge, iam.MaxTrustPolicySize)); !strings.Contains(got, "a role of its own for each cluster") {
		t.Errorf("got %q", got)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
