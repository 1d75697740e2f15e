// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
)

// API is what is called of IAM. *iam.Client of the SDK satisfies it as it is.
type API interface {
	GetRole(ctx context.Context, in *awsiam.GetRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.GetRoleOutput, error)
	ListAttachedRolePolicies(ctx context.Context, in *awsiam.ListAttachedRolePoliciesInput, optFns ...func(*awsiam.Options)) (*awsiam.ListAttachedRolePoliciesOutput, error)
	ListRolePolicies(ctx context.Context, in *awsiam.ListRolePoliciesInput, optFns ...func(*awsiam.Options)) (*awsiam.ListRolePoliciesOutput, error)
	GetRolePolicy(ctx context.Context, in *awsiam.GetRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.GetRolePolicyOutput, error)
	ListInstanceProfilesForRole(ctx context.Context, in *awsiam.ListInstanceProfilesForRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.ListInstanceProfilesForRoleOutput, error)

	CreateRole(ctx context.Context, in *awsiam.CreateRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.CreateRoleOutput, error)
	UpdateRole(ctx context.Context, in *awsiam.UpdateRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.UpdateRoleOutput, error)
	UpdateAssumeRolePolicy(ctx context.Context, in *awsiam.UpdateAssumeRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.UpdateAssumeRolePolicyOutput, error)
	AttachRolePolicy(ctx context.Context, in *awsiam.AttachRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.AttachRolePolicyOutput, error)
	PutRolePolicy(ctx context.Context, in *awsiam.PutRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.PutRolePolicyOutput, error)
	PutRolePermissionsBoundary(ctx context.Context, in *awsiam.PutRolePermissionsBoundaryInput, optFns ...func(*awsiam.Options)) (*awsiam.PutRolePermissionsBoundaryOutput, error)
	TagRole(ctx context.Context, in *awsiam.TagRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.TagRoleOutput, error)
	UntagRole(ctx context.Context, in *awsiam.UntagRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.UntagRoleOutput, error)

	DetachRolePolicy(ctx context.Context, in *awsiam.DetachRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.DetachRolePolicyOutput, error)
	DeleteRolePolicy(ctx context.Context, in *awsiam.DeleteRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.DeleteRolePolicyOutput, error)
	RemoveRoleFromInstanceProfile(ctx context.Context, in *awsiam.RemoveRoleFromInstanceProfileInput, optFns ...func(*awsiam.Options)) (*awsiam.RemoveRoleFromInstanceProfileOutput, error)
	DeleteRole(ctx context.Context, in *awsiam.DeleteRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.DeleteRoleOutput, error)
}

// Profiles is how the profiles are found that still use a role. *eks.Client
// satisfies it as it is. It must call EKS in the account and the region of the
// cluster: as far as the client, the ARNs of profiles and [Options].Identity tell,
// that is checked.
type Profiles interface {
	ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, optFns ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error)
	DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, optFns ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error)
}

var (
	_ API      = (*awsiam.Client)(nil)
	_ Profiles = (*eks.Client)(nil)
)
