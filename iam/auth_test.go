// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

var pathRole = iam.RoleARN{Partition: "aws", Account: "111122223333", Path: "/teams/net/", Name: "fp-exec"}

func TestScenario_B61_TheRowOfAWSAuth(t *testing.T) {
	golden(t, "aws-auth.yaml", iam.AuthMapping(pathRole).YAML())
}

func TestAccessEntryFor_NamesTheFullARN(t *testing.T) {
	want := iam.AccessEntry{
		ClusterName:  "demo",
		PrincipalARN: "arn:aws:iam::111122223333:role/teams/net/fp-exec",
		Type:         "FARGATE_LINUX",
		Username:     "system:node:{{SessionName}}",
	}
	if diff := cmp.Diff(want, iam.AccessEntryFor("demo", pathRole)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
