// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package mock_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"go.uber.org/mock/gomock"

	"github.com/eksfargate/eksfargate/fake/mock"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
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
