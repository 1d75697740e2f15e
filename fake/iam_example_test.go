// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// A role that was just made is not yet trusted by EKS: a create must be tried
// again.
func ExampleCloud_IAM() {
	ctx := context.Background()
	c := fake.New()
	role, _ := c.IAM().CreateRole(ctx, &iam.CreateRoleInput{
		RoleName: aws.String("pods"), AssumeRolePolicyDocument: aws.String(fake.PodTrust),
	})
	profile := exampleProfile(c, "web")
	profile.PodExecutionRoleArn = role.Role.Arn
	_, err := c.EKS().CreateFargateProfile(ctx, profile)
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		fmt.Println(api.ErrorMessage())
	}

	c.Advance(10 * time.Second)
	_, err = c.EKS().CreateFargateProfile(ctx, profile)
	fmt.Println(err)
	// Output:
	// Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal
	// <nil>
}

// A role goes only after its policies.
func ExampleIAM_DeleteRole() {
	ctx := context.Background()
	c := fake.New()
	role := aws.String(fake.RoleName)
	policy := aws.String("arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy")
	_, _ = c.IAM().AttachRolePolicy(ctx, &iam.AttachRolePolicyInput{RoleName: role, PolicyArn: policy})
	_, err := c.IAM().DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: role})
	if conflict, ok := errors.AsType[*iamtypes.DeleteConflictException](err); ok {
		fmt.Println(*conflict.Message)
	}

	_, _ = c.IAM().DetachRolePolicy(ctx, &iam.DetachRolePolicyInput{RoleName: role, PolicyArn: policy})
	_, err = c.IAM().DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: role})
	fmt.Println(err)
	// Output:
	// Cannot delete entity, must detach all policies first.
	// <nil>
}

// AssumeRole asks the role's trust document.
func ExampleCloud_STS() {
	ctx := context.Background()
	c := fake.New()
	deploy := c.AddRole("deploy", `{"Statement":{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole"}}`)
	for _, role := range []string{c.RoleARN(fake.RoleName), deploy} {
		out, err := c.STS().AssumeRole(ctx, &sts.AssumeRoleInput{RoleArn: &role, RoleSessionName: aws.String("ci")})
		if api, ok := errors.AsType[smithy.APIError](err); ok {
			fmt.Println(api.ErrorCode())
			continue
		}
		fmt.Println(*out.AssumedRoleUser.Arn)
	}
	// Output:
	// AccessDenied
	// arn:aws:sts::111122223333:assumed-role/deploy/ci
}
