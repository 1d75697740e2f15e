// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/iam"
)

// pages reads all pages of a list. An empty page may have a next one.
func pages(read func(marker *string) (next *string, truncated bool, err error)) error {
	var marker *string
	for {
		next, truncated, err := read(marker)
		if err != nil || !truncated || next == nil {
			return err
		}
		marker = next
	}
}

// attached lists the ARNs of the managed policies.
func (c caller) attached(ctx context.Context) ([]string, error) {
	var arns []string
	err := pages(func(marker *string) (*string, bool, error) {
		out, err := call(ctx, c, "ListAttachedRolePolicies", func() (*awsiam.ListAttachedRolePoliciesOutput, error) {
			return c.api.ListAttachedRolePolicies(ctx, &awsiam.ListAttachedRolePoliciesInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, false, err
		}
		for _, p := range out.AttachedPolicies {
			arns = append(arns, aws.ToString(p.PolicyArn))
		}
		return out.Marker, out.IsTruncated, nil
	})
	return arns, err
}

// inline lists the names of the inline policies.
func (c caller) inline(ctx context.Context) ([]string, error) {
	var names []string
	err := pages(func(marker *string) (*string, bool, error) {
		out, err := call(ctx, c, "ListRolePolicies", func() (*awsiam.ListRolePoliciesOutput, error) {
			return c.api.ListRolePolicies(ctx, &awsiam.ListRolePoliciesInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, false, err
		}
		names = append(names, out.PolicyNames...)
		return out.Marker, out.IsTruncated, nil
	})
	return names, err
}

// instanceProfiles lists the names of the instance profiles that hold the role.
func (c caller) instanceProfiles(ctx context.Context) ([]string, error) {
	var names []string
	err := pages(func(marker *string) (*string, bool, error) {
		out, err := call(ctx, c, "ListInstanceProfilesForRole", func() (*awsiam.ListInstanceProfilesForRoleOutput, error) {
			return c.api.ListInstanceProfilesForRole(ctx, &awsiam.ListInstanceProfilesForRoleInput{RoleName: &c.role, Marker: marker})
		})
		if err != nil {
			return nil, false, err
		}
		for _, p := range out.InstanceProfiles {
			names = append(names, aws.ToString(p.InstanceProfileName))
		}
		return out.Marker, out.IsTruncated, nil
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
