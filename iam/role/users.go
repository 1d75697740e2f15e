// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/awserr"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// users looks for profiles of the cluster that use the role, on every page of the
// list, until it finds one. A profile uses it until EKS no longer knows it. That
// nobody does is not believed elsewhere than where the cluster is: in another account
// or region there may be no such cluster, or another one.
func (c caller) users(ctx context.Context, d iam.DesiredRole) (iam.RoleUsers, error) {
	if c.options.Profiles == nil {
		return iam.RoleUsers{}, nil
	}
	want := placeOf(d.Scope)
	if err := c.agree("the client works", c.clientPlace(), want); err != nil {
		return iam.RoleUsers{}, err
	}
	names, err := c.profiles(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) {
		// No profile outlives its cluster.
		return iam.RoleUsers{Known: true}, c.confirmUnused(ctx, want)
	}
	if err != nil {
		return iam.RoleUsers{}, err
	}
	proven := false // that the calls land where the cluster is
	for _, name := range names {
		o, err := c.describe(ctx, name, want)
		switch {
		case err != nil:
			return iam.RoleUsers{}, err
		case o == nil:
		case c.isRole(o.Spec.PodExecutionRoleARN):
			return iam.RoleUsers{Known: true, Profiles: []string{name}}, nil
		default:
			_, told := fargate.PlaceOf(o.ARN)
			proven = proven || told
		}
	}
	if !proven {
		err = c.confirmUnused(ctx, want)
	}
	return iam.RoleUsers{Known: true}, err
}

func (c caller) profiles(ctx context.Context) ([]string, error) {
	var names []string
	const op = "ListFargateProfiles"
	err := c.pages(op, func(token *string) (*string, error) {
		out, err := call(ctx, c, op, func() (*eks.ListFargateProfilesOutput, error) {
			return c.options.Profiles.ListFargateProfiles(ctx, &eks.ListFargateProfilesInput{ClusterName: &c.cluster, NextToken: token})
		})
		if err != nil {
			return nil, err
		}
		names = append(names, out.FargateProfileNames...)
		return out.NextToken, nil
	})
	return names, err
}

// describe reads a profile of the cluster; nil means that it is gone by now.
func (c caller) describe(ctx context.Context, name string, want fargate.Place) (*fargate.Observed, error) {
	const op = "DescribeFargateProfile"
	out, err := call(ctx, c, op, func() (*eks.DescribeFargateProfileOutput, error) {
		return c.options.Profiles.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{ClusterName: &c.cluster, FargateProfileName: &name})
	})
	switch {
	case awserr.Is(err, awserr.ProfileNotFound):
		return nil, nil //nolint:nilnil // absent is an answer, not a failure
	case err != nil:
		return nil, err
	case out.FargateProfile == nil:
		return nil, c.failed(op, awscall.ErrEmptyAnswer)
	}
	o := sdkconv.Observed(out.FargateProfile)
	at, _ := fargate.PlaceOf(o.ARN)
	return &o, c.agree("the profile "+name+" is", at, want)
}

// isRole reports whether an ARN is that of the role. Paths are not compared, for a
// profile may name its role without it, and names without regard to case, as IAM
// does.
func (c caller) isRole(arn string) bool {
	return strings.EqualFold(arn[strings.LastIndexByte(arn, '/')+1:], c.role)
}
