// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package sdkconv

import (
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/eksfargate/eksfargate/iam"
)

// ObservedRole converts a role that IAM reported. Nil becomes the zero value. Its
// policies and instance profiles are reported by other operations.
func ObservedRole(r *types.Role) iam.ObservedRole {
	if r == nil {
		return iam.ObservedRole{}
	}
	o := iam.ObservedRole{
		ARN:         aws.ToString(r.Arn),
		ID:          aws.ToString(r.RoleId),
		Tags:        make(map[string]string, len(r.Tags)),
		Description: aws.ToString(r.Description),
		MaxSession:  time.Duration(aws.ToInt32(r.MaxSessionDuration)) * time.Second,
	}
	for _, tag := range r.Tags {
		o.Tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}
	if b := r.PermissionsBoundary; b != nil {
		o.PermissionsBoundary = aws.ToString(b.PermissionsBoundaryArn)
	}
	trust, err := iam.ParseDocument(aws.ToString(r.AssumeRolePolicyDocument))
	if err != nil {
		o.TrustFault = err.Error()
	}
	o.Trust = trust
	return o
}

// CreateRoleInput converts a call of CreateRole. What is unset stays nil, so that
// AWS chooses.
func CreateRoleInput(c iam.Call) *awsiam.CreateRoleInput {
	return &awsiam.CreateRoleInput{
		RoleName:                 aws.String(c.RoleName),
		AssumeRolePolicyDocument: aws.String(c.Document),
		Path:                     orNil(c.Path),
		Description:              orNil(c.Description),
		PermissionsBoundary:      orNil(c.PermissionsBoundary),
		MaxSessionDuration:       seconds(c.MaxSession),
		Tags:                     roleTags(c.Tags),
	}
}

// UpdateRoleInput converts a call of UpdateRole.
func UpdateRoleInput(c iam.Call) *awsiam.UpdateRoleInput {
	return &awsiam.UpdateRoleInput{
		RoleName: aws.String(c.RoleName), Description: aws.String(c.Description), MaxSessionDuration: seconds(c.MaxSession),
	}
}

// TagRoleInput converts a call of TagRole.
func TagRoleInput(c iam.Call) *awsiam.TagRoleInput {
	return &awsiam.TagRoleInput{RoleName: aws.String(c.RoleName), Tags: roleTags(c.Tags)}
}

// roleTags sorts the tags, so that equal calls are equal.
func roleTags(tags map[string]string) []types.Tag {
	var out []types.Tag
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		out = append(out, types.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
	}
	return out
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func seconds(d time.Duration) *int32 {
	if d <= 0 {
		return nil
	}
	return aws.Int32(int32(d / time.Second)) //nolint:gosec // at most 12 hours, which the decision has checked
}
