// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
)

// API is what the reconciler calls. *eks.Client satisfies it as it is.
type API interface {
	CreateFargateProfile(ctx context.Context, in *eks.CreateFargateProfileInput, optFns ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error)
	DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, optFns ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error)
	ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, optFns ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error)
	DeleteFargateProfile(ctx context.Context, in *eks.DeleteFargateProfileInput, optFns ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error)
	TagResource(ctx context.Context, in *eks.TagResourceInput, optFns ...func(*eks.Options)) (*eks.TagResourceOutput, error)
	UntagResource(ctx context.Context, in *eks.UntagResourceInput, optFns ...func(*eks.Options)) (*eks.UntagResourceOutput, error)
}

var _ API = (*eks.Client)(nil)

// Roles prepares and retires the pod execution role of a profile. Each method
// makes at most one write; after a write, the Role that it returns says Wait.
type Roles interface {
	// Prepare brings the role into a state in which EKS can create the profile of
	// the physical name, or says what is missing.
	Prepare(ctx context.Context, desired fargate.Desired, profile string) (fargate.Role, error)
	// Retire takes the role away after the profile is gone. Role.Wait says that it is
	// not done yet; a role that is not ours, or is still in use, is left alone.
	Retire(ctx context.Context, desired fargate.Desired) (fargate.Role, error)
}

// RoleLooker is what plans and previews ask of [Options.Roles], where it has it.
// Without it they say that the role is not checked.
type RoleLooker interface {
	// Look says what Prepare would say, and writes nothing. Wait says that Prepare
	// would change the role first.
	Look(ctx context.Context, desired fargate.Desired, profile string) (fargate.Role, error)
}
