// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// In some histories profiles name no role, and the reconcilers make one for each
// profile, mend it, and take it away after the profile.

func (p *process) newRoles() *role.Roles {
	return role.New(iamOf{nil, p}, func(o *role.Options) {
		o.Mode, o.PerProfile, o.Now, o.Profiles = iam.ModeEnsure, true, p.h.cloud.Now, usersOf{p}
		o.Role.Scope = iam.Scope{Region: region, Account: account}
		o.Identity = func(context.Context) (fargate.Place, error) {
			return fargate.Place{Partition: "aws", Account: account, Region: region}, nil
		}
	})
}

const (
	region  = "us-east-1"
	account = "111122223333"
)

// ownRole is the name of the role of an object.
func (o *object) ownRole() string {
	return iam.RoleName(iam.RoleIdentity{Partition: "aws", Account: account, Region: region, Cluster: o.cluster, Profile: o.name})
}

func uses(p *types.FargateProfile, role string) bool {
	return p != nil && strings.HasSuffix(aws.ToString(p.PodExecutionRoleArn), "/"+role)
}

// usersOf are the looks of a process for profiles that use a role.
type usersOf struct{ p *process }

func (u usersOf) ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, _ ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return through(u.p, "ListFargateProfiles", func() (*eks.ListFargateProfilesOutput, error) { return u.p.h.eks.ListFargateProfiles(ctx, in) }, "for users")
}

func (u usersOf) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	out, err := through(u.p, "DescribeFargateProfile", func() (*eks.DescribeFargateProfileOutput, error) { return u.p.h.eks.DescribeFargateProfile(ctx, in) }, "for users")
	if err == nil && uses(out.FargateProfile, u.p.step.object.ownRole()) {
		u.p.step.user = *in.FargateProfileName
	}
	return out, err
}

// iamOf are the calls to IAM of a process: those that a role of ours needs.
type iamOf struct {
	role.API
	p *process
}

type iamCall[I, O any] func(context.Context, *I, ...func(*awsiam.Options)) (*O, error)

func readRole[I, O any](ctx context.Context, p *process, op string, do iamCall[I, O], in *I) (*O, error) {
	out, err := through(p, op, func() (*O, error) { return do(ctx, in) }, "")
	if err != nil && lifecycle.Classify(err).Kind != lifecycle.FaultNoSuchEntity {
		p.step.failed = op
	}
	return out, err
}

func writeRole[I, O any](ctx context.Context, p *process, op string, do iamCall[I, O], in *I, name *string) (*O, error) {
	p.h.judgeRole(ctx, p.step, op, aws.ToString(name))
	return write(ctx, p, op, func() (*O, error) { return do(ctx, in) }, aws.ToString(name))
}

func (a iamOf) GetRole(ctx context.Context, in *awsiam.GetRoleInput, _ ...func(*awsiam.Options)) (*awsiam.GetRoleOutput, error) {
	return readRole(ctx, a.p, "GetRole", a.p.h.iam.GetRole, in)
}

func (a iamOf) ListAttachedRolePolicies(ctx context.Context, in *awsiam.ListAttachedRolePoliciesInput, _ ...func(*awsiam.Options)) (*awsiam.ListAttachedRolePoliciesOutput, error) {
	return readRole(ctx, a.p, "ListAttachedRolePolicies", a.p.h.iam.ListAttachedRolePolicies, in)
}

func (a iamOf) ListRolePolicies(ctx context.Context, in *awsiam.ListRolePoliciesInput, _ ...func(*awsiam.Options)) (*awsiam.ListRolePoliciesOutput, error) {
	return readRole(ctx, a.p, "ListRolePolicies", a.p.h.iam.ListRolePolicies, in)
}

func (a iamOf) ListInstanceProfilesForRole(ctx context.Context, in *awsiam.ListInstanceProfilesForRoleInput, _ ...func(*awsiam.Options)) (*awsiam.ListInstanceProfilesForRoleOutput, error) {
	return readRole(ctx, a.p, "ListInstanceProfilesForRole", a.p.h.iam.ListInstanceProfilesForRole, in)
}

func (a iamOf) CreateRole(ctx context.Context, in *awsiam.CreateRoleInput, _ ...func(*awsiam.Options)) (*awsiam.CreateRoleOutput, error) {
	return writeRole(ctx, a.p, "CreateRole", a.p.h.iam.CreateRole, in, in.RoleName)
}

func (a iamOf) UpdateAssumeRolePolicy(ctx context.Context, in *awsiam.UpdateAssumeRolePolicyInput, _ ...func(*awsiam.Options)) (*awsiam.UpdateAssumeRolePolicyOutput, error) {
	return writeRole(ctx, a.p, "UpdateAssumeRolePolicy", a.p.h.iam.UpdateAssumeRolePolicy, in, in.RoleName)
}

