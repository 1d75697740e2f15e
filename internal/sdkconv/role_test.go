// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package sdkconv_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

func TestObservedRole(t *testing.T) {
	trust := iam.TrustPolicy(iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"})
	got := sdkconv.ObservedRole(&types.Role{
		Arn: aws.String("arn:aws:iam::111122223333:role/r"), RoleId: aws.String("AROA1"), AssumeRolePolicyDocument: aws.String(trust.String()),
		Description: aws.String("pods"), MaxSessionDuration: aws.Int32(7200), Tags: []types.Tag{{Key: aws.String("a"), Value: aws.String("b")}},
		PermissionsBoundary: &types.AttachedPermissionsBoundary{PermissionsBoundaryArn: aws.String("arn:aws:iam::111122223333:policy/b")},
	})
	want := iam.ObservedRole{
		ARN: "arn:aws:iam::111122223333:role/r", ID: "AROA1", Trust: trust, Tags: map[string]string{"a": "b"},
		PermissionsBoundary: "arn:aws:iam::111122223333:policy/b", Description: "pods", MaxSession: 2 * time.Hour,
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(iam.Equivalent)); diff != "" {
		t.Errorf("ObservedRole() (-want +got):\n%s", diff)
	}
}

func TestObservedRole_SaysWhatItCannotRead(t *testing.T) {
	if got := sdkconv.ObservedRole(&types.Role{AssumeRolePolicyDocument: aws.String("{")}); got.TrustFault == "" {
		t.Errorf("ObservedRole() = %+v", got)
	}
	if got := sdkconv.ObservedRole(nil); got.ARN != "" || got.TrustFault != "" {
		t.Errorf("ObservedRole(nil) = %+v", got)
	}
}

func TestRoleInputs(t *testing.T) {
	full := iam.Call{
		RoleName: "r", Path: "/p/", Document: "{}", Description: "pods", PermissionsBoundary: "b", MaxSession: time.Hour,
		Tags: map[string]string{"b": "2", "a": "1"},
	}
	tags := []types.Tag{{Key: aws.String("a"), Value: aws.String("1")}, {Key: aws.String("b"), Value: aws.String("2")}}
	tests := map[string]struct{ got, want any }{
		"create": {sdkconv.CreateRoleInput(full), &awsiam.CreateRoleInput{
			RoleName: aws.String("r"), Path: aws.String("/p/"), AssumeRolePolicyDocument: aws.String("{}"), Description: aws.String("pods"),
			PermissionsBoundary: aws.String("b"), MaxSessionDuration: aws.Int32(3600), Tags: tags,
		}},
		"create with what is needed": {
			sdkconv.CreateRoleInput(iam.Call{RoleName: "r", Document: "{}"}),
			&awsiam.CreateRoleInput{RoleName: aws.String("r"), AssumeRolePolicyDocument: aws.String("{}")},
		},
		"update, where an empty description is one": {
			sdkconv.UpdateRoleInput(iam.Call{RoleName: "r", MaxSession: time.Hour}),
			&awsiam.UpdateRoleInput{RoleName: aws.String("r"), Description: aws.String(""), MaxSessionDuration: aws.Int32(3600)},
		},
		"tag": {sdkconv.TagRoleInput(full), &awsiam.TagRoleInput{RoleName: aws.String("r"), Tags: tags}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ignore := cmpopts.IgnoreUnexported(awsiam.CreateRoleInput{}, awsiam.UpdateRoleInput{}, awsiam.TagRoleInput{}, types.Tag{})
			if diff := cmp.Diff(tt.want, tt.got, ignore); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}
