// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/iam"
)

// Who uses a role elsewhere can't be seen from one cluster, so that a role stays
// whose trust policy lets in profiles of any other.
func TestARoleThatAnotherClusterMayUseIsKept(t *testing.T) {
	tests := map[string]struct {
		source string
		kept   bool
	}{
		"this cluster alone":                       {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*", false},
		"one profile of this cluster":              {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/*", false},
		"another cluster":                          {"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*", true},
		"any cluster":                              {"arn:aws:eks:us-east-1:111122223333:fargateprofile/*", true},
		"clusters that begin with the name":        {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo*/*", true},
		"clusters of names that are as long":       {"arn:aws:eks:us-east-1:111122223333:fargateprofile/dem?/*", true},
		"a cluster of this name in any region":     {"arn:aws:eks:*:111122223333:fargateprofile/demo/*", true},
		"a cluster of this name in any account":    {"arn:aws:eks:us-east-1:*:fargateprofile/demo/*", true},
		"a cluster of this name in another region": {"arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/*", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := iam.DecideRole(iam.RoleInput{
				Desired: desired(mode(iam.ModeDelete)), Users: iam.RoleUsers{Known: true}, Now: now,
				Observed: observed(trusting(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"sts:AssumeRole",
					"Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Condition":{"ArnLike":{"aws:SourceArn":"` + tt.source + `"}}}}`)),
			})
			if kept := d.Reason == iam.ReasonRoleOfOtherCluster && d.Call == nil; kept != tt.kept {
				t.Errorf("%s %s: %s", d.Action, d.Reason, d.Message)
			}
		})
	}
}
