// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam/role"
)

// muteEKS and muteIAM answer with success and nothing, as a proxy may.
type muteEKS struct{ role.Profiles }

func (muteEKS) ListFargateProfiles(context.Context, *eks.ListFargateProfilesInput, ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return &eks.ListFargateProfilesOutput{FargateProfileNames: []string{"web"}}, nil
}

func (muteEKS) DescribeFargateProfile(context.Context, *eks.DescribeFargateProfileInput, ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	return &eks.DescribeFargateProfileOutput{}, nil
}

type muteIAM struct{ role.API }

func (muteIAM) GetRole(context.Context, *awsiam.GetRoleInput, ...func(*awsiam.Options)) (*awsiam.GetRoleOutput, error) {
	return &awsiam.GetRoleOutput{}, nil
}

// A profile of which nothing is told may use the role, and a role of which nothing is
// told may be ours: neither is changed or deleted.
func TestAnEmptyAnswerSaysNothing(t *testing.T) { synctest.Test(t, emptyAnswers) }

func emptyAnswers(t *testing.T) {
	c := fake.New(quick)
	if _, err := newRoles(c).Ensure(t.Context(), desiredRole()); err != nil {
		t.Fatal(err)
	}
	c.ForgetCalls()
	_, deleted := newRoles(c, func(o *role.Options) { o.Profiles = muteEKS{c.EKS()} }).Delete(t.Context(), desiredRole())
	_, ensured := role.New(muteIAM{c.IAM()}, ensuring(c)).Ensure(t.Context(), desiredRole())
	for op, err := range map[string]error{"DescribeFargateProfile": deleted, "GetRole": ensured} {
		if e, ok := errors.AsType[*role.Error](err); !ok || e.Op != op {
			t.Errorf("%s: %v", op, err)
		}
	}
	if writes := iamWrites(c); len(writes) > 0 {
		t.Errorf("writes %v", writes)
	}
}
