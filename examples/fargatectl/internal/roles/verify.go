// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package roles

import (
	"context"
	"fmt"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
)

// Verifier says before a create whether EKS can assume the role. It is a
// lifecycle.Roles that brings no role of its own: the profile must name one.
type Verifier struct {
	api    API
	region string
}

var _ lifecycle.Roles = (*Verifier)(nil)

// NewVerifier returns a Verifier for clusters of a region.
func NewVerifier(api API, region string) *Verifier { return &Verifier{api, region} }

// Prepare reads the role of the profile and evaluates its trust policy. A role that
// can't be read for lack of permission is no obstacle: EKS decides then.
func (v *Verifier) Prepare(ctx context.Context, desired fargate.Desired, profile string) (fargate.Role, error) {
	arn := desired.Spec.PodExecutionRoleARN
	parsed, err := iam.ParseRoleARN(arn)
	if err != nil {
		return fargate.Role{Blocked: true, Message: err.Error()}, nil //nolint:nilerr // what is wrong with a role is the answer
	}
	out, err := v.api.GetRole(ctx, &awsiam.GetRoleInput{RoleName: &parsed.Name})
	switch lifecycle.Classify(err).Kind {
	case "NoSuchEntity":
		return fargate.Role{Blocked: true, Message: fmt.Sprintf("the role %s does not exist: create it, with the trust that fargatectl policy trust prints", arn)}, nil
	case "Denied":
		return fargate.Role{ARN: arn, Message: "the role can't be read, for lack of iam:GetRole"}, nil
	default:
	}
	if err != nil {
		return fargate.Role{}, err
	}
	trust, err := trustOf(out.Role)
	if err != nil {
		return fargate.Role{ARN: arn, Message: err.Error()}, nil //nolint:nilerr // a document that can't be read leaves the answer open
	}
	verdict := iam.Evaluate(trust, Scope(parsed, v.region, desired.Spec.ClusterName).Request(profile))
	return fargate.Role{ARN: arn, Trust: trustWord(verdict), Message: verdict.Message}, nil
}

// Retire leaves every role alone: none is ours.
func (v *Verifier) Retire(context.Context, fargate.Desired) (fargate.Role, error) {
	return fargate.Role{}, nil
}

// Scope is the cluster that a role serves; EKS takes no role of another account.
func Scope(role iam.RoleARN, region, cluster string) iam.Scope {
	return iam.Scope{Partition: role.Partition, Region: region, Account: role.Account, Cluster: cluster}
}

func trustWord(v iam.Verdict) fargate.Trust {
	switch {
	case v.Allowed():
		return fargate.TrustGiven
	case v.Result == iam.ResultDeny:
		return fargate.TrustMissing
	default:
		return fargate.TrustUnknown
	}
}
