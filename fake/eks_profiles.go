// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func describeProfile(t *tx, in *eks.DescribeFargateProfileInput) (*eks.DescribeFargateProfileOutput, error) {
	clusterName := aws.ToString(in.ClusterName)
	_, p, err := t.profile(clusterName, aws.ToString(in.FargateProfileName))
	if err != nil {
		return nil, err
	}
	return &eks.DescribeFargateProfileOutput{FargateProfile: t.describe(clusterName, p)}, nil
}

func listProfiles(t *tx, in *eks.ListFargateProfilesInput) (*eks.ListFargateProfilesOutput, error) {
	cl, err := t.cluster(aws.ToString(in.ClusterName))
	if err != nil {
		return nil, err
	}
	created := func(name string) int64 { return cl.Profiles.get(name).CreatedAt.UnixMilli() }
	names, next, err := t.page(t.listing(cl.Names, created), in.MaxResults, in.NextToken)
	if err != nil {
		return nil, err
	}
	return &eks.ListFargateProfilesOutput{FargateProfileNames: names, NextToken: next}, nil
}

// deleteProfile starts a deletion. A profile that failed to be created or to be
// deleted can be deleted; one that is CREATING or DELETING cannot, with the text
// that EKS has for another profile in that status (inferred).
func deleteProfile(t *tx, in *eks.DeleteFargateProfileInput) (*eks.DeleteFargateProfileOutput, error) {
	name := aws.ToString(in.FargateProfileName)
	cl, p, err := t.profile(aws.ToString(in.ClusterName), name)
	if err != nil {
		return nil, err
	}
	if err := t.checkNoChange(cl, "delete", name); err != nil {
		return nil, err
	}
	t.settlePods(cl)
	edited, doomed := t.edit(cl), new(*p)
	doomed.Deletion = new(t.change(t.cloud.opts.Delays.Delete))
	edited.put(doomed, t.now)
	t.doomPods(edited, doomed)
	reply := t.describe(edited.Name, doomed)
	reply.Status = types.FargateProfileStatusDeleting // even when it takes no time
	return &eks.DeleteFargateProfileOutput{FargateProfile: reply}, nil
}

// describe returns a profile as replies show it, sharing nothing with the state.
func (t *tx) describe(clusterName string, p *profile) *types.FargateProfile {
	whole := *p // in one go: what it consists of is fetched at once, and not one after the other
	p = &whole
	out := &types.FargateProfile{
		ClusterName:         aws.String(clusterName),
		CreatedAt:           aws.Time(p.CreatedAt),
		FargateProfileArn:   aws.String(p.ARN),
		FargateProfileName:  aws.String(p.Name),
		PodExecutionRoleArn: aws.String(p.RoleARN),
		Selectors:           make([]types.FargateProfileSelector, 0, len(p.Selectors)),
		Status:              p.status(t.now),
		Subnets:             slices.Clone(p.Subnets),
		Tags:                p.Tags.toMap(),
	}
	for _, s := range p.Selectors {
		out.Selectors = append(out.Selectors, types.FargateProfileSelector{
			Namespace: aws.String(s.Namespace),
			Labels:    t.cloud.showLabels(s.Labels),
		})
	}
	if !t.cloud.opts.OmitHealth {
		out.Health = &types.FargateProfileHealth{Issues: showIssues(p.issues(t.now))}
	}
	return out
}

func (c *Cloud) showLabels(labels pairs) map[string]string {
	switch {
	case len(labels) > 0:
		return labels.toMap()
	case c.opts.EmptyLabels == LabelsEmpty:
		return map[string]string{}
	default:
		return nil
	}
}

func showIssues(issues []Issue) []types.FargateProfileIssue {
	out := make([]types.FargateProfileIssue, 0, len(issues))
	for _, i := range issues {
		out = append(out, types.FargateProfileIssue{
			Code:        types.FargateProfileIssueCode(i.Code),
			Message:     aws.String(i.Message),
			ResourceIds: slices.Clone(i.ResourceIDs),
		})
	}
	return out
}
