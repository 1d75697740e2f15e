// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/iam"
)

// AttachRolePolicy attaches a managed policy to a role.
func (i *IAM) AttachRolePolicy(
	ctx context.Context, in *iam.AttachRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.AttachRolePolicyOutput, error) {
	return invokeIAM[iam.AttachRolePolicyOutput](ctx, i, "AttachRolePolicy", in, optFns)
}

// DetachRolePolicy detaches a managed policy from a role.
func (i *IAM) DetachRolePolicy(
	ctx context.Context, in *iam.DetachRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.DetachRolePolicyOutput, error) {
	return invokeIAM[iam.DetachRolePolicyOutput](ctx, i, "DetachRolePolicy", in, optFns)
}

// ListAttachedRolePolicies returns a page of the managed policies of a role.
func (i *IAM) ListAttachedRolePolicies(
	ctx context.Context, in *iam.ListAttachedRolePoliciesInput, optFns ...func(*iam.Options),
) (*iam.ListAttachedRolePoliciesOutput, error) {
	return invokeIAM[iam.ListAttachedRolePoliciesOutput](ctx, i, "ListAttachedRolePolicies", in, optFns)
}

// PutRolePolicy sets an inline policy of a role.
func (i *IAM) PutRolePolicy(
	ctx context.Context, in *iam.PutRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.PutRolePolicyOutput, error) {
	return invokeIAM[iam.PutRolePolicyOutput](ctx, i, "PutRolePolicy", in, optFns)
}

// GetRolePolicy returns an inline policy of a role, URL-encoded, as in AWS.
func (i *IAM) GetRolePolicy(
	ctx context.Context, in *iam.GetRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.GetRolePolicyOutput, error) {
	return invokeIAM[iam.GetRolePolicyOutput](ctx, i, "GetRolePolicy", in, optFns)
}

// DeleteRolePolicy deletes an inline policy of a role.
func (i *IAM) DeleteRolePolicy(
	ctx context.Context, in *iam.DeleteRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.DeleteRolePolicyOutput, error) {
	return invokeIAM[iam.DeleteRolePolicyOutput](ctx, i, "DeleteRolePolicy", in, optFns)
}

// ListRolePolicies returns a page of the names of the inline policies of a role.
func (i *IAM) ListRolePolicies(
	ctx context.Context, in *iam.ListRolePoliciesInput, optFns ...func(*iam.Options),
) (*iam.ListRolePoliciesOutput, error) {
	return invokeIAM[iam.ListRolePoliciesOutput](ctx, i, "ListRolePolicies", in, optFns)
}

// CreatePolicy creates a managed policy of the account.
func (i *IAM) CreatePolicy(
	ctx context.Context, in *iam.CreatePolicyInput, optFns ...func(*iam.Options),
) (*iam.CreatePolicyOutput, error) {
	return invokeIAM[iam.CreatePolicyOutput](ctx, i, "CreatePolicy", in, optFns)
}

// GetPolicy returns a managed policy of the account or of AWS.
func (i *IAM) GetPolicy(
	ctx context.Context, in *iam.GetPolicyInput, optFns ...func(*iam.Options),
) (*iam.GetPolicyOutput, error) {
	return invokeIAM[iam.GetPolicyOutput](ctx, i, "GetPolicy", in, optFns)
}

// DeletePolicy deletes a managed policy that nothing uses.
func (i *IAM) DeletePolicy(
	ctx context.Context, in *iam.DeletePolicyInput, optFns ...func(*iam.Options),
) (*iam.DeletePolicyOutput, error) {
	return invokeIAM[iam.DeletePolicyOutput](ctx, i, "DeletePolicy", in, optFns)
}

// CreateInstanceProfile creates an instance profile.
func (i *IAM) CreateInstanceProfile(
	ctx context.Context, in *iam.CreateInstanceProfileInput, optFns ...func(*iam.Options),
) (*iam.CreateInstanceProfileOutput, error) {
	return invokeIAM[iam.CreateInstanceProfileOutput](ctx, i, "CreateInstanceProfile", in, optFns)
}

// DeleteInstanceProfile deletes an instance profile without a role.
func (i *IAM) DeleteInstanceProfile(
	ctx context.Context, in *iam.DeleteInstanceProfileInput, optFns ...func(*iam.Options),
) (*iam.DeleteInstanceProfileOutput, error) {
	return invokeIAM[iam.DeleteInstanceProfileOutput](ctx, i, "DeleteInstanceProfile", in, optFns)
}

// AddRoleToInstanceProfile puts a role into an instance profile.
func (i *IAM) AddRoleToInstanceProfile(
	ctx context.Context, in *iam.AddRoleToInstanceProfileInput, optFns ...func(*iam.Options),
) (*iam.AddRoleToInstanceProfileOutput, error) {
	return invokeIAM[iam.AddRoleToInstanceProfileOutput](ctx, i, "AddRoleToInstanceProfile", in, optFns)
}

// RemoveRoleFromInstanceProfile takes the role out of an instance profile.
func (i *IAM) RemoveRoleFromInstanceProfile(
	ctx context.Context, in *iam.RemoveRoleFromInstanceProfileInput, optFns ...func(*iam.Options),
) (*iam.RemoveRoleFromInstanceProfileOutput, error) {
	return invokeIAM[iam.RemoveRoleFromInstanceProfileOutput](ctx, i, "RemoveRoleFromInstanceProfile", in, optFns)
}

// ListInstanceProfilesForRole returns a page of the instance profiles that hold a role.
func (i *IAM) ListInstanceProfilesForRole(
	ctx context.Context, in *iam.ListInstanceProfilesForRoleInput, optFns ...func(*iam.Options),
) (*iam.ListInstanceProfilesForRoleOutput, error) {
	return invokeIAM[iam.ListInstanceProfilesForRoleOutput](ctx, i, "ListInstanceProfilesForRole", in, optFns)
}
