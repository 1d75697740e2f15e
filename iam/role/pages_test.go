// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam/role"
)

// circularIAM is an IAM whose list of policies never ends.
type circularIAM struct{ role.API }

func (circularIAM) ListAttachedRolePolicies(context.Context, *awsiam.ListAttachedRolePoliciesInput, ...func(*awsiam.Options)) (*awsiam.ListAttachedRolePoliciesOutput, error) {
	return &awsiam.ListAttachedRolePoliciesOutput{IsTruncated: true, Marker: aws.String("again")}, nil
}

// circularEKS is an EKS whose list of profiles never ends.
type circularEKS struct{ role.Profiles }

func (circularEKS) ListFargateProfiles(context.Context, *eks.ListFargateProfilesInput, ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return &eks.ListFargateProfilesOutput{NextToken: aws.String("again")}, nil
}

// A list that never ends is an error of its own, and nothing follows from it: the
// role is neither changed nor deleted.
func TestAListThatGoesRoundInACircle(t *testing.T) { synctest.Test(t, circles) }

func circles(t *testing.T) {
	c := fake.New(quick)
	if _, err := newRoles(c).Ensure(t.Context(), desiredRole()); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		op string
		do func() error
	}{
		"the policies": {"ListAttachedRolePolicies", func() error {
			_, err := role.New(circularIAM{c.IAM()}, ensuring(c)).Ensure(t.Context(), desiredRole())
			return err
		}},
		"the profiles": {"ListFargateProfiles", func() error {
			_, err := newRoles(c, func(o *role.Options) { o.Profiles = circularEKS{c.EKS()} }).Delete(t.Context(), desiredRole())
			return err
		}},
	}
	for name, tt := range tests {
		c.ForgetCalls()
		err := tt.do()
		e, ok := errors.AsType[*role.Error](err)
		if _, circle := errors.AsType[*role.RepeatedPageError](err); !ok || !circle || e.Op != tt.op || e.Retryable() {
			t.Errorf("%s: %v", name, err)
		}
		if writes := iamWrites(c); len(writes) > 0 {
			t.Errorf("%s: writes %v", name, writes)
		}
	}
}
