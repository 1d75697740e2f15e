// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awscall"
)

// pages reads all pages of a list.
func (c caller) pages(op string, read func(token *string) (next *string, err error)) error {
	err := awscall.Pages(read)
	if repeated, ok := errors.AsType[*RepeatedPageError](err); ok {
		return c.failed(op, repeated)
	}
	return err
}

// next is the marker of the next page of a list of IAM.
func next(marker *string, truncated bool) *string {
	if !truncated {
		return nil
	}
	return marker
}

// attached lists the ARNs of the managed policies.
func (c caller) attached(ctx context.Context) ([]string, error) {
	var arns []string
	const op = "ListAttachedRolePolicies"
	err := c.pages(op, func(marker *string) (*string, error) {
		out, err := call(ctx, c, op, func() (*awsiam.ListAttachedRolePoliciesOutput, error) {
			return c.api.ListAttachedRolePolicies(ctx, &awsiam.ListAttachedRolePoliciesInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, err
		}
		for _, p := range out.AttachedPolicies {
			arns = append(arns, aws.ToString(p.PolicyArn))
		}
		return next(out.Marker, out.IsTruncated), nil
	})
	return arns, err
}

// inline lists the names of the inline policies.
func (c caller) inline(ctx context.Context) ([]string, error) {
	var names []string
	const op = "ListRolePolicies"
	err := c.pages(op, func(marker *string) (*string, error) {
		out, err := call(ctx, c, op, func() (*awsiam.ListRolePoliciesOutput, error) {
			return c.api.ListRolePolicies(ctx, &awsiam.ListRolePoliciesInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, err
		}
		names = append(names, out.PolicyNames...)
		return next(out.Marker, out.IsTruncated), nil
	})
	return names, err
}

// instanceProfiles lists the names of the instance profiles that hold the role.
func (c caller) instanceProfiles(ctx context.Context) ([]string, error) {
	var names []string
	const op = "ListInstanceProfilesForRole"
	err := c.pages(op, func(marker *string) (*string, error) {
		out, err := call(ctx, c, op, func() (*awsiam.ListInstanceProfilesForRoleOutput, error) {
			return c.api.ListInstanceProfilesForRole(ctx, &awsiam.ListInstanceProfilesForRoleInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, err
		}
		for _, p := range out.InstanceProfiles {
			names = append(names, aws.ToString(p.InstanceProfileName))
		}
		return next(out.Marker, out.IsTruncated), nil
	})
	return names, err
}

// documents reads those inline policies that the role shall have and has. One that
// can't be read as a document is empty, so that it differs from every desired one.
func (c caller) documents(ctx context.Context, d iam.DesiredRole, names []string) (map[string]iam.Document, error) {
	documents := map[string]iam.Document{}
	for _, name := range names {
		if _, wanted := d.InlinePolicies[name]; !wanted {
			continue
		}
		out, err := call(ctx, c, "GetRolePolicy", func() (*awsiam.GetRolePolicyOutput, error) {
			return c.api.GetRolePolicy(ctx, &awsiam.GetRolePolicyInput{RoleName: &c.role, PolicyName: &name})
		})
		if err != nil {
			return nil, err
		}
		document, err := iam.ParseDocument(aws.ToString(out.PolicyDocument))
		if err != nil {
			document = iam.Document{}
		}
		documents[name] = document
	}
	return documents, nil
}
