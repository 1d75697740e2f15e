// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crashtest_test

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fake/crashtest"
)

const profileName = "web"

// controller keeps a role and a profile that uses it. Each life of it has its
// own faults, which the tests choose.
type controller struct {
	clients  crashtest.Clients
	roleName func() string
	takenOK  bool // an answer of "exists already" is good news
}

// careful is a controller without a fault.
func careful(clients crashtest.Clients) crashtest.Step {
	c := controller{clients: clients, roleName: func() string { return "web-pods" }, takenOK: true}
	return c.reconcile
}

func (c controller) reconcile(ctx context.Context) (time.Duration, error) {
	arn, err := c.ensureRole(ctx)
	if err != nil {
		return 0, err
	}
	out, err := c.clients.EKS.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
	})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return time.Minute, c.create(ctx, arn)
	}
	if err != nil {
		return 0, err
	}
	if out.FargateProfile.Status != types.FargateProfileStatusActive {
		return time.Minute, nil
	}
	return 0, nil
}

func (c controller) ensureRole(ctx context.Context) (string, error) {
	name := c.roleName()
	created, err := c.clients.IAM.CreateRole(ctx, &iam.CreateRoleInput{
		RoleName: &name, AssumeRolePolicyDocument: aws.String(fake.PodTrust),
	})
	if err == nil {
		return *created.Role.Arn, nil
	}
	if _, taken := errors.AsType[*iamtypes.EntityAlreadyExistsException](err); !taken || !c.takenOK {
		return "", err
	}
	got, err := c.clients.IAM.GetRole(ctx, &iam.GetRoleInput{RoleName: &name})
	if err != nil {
		return "", err
	}
	return *got.Role.Arn, nil
}

func (c controller) create(ctx context.Context, roleARN string) error {
	_, err := c.clients.EKS.CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
		PodExecutionRoleArn: &roleARN,
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	})
	return err
}
