// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package sdkconv

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// Observed converts a profile that EKS reported. Nil becomes the zero value. The
// result shares nothing with p.
func Observed(p *types.FargateProfile) fargate.Observed {
	if p == nil {
		return fargate.Observed{}
	}
	return fargate.Observed{
		Spec: fargate.Spec{
			ClusterName:         aws.ToString(p.ClusterName),
			Name:                aws.ToString(p.FargateProfileName),
			PodExecutionRoleARN: aws.ToString(p.PodExecutionRoleArn),
			Subnets:             slices.Clone(p.Subnets),
			Selectors:           selectors(p.Selectors),
			Tags:                maps.Clone(p.Tags),
		},
		ARN:       aws.ToString(p.FargateProfileArn),
		Status:    fargate.Status(p.Status),
		CreatedAt: aws.ToTime(p.CreatedAt),
		Issues:    issues(p.Health),
	}
}

func selectors(in []types.FargateProfileSelector) []selector.Selector {
	out := make([]selector.Selector, 0, len(in))
	for _, s := range in {
		out = append(out, selector.Selector{Namespace: aws.ToString(s.Namespace), Labels: maps.Clone(s.Labels)})
	}
	return out
}

func issues(h *types.FargateProfileHealth) []fargate.Issue {
	if h == nil {
		return nil
	}
	var out []fargate.Issue
	for _, i := range h.Issues {
		out = append(out, fargate.Issue{Code: fargate.IssueCode(i.Code), Message: aws.ToString(i.Message), ResourceIDs: slices.Clone(i.ResourceIds)})
	}
	return out
}

// CreateInput converts a spec into the input of CreateFargateProfile. What is
// unset stays nil, so that AWS chooses.
func CreateInput(s fargate.Spec) *eks.CreateFargateProfileInput {
	in := &eks.CreateFargateProfileInput{
		ClusterName:         aws.String(s.ClusterName),
		FargateProfileName:  aws.String(s.Name),
		PodExecutionRoleArn: aws.String(s.PodExecutionRoleARN),
		Subnets:             slices.Clone(s.Subnets),
		Tags:                maps.Clone(s.Tags),
	}
	for _, sel := range s.Selectors {
		in.Selectors = append(in.Selectors, types.FargateProfileSelector{
			Namespace: aws.String(sel.Namespace), Labels: maps.Clone(sel.Labels),
		})
	}
	return in
}
