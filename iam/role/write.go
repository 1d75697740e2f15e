// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"fmt"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// write makes the one call of a decision.
func (c caller) write(ctx context.Context, w iam.Call) error {
	do, ok := additions()[w.Operation]
	if !ok {
		do, ok = removals()[w.Operation]
	}
	if !ok {
		return c.failed("deciding", fmt.Errorf("unknown operation %q", w.Operation))
	}
	_, err := call(ctx, c, string(w.Operation), func() (*struct{}, error) { return &struct{}{}, do(ctx, c.api, w) })
	return err
}

type write func(ctx context.Context, api API, w iam.Call) error

// additions are the writes of a role that is wanted.
func additions() map[iam.Operation]write {
	return map[iam.Operation]write{
		iam.OpCreateRole: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.CreateRole(ctx, sdkconv.CreateRoleInput(w))
			return err
		},
		iam.OpUpdateRole: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.UpdateRole(ctx, sdkconv.UpdateRoleInput(w))
			return err
		},
		iam.OpUpdateAssumeRolePolicy: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.UpdateAssumeRolePolicy(ctx, &awsiam.UpdateAssumeRolePolicyInput{RoleName: &w.RoleName, PolicyDocument: &w.Document})
			return err
		},
		iam.OpAttachRolePolicy: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.AttachRolePolicy(ctx, &awsiam.AttachRolePolicyInput{RoleName: &w.RoleName, PolicyArn: &w.PolicyARN})
			return err
		},
		iam.OpPutRolePolicy: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.PutRolePolicy(ctx, &awsiam.PutRolePolicyInput{RoleName: &w.RoleName, PolicyName: &w.PolicyName, PolicyDocument: &w.Document})
			return err
		},
		iam.OpPutRolePermissionsBoundary: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.PutRolePermissionsBoundary(ctx, &awsiam.PutRolePermissionsBoundaryInput{RoleName: &w.RoleName, PermissionsBoundary: &w.PermissionsBoundary})
			return err
		},
		iam.OpTagRole: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.TagRole(ctx, sdkconv.TagRoleInput(w))
			return err
		},
		iam.OpUntagRole: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.UntagRole(ctx, &awsiam.UntagRoleInput{RoleName: &w.RoleName, TagKeys: w.TagKeys})
			return err
		},
	}
}

// removals are the writes of a role that goes.
func removals() map[iam.Operation]write {
	return map[iam.Operation]write{
		iam.OpDetachRolePolicy: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.DetachRolePolicy(ctx, &awsiam.DetachRolePolicyInput{RoleName: &w.RoleName, PolicyArn: &w.PolicyARN})
			return err
		},
		iam.OpDeleteRolePolicy: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.DeleteRolePolicy(ctx, &awsiam.DeleteRolePolicyInput{RoleName: &w.RoleName, PolicyName: &w.PolicyName})
			return err
		},
		iam.OpRemoveRoleFromInstanceProfile: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.RemoveRoleFromInstanceProfile(ctx, &awsiam.RemoveRoleFromInstanceProfileInput{RoleName: &w.RoleName, InstanceProfileName: &w.InstanceProfile})
			return err
		},
		iam.OpDeleteRole: func(ctx context.Context, api API, w iam.Call) error {
			_, err := api.DeleteRole(ctx, &awsiam.DeleteRoleInput{RoleName: &w.RoleName})
			return err
		},
	}
}
