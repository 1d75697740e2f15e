// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/iam"
)

// IAM is a client with the methods of *iam.Client that the Cloud implements, to
// be used in its place where code takes an interface. It is to IAM what EKS is
// to EKS: one attempt, no wire, no credentials.
type IAM struct {
	cloud  *Cloud
	caller Caller
}

// IAM returns a client for the Cloud's account, or for the caller that the
// options describe. Per-call options of the SDK may change the region, and with
// it the partition; they have no other effect.
func (c *Cloud) IAM(optFns ...func(*Caller)) *IAM {
	var caller Caller
	for _, fn := range optFns {
		fn(&caller)
	}
	return &IAM{cloud: c, caller: c.resolve(caller)}
}

// invokeIAM makes one call. The table of operations ties each name to its types.
func invokeIAM[O, I any](
	ctx context.Context, i *IAM, name string, in *I, optFns []func(*iam.Options),
) (*O, error) {
	if in == nil {
		in = new(I)
	}
	options := iam.Options{Region: i.caller.Region}
	for _, fn := range optFns {
		fn(&options)
	}
	caller := i.caller
	caller.Region = options.Region
	op := i.cloud.operations[operationKey(serviceIAM, name)]
	output, err := i.cloud.invoke(ctx, caller, op, in, iamError)
	if err != nil {
		return nil, err
	}
	return output.(*O), nil
}

// CreateRole creates a role.
func (i *IAM) CreateRole(
	ctx context.Context, in *iam.CreateRoleInput, optFns ...func(*iam.Options),
) (*iam.CreateRoleOutput, error) {
	return invokeIAM[iam.CreateRoleOutput](ctx, i, "CreateRole", in, optFns)
}

// GetRole returns a role. Its trust document is URL-encoded, as in AWS.
func (i *IAM) GetRole(
	ctx context.Context, in *iam.GetRoleInput, optFns ...func(*iam.Options),
) (*iam.GetRoleOutput, error) {
	return invokeIAM[iam.GetRoleOutput](ctx, i, "GetRole", in, optFns)
}

// ListRoles returns a page of the roles of the account.
func (i *IAM) ListRoles(
	ctx context.Context, in *iam.ListRolesInput, optFns ...func(*iam.Options),
) (*iam.ListRolesOutput, error) {
	return invokeIAM[iam.ListRolesOutput](ctx, i, "ListRoles", in, optFns)
}

// DeleteRole deletes a role that has no policies and is in no instance profile.
func (i *IAM) DeleteRole(
	ctx context.Context, in *iam.DeleteRoleInput, optFns ...func(*iam.Options),
) (*iam.DeleteRoleOutput, error) {
	return invokeIAM[iam.DeleteRoleOutput](ctx, i, "DeleteRole", in, optFns)
}

// UpdateRole changes description and session limit of a role.
func (i *IAM) UpdateRole(
	ctx context.Context, in *iam.UpdateRoleInput, optFns ...func(*iam.Options),
) (*iam.UpdateRoleOutput, error) {
	return invokeIAM[iam.UpdateRoleOutput](ctx, i, "UpdateRole", in, optFns)
}

// UpdateRoleDescription changes the description of a role.
func (i *IAM) UpdateRoleDescription(
	ctx context.Context, in *iam.UpdateRoleDescriptionInput, optFns ...func(*iam.Options),
) (*iam.UpdateRoleDescriptionOutput, error) {
	return invokeIAM[iam.UpdateRoleDescriptionOutput](ctx, i, "UpdateRoleDescription", in, optFns)
}

// UpdateAssumeRolePolicy replaces the trust document of a role.
func (i *IAM) UpdateAssumeRolePolicy(
	ctx context.Context, in *iam.UpdateAssumeRolePolicyInput, optFns ...func(*iam.Options),
) (*iam.UpdateAssumeRolePolicyOutput, error) {
	return invokeIAM[iam.UpdateAssumeRolePolicyOutput](ctx, i, "UpdateAssumeRolePolicy", in, optFns)
}

// PutRolePermissionsBoundary sets the policy that limits a role.
func (i *IAM) PutRolePermissionsBoundary(
	ctx context.Context, in *iam.PutRolePermissionsBoundaryInput, optFns ...func(*iam.Options),
) (*iam.PutRolePermissionsBoundaryOutput, error) {
	return invokeIAM[iam.PutRolePermissionsBoundaryOutput](ctx, i, "PutRolePermissionsBoundary", in, optFns)
}

// DeleteRolePermissionsBoundary removes the limit of a role.
func (i *IAM) DeleteRolePermissionsBoundary(
	ctx context.Context, in *iam.DeleteRolePermissionsBoundaryInput, optFns ...func(*iam.Options),
) (*iam.DeleteRolePermissionsBoundaryOutput, error) {
	return invokeIAM[iam.DeleteRolePermissionsBoundaryOutput](ctx, i, "DeleteRolePermissionsBoundary", in, optFns)
}

// CreateServiceLinkedRole creates the role that a service owns.
func (i *IAM) CreateServiceLinkedRole(
	ctx context.Context, in *iam.CreateServiceLinkedRoleInput, optFns ...func(*iam.Options),
) (*iam.CreateServiceLinkedRoleOutput, error) {
	return invokeIAM[iam.CreateServiceLinkedRoleOutput](ctx, i, "CreateServiceLinkedRole", in, optFns)
}

// TagRole sets tags of a role.
func (i *IAM) TagRole(
	ctx context.Context, in *iam.TagRoleInput, optFns ...func(*iam.Options),
) (*iam.TagRoleOutput, error) {
	return invokeIAM[iam.TagRoleOutput](ctx, i, "TagRole", in, optFns)
}

// UntagRole removes tags of a role.
func (i *IAM) UntagRole(
	ctx context.Context, in *iam.UntagRoleInput, optFns ...func(*iam.Options),
) (*iam.UntagRoleOutput, error) {
	return invokeIAM[iam.UntagRoleOutput](ctx, i, "UntagRole", in, optFns)
}

// ListRoleTags returns a page of the tags of a role.
func (i *IAM) ListRoleTags(
	ctx context.Context, in *iam.ListRoleTagsInput, optFns ...func(*iam.Options),
) (*iam.ListRoleTagsOutput, error) {
	return invokeIAM[iam.ListRoleTagsOutput](ctx, i, "ListRoleTags", in, optFns)
}
