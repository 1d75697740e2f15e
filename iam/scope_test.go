// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

func TestScope_Validate(t *testing.T) {
	tests := map[string]struct {
		scope iam.Scope
		want  []string
	}{
		"a cluster":                       {demo(), nil},
		"any region of a partition":       {iam.Scope{Partition: "aws-cn", Region: "*", Account: "111122223333", Cluster: "*"}, nil},
		"a region without a partition":    {iam.Scope{Region: "*", Account: "111122223333", Cluster: "*"}, []string{"Partition"}},
		"a region of another partition":   {iam.Scope{Partition: "aws", Region: "cn-north-1", Account: "111122223333", Cluster: "demo"}, []string{"Partition"}},
		"a partition that is too new":     {iam.Scope{Partition: "aws-new", Region: "new-place-1", Account: "111122223333", Cluster: "demo"}, nil},
		"a word for a partition":          {iam.Scope{Partition: "gcp", Region: "*", Account: "111122223333", Cluster: "demo"}, []string{"Partition"}},
		"nothing":                         {iam.Scope{}, []string{"Region", "Partition", "Account", "Cluster"}},
		"a pattern for a cluster":         {iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo*"}, []string{"Cluster"}},
		"an account with a hyphen":        {iam.Scope{Region: "us-east-1", Account: "1111-2222-3333", Cluster: "demo"}, []string{"Account"}},
		"a cluster name that is too long": {iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: strings.Repeat("a", 101)}, []string{"Cluster"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var fields []string
			if joined, ok := tc.scope.Validate().(interface{ Unwrap() []error }); ok {
				for _, err := range joined.Unwrap() {
					e, _ := errors.AsType[*iam.ScopeError](err)
					fields = append(fields, e.Field)
					if !strings.Contains(err.Error(), e.Field+": "+e.Reason) {
						t.Errorf("Error() = %q", err)
					}
				}
			}
			if diff := cmp.Diff(tc.want, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScopeOf(t *testing.T) {
	want := iam.Scope{Partition: "aws", Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
	for _, arn := range []string{demoCluster, demoProfile} {
		got, err := iam.ScopeOf(arn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arn, diff)
		}
	}
	for _, arn := range []string{
		"", "demo", "arn:aws:iam::111122223333:role/demo", "arn:aws:eks:us-east-1:111122223333:nodegroup/demo/x/y",
		"arn:aws:eks:us-east-1:1:cluster/demo", "arn:aws:eks:us-east-1:111122223333:cluster/", "arn:gcp:eks:us-east-1:111122223333:cluster/demo",
	} {
		if got, err := iam.ScopeOf(arn); err == nil {
			t.Errorf("ScopeOf(%q) = %+v, want an error", arn, got)
		} else if _, ok := errors.AsType[*iam.ARNError](err); !ok {
			t.Errorf("ScopeOf(%q): %v, want an *ARNError", arn, err)
		}
	}
}

func TestScenario_B52_ThePartitionComesFromTheRegion(t *testing.T) {
	tests := map[string]string{
		"us-east-1":      "aws",
		"mx-central-1":   "aws",
		"il-central-1":   "aws",
		"ap-southeast-7": "aws",
		"cn-northwest-1": "aws-cn",
		"us-gov-west-1":  "aws-us-gov",
		"us-iso-west-1":  "aws-iso",
		"us-isob-west-1": "aws-iso-b",
		"eu-isoe-west-1": "aws-iso-e",
		"us-isof-east-1": "aws-iso-f",
		"eusc-de-east-1": "aws-eusc",
		"":               "",
		"us-east":        "",
		"US-EAST-1":      "",
		"*":              "",
		"us-east-1a":     "",
		"arn:aws:eks":    "",
	}
	for region, partition := range tests {
		if got := iam.PartitionOf(region); got != partition {
			t.Errorf("PartitionOf(%q) = %q, want %q", region, got, partition)
		}
		if partition == "" {
			continue
		}
		want := "arn:" + partition + ":iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
		if got := iam.ManagedPolicyARN(iam.PartitionOf(region)); got != want {
			t.Errorf("%s: got %s, want %s", region, got, want)
		}
	}
	for _, partition := range iam.Partitions() {
		if got := iam.PartitionOf(regions()[partition]); got != partition {
			t.Errorf("PartitionOf(%q) = %q, want %q", regions()[partition], got, partition)
		}
	}
}
