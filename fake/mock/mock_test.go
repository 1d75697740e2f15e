// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package mock_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"go.uber.org/mock/gomock"

	"github.com/eksfargate/eksfargate/fake/mock"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// The order of the calls of a step is what only a mock can hold: the names are
// asked for before the list, and the role is prepared before the create.
func TestOrderOfTheCallsOfACreate(t *testing.T) {
	ctrl := gomock.NewController(t)
	api, roles := mock.NewLifecycleAPI(ctrl), mock.NewLifecycleRoles(ctrl)
	notFound := &types.ResourceNotFoundException{Message: new("No Fargate Profile found with name: web.")}
	gomock.InOrder(
		api.EXPECT().DescribeFargateProfile(gomock.Any(), gomock.Any()).Return(nil, notFound),
		api.EXPECT().ListFargateProfiles(gomock.Any(), gomock.Any()).Return(&eks.ListFargateProfilesOutput{}, nil),
		roles.EXPECT().Prepare(gomock.Any(), gomock.Any(), "web").Return(fargate.Role{Trust: fargate.TrustGiven}, nil),
		api.EXPECT().CreateFargateProfile(gomock.Any(), gomock.Any()).Return(&eks.CreateFargateProfileOutput{
			FargateProfile: &types.FargateProfile{FargateProfileName: new("web"), Status: types.FargateProfileStatusCreating},
		}, nil),
	)
	desired := fargate.Desired{
		Spec: fargate.Spec{
			ClusterName: "demo", Name: "web", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
			Selectors: []selector.Selector{{Namespace: "web"}},
		},
		Owner: fargate.Owner{ID: "platform/prod/web"},
	}
	r := lifecycle.New(api, func(o *lifecycle.Options) { o.Roles = roles })
	out, err := r.Step(t.Context(), desired, fargate.Memory{})
	if err != nil || out.Action != fargate.ActionCreate || out.Memory.Physical != "web" {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}

// Before a role is deleted it is read once more after the profiles are listed, so
// that a writer who takes the mark off meanwhile is seen.
func TestOrderOfTheLooksBeforeADeletion(t *testing.T) {
	ctrl := gomock.NewController(t)
	api, profiles := mock.NewRoleAPI(ctrl), mock.NewRoleProfiles(ctrl)
	scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
	found := func(tags ...iamtypes.Tag) *awsiam.GetRoleOutput {
		return &awsiam.GetRoleOutput{Role: &iamtypes.Role{
			Arn: new("arn:aws:iam::111122223333:role/r"), AssumeRolePolicyDocument: new(iam.TrustPolicy(scope).String()), Tags: tags,
		}}
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ours := iamtypes.Tag{Key: new(owner.Key("me")), Value: new("me")}
	mark := iamtypes.Tag{Key: new(iam.DeletingTag), Value: new(now.Add(-time.Hour).Format(time.RFC3339))}
	gomock.InOrder(
		api.EXPECT().GetRole(gomock.Any(), gomock.Any()).Return(found(ours, mark), nil),
		profiles.EXPECT().ListFargateProfiles(gomock.Any(), gomock.Any()).Return(&eks.ListFargateProfilesOutput{}, nil),
		api.EXPECT().GetRole(gomock.Any(), gomock.Any()).Return(found(ours), nil),
		api.EXPECT().ListAttachedRolePolicies(gomock.Any(), gomock.Any()).Return(&awsiam.ListAttachedRolePoliciesOutput{}, nil),
		api.EXPECT().ListRolePolicies(gomock.Any(), gomock.Any()).Return(&awsiam.ListRolePoliciesOutput{}, nil),
		api.EXPECT().ListInstanceProfilesForRole(gomock.Any(), gomock.Any()).Return(&awsiam.ListInstanceProfilesForRoleOutput{}, nil),
		api.EXPECT().TagRole(gomock.Any(), gomock.Any()).Return(&awsiam.TagRoleOutput{}, nil),
	)
	roles := role.New(api, func(o *role.Options) { o.Profiles, o.Now = profiles, func() time.Time { return now } })
	out, err := roles.Step(t.Context(), iam.DesiredRole{Mode: iam.ModeDelete, Name: "r", Owner: "me", Scope: scope}, iam.RoleMemory{})
	if err != nil || out.Reason != iam.ReasonDeletionAnnounced {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}
