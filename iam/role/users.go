// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awserr"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// users looks for profiles of the cluster that use the role, on every page of the
// list, until it finds one. A profile uses it until EKS no longer knows it.
func (c caller) users(ctx context.Context, d iam.DesiredRole) (iam.RoleUsers, error) {
	if c.options.Profiles == nil {
		return iam.RoleUsers{}, nil
	}
	if err := c.checkRegion(d.Scope); err != nil {
		return iam.RoleUsers{}, err
	}
	names, err := c.profiles(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) {
		// No profile outlives its cluster.
		return iam.RoleUsers{Known: true}, nil
	}
	if err != nil {
		return iam.RoleUsers{}, err
	}
	for _, name := range names {
		used, err := c.uses(ctx, d, name)
		if err != nil {
			return iam.RoleUsers{}, err
		}
		if used {
			return iam.RoleUsers{Known: true, Profiles: []string{name}}, nil
		}
	}
	return iam.RoleUsers{Known: true}, nil
}

// checkRegion refuses to look for the users in another region than that of the
// cluster, as far as the client tells where it looks.
func (c caller) checkRegion(scope iam.Scope) error {
	region := clientRegion(c.options.Profiles)
	if region == "" || region == scope.Region {
		return nil
	}
	return c.misplaced(fmt.Sprintf("the client works in region %s, and the cluster is in %s", region, scope.Region))
}

func (c caller) misplaced(what string) error {
	return c.failed("looking for the users", fmt.Errorf("%s: use a client of the account and the region of the cluster", what))
}

// clientRegion is the region of a client that tells it.
func clientRegion(client any) string {
	if c, ok := client.(interface{ Options() eks.Options }); ok {
		return c.Options().Region
	}
	return ""
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

// uses reports whether a profile uses the role. Paths are not compared, for a
// profile may name its role without it, and names without regard to case, as IAM
// does.
func (c caller) uses(ctx context.Context, d iam.DesiredRole, name string) (bool, error) {
	out, err := call(ctx, c, "DescribeFargateProfile", func() (*eks.DescribeFargateProfileOutput, error) {
		return c.options.Profiles.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{ClusterName: &c.cluster, FargateProfileName: &name})
	})
	if awserr.Is(err, awserr.ProfileNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	o := sdkconv.Observed(out.FargateProfile)
	if place, ok := fargate.PlaceOf(o.ARN); ok && (place.Account != d.Scope.Account || place.Region != d.Scope.Region) {
		return false, c.misplaced(fmt.Sprintf("%s is a profile of account %s and region %s, and the cluster is in %s and %s",
			o.ARN, place.Account, place.Region, d.Scope.Account, d.Scope.Region))
	}
	role := o.Spec.PodExecutionRoleARN
	return strings.EqualFold(role[strings.LastIndexByte(role, '/')+1:], c.role), nil
}
