// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package roles

import (
	"context"
	"fmt"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/eksfargate/eksfargate/iam"
)

// API is what reading a role calls. *iam.Client satisfies it.
type API interface {
	GetRole(ctx context.Context, in *awsiam.GetRoleInput, optFns ...func(*awsiam.Options)) (*awsiam.GetRoleOutput, error)
	ListAttachedRolePolicies(ctx context.Context, in *awsiam.ListAttachedRolePoliciesInput, optFns ...func(*awsiam.Options)) (*awsiam.ListAttachedRolePoliciesOutput, error)
}

// trustOf reads the trust policy of a role. IAM escapes it as a part of a URL.
func trustOf(role *types.Role) (iam.Document, error) {
	text, err := url.PathUnescape(aws.ToString(role.AssumeRolePolicyDocument))
	if err != nil {
		return iam.Document{}, fmt.Errorf("unescaping the trust policy: %w", err)
	}
	return iam.ParseDocument(text)
}

// Read reads what a review of a role looks at.
func Read(ctx context.Context, api API, arn string) (iam.ObservedRole, error) {
	parsed, err := iam.ParseRoleARN(arn)
	if err != nil {
		return iam.ObservedRole{}, err
	}
	out, err := api.GetRole(ctx, &awsiam.GetRoleInput{RoleName: &parsed.Name})
	if err != nil {
		return iam.ObservedRole{}, err
	}
	observed := iam.ObservedRole{ARN: aws.ToString(out.Role.Arn), ID: aws.ToString(out.Role.RoleId)}
	if observed.Trust, err = trustOf(out.Role); err != nil {
		observed.TrustFault = err.Error()
	}
	observed.AttachedPolicies, err = attached(ctx, api, parsed.Name)
	return observed, err
}

func attached(ctx context.Context, api API, name string) ([]string, error) {
	var arns []string
	pages := awsiam.NewListAttachedRolePoliciesPaginator(api, &awsiam.ListAttachedRolePoliciesInput{RoleName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range page.AttachedPolicies {
			arns = append(arns, aws.ToString(p.PolicyArn))
		}
	}
	return arns, nil
}