func (a iamOf) AttachRolePolicy(ctx context.Context, in *awsiam.AttachRolePolicyInput, _ ...func(*awsiam.Options)) (*awsiam.AttachRolePolicyOutput, error) {
	return writeRole(ctx, a.p, "AttachRolePolicy", a.p.h.iam.AttachRolePolicy, in, in.RoleName)
}

func (a iamOf) TagRole(ctx context.Context, in *awsiam.TagRoleInput, _ ...func(*awsiam.Options)) (*awsiam.TagRoleOutput, error) {
	return writeRole(ctx, a.p, "TagRole", a.p.h.iam.TagRole, in, in.RoleName)
}

func (a iamOf) UntagRole(ctx context.Context, in *awsiam.UntagRoleInput, _ ...func(*awsiam.Options)) (*awsiam.UntagRoleOutput, error) {
	return writeRole(ctx, a.p, "UntagRole", a.p.h.iam.UntagRole, in, in.RoleName)
}

func (a iamOf) DetachRolePolicy(ctx context.Context, in *awsiam.DetachRolePolicyInput, _ ...func(*awsiam.Options)) (*awsiam.DetachRolePolicyOutput, error) {
	return writeRole(ctx, a.p, "DetachRolePolicy", a.p.h.iam.DetachRolePolicy, in, in.RoleName)
}

func (a iamOf) DeleteRole(ctx context.Context, in *awsiam.DeleteRoleInput, _ ...func(*awsiam.Options)) (*awsiam.DeleteRoleOutput, error) {
	return writeRole(ctx, a.p, "DeleteRole", a.p.h.iam.DeleteRole, in, in.RoleName)
}

// judgeRole judges a write to a role: only to our own, and no end of one that the step
// saw in use, or that somebody uses while nothing else happens.
func (h *history) judgeRole(ctx context.Context, s *stepping, op, name string) {
	if name != s.object.ownRole() {
		h.breaks(ruleOwner, "%s: %s of role %s", s.object, op, name)
	}
	if op != "DetachRolePolicy" && op != "DeleteRole" {
		return
	}
	if !s.wish.absent || s.user != "" {
		h.breaks(ruleRole, "%s: %s of role %s; the profile is not desired: %v, user %q", s.object, op, name, s.wish.absent, s.user)
	}
	if !s.stale && h.changes == s.begun && h.inUse(ctx, s.object) {
		h.breaks(ruleRole, "%s: %s of role %s, which is in use", s.object, op, name)
	}
}

// inUse reports whether a profile uses the role of the object.
func (h *history) inUse(ctx context.Context, o *object) bool {
	for _, p := range h.viewIn(ctx, o.cluster) {
		if uses(p, o.ownRole()) {
			return true
		}
	}
	return false
}

// judgeRolesLeft judges the end: the roles of others are as they were, and the role of
// an object is there as long as it is wanted. What is blocked keeps its role until it
// is free.
func (h *history) judgeRolesLeft(free bool) {
	for _, name := range []string{fake.RoleName, otherRole} {
		out, err := h.iam.GetRole(context.Background(), &awsiam.GetRoleInput{RoleName: &name})
		if err != nil || len(out.Role.Tags) > 0 {
			h.breaks(ruleOwner, "the role %s of others: %v, %v", name, out, err)
		}
	}
	for _, o := range h.objects {
		out, err := h.iam.GetRole(context.Background(), &awsiam.GetRoleInput{RoleName: aws.String(o.ownRole())})
		ours := err == nil && slices.ContainsFunc(out.Role.Tags, func(t iamtypes.Tag) bool { return *t.Value == o.owner })
		if free && o.wish.absent && o.wish.Spec.PodExecutionRoleARN == "" && ours && !h.inUse(context.Background(), o) {
			h.breaks(ruleLeftOver, "the role of %s is left over", o)
		}
		if err != nil && h.inUse(context.Background(), o) {
			h.breaks(ruleRole, "the role of %s is gone, and in use", o)
		}
	}
}

// drawRole draws what a user names as the role: nothing where one is made. A rival
// brings his own, for the one that would be made has the name of the other's.
func (h *history) drawRole(o *object) string {
	if h.roles && !o.rival && h.chance(0.7) {
		return ""
	}
	return h.cloud.RoleARN(pick(h, fake.RoleName, otherRole))
}

// sameRole reports whether a profile has the role that is desired: any, where none is
// named.
func sameRole(d fargate.Desired, p *types.FargateProfile) bool {
	return d.Spec.PodExecutionRoleARN == "" || d.Spec.PodExecutionRoleARN == aws.ToString(p.PodExecutionRoleArn)
}
