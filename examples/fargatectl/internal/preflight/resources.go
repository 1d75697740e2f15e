// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/eksfargate/eksfargate/iam"
)

const (
	checkRole    = "role"
	checkSubnets = "subnets"
)

// lookAtRoles looks at each role once, for all profiles that use it.
func (r *run) lookAtRoles(ctx context.Context) {
	if r.Verify == nil {
		return
	}
	users := map[string][]string{}
	for _, d := range r.Desired {
		arn := d.Spec.PodExecutionRoleARN
		users[arn] = append(users[arn], d.Spec.Name)
	}
	for _, arn := range slices.Sorted(maps.Keys(users)) {
		if arn == "" && r.RoleMade {
			r.add(OK, checkRole, "", "a role is made for "+strings.Join(users[arn], ", "), "")
			continue
		}
		r.lookAtRole(ctx, arn, users[arn])
	}
}

func (r *run) lookAtRole(ctx context.Context, arn string, profiles []string) {
	report, err := r.Verify(ctx, iam.DesiredRole{Mode: iam.ModeVerify, ARN: arn, Scope: r.scope(arn), Profiles: profiles})
	switch {
	case err != nil:
		r.unreadable(checkRole, "", err, "iam:GetRole and iam:ListAttachedRolePolicies")
		return
	case report.Observed == nil:
		r.add(Error, checkRole, "", "the role "+arn+" does not exist", "create it, with the trust policy that fargatectl policy trust prints")
		return
	case report.Fit():
		r.add(OK, checkRole, "", "EKS can use the role "+arn+" for "+strings.Join(profiles, ", "), "")
	}
	for _, f := range report.Shortcomings {
		r.add(Error, checkRole, "", f.Message, f.Fix)
	}
	for _, f := range report.Warnings {
		r.add(Warning, checkRole, "", f.Message, f.Fix)
	}
}

// scope is the cluster, by its ARN where it could be read.
func (r *run) scope(roleARN string) iam.Scope {
	if r.cluster != nil {
		if s, err := iam.ScopeOf(aws.ToString(r.cluster.Arn)); err == nil {
			return s
		}
	}
	parsed, err := iam.ParseRoleARN(roleARN)
	if err != nil {
		return iam.Scope{Cluster: r.Cluster}
	}
	return iam.Scope{Partition: parsed.Partition, Account: parsed.Account, Region: cmp.Or(r.Region, "*"), Cluster: r.Cluster}
}

// lookAtSubnets compares with the subnets that the cluster names. EKS takes any
// private subnet of the VPC, which EKS and IAM alone do not tell.
func (r *run) lookAtSubnets() {
	if r.cluster == nil || r.cluster.ResourcesVpcConfig == nil {
		return
	}
	known := r.cluster.ResourcesVpcConfig.SubnetIds
	for _, d := range r.Desired {
		var strange []string
		for _, id := range d.Spec.Subnets {
			if !slices.Contains(known, id) {
				strange = append(strange, id)
			}
		}
		switch {
		case len(d.Spec.Subnets) == 0:
			r.add(OK, checkSubnets, d.Spec.Name, "AWS chooses among the private subnets of the cluster", "")
		case len(strange) == 0:
			r.add(OK, checkSubnets, d.Spec.Name, "the cluster knows the subnets; whether they are private can't be seen here", "")
		default:
			r.add(Warning, checkSubnets, d.Spec.Name, "the cluster does not name "+strings.Join(strange, ", "),
				"make sure that they are private subnets of "+aws.ToString(r.cluster.ResourcesVpcConfig.VpcId)+", in a zone that has Fargate")
		}
	}
}

// Failed reports whether there is an error among the findings.
func Failed(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Error })
}
