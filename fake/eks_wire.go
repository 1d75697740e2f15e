// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// epoch is a time as REST-JSON writes it: seconds since 1970 with a fraction.
type epoch time.Time

// MarshalJSON writes whole milliseconds.
func (e epoch) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Time(e).UnixMilli())/1000, 'f', 3, 64), nil
}

func epochOf(t *time.Time) *epoch {
	if t == nil {
		return nil
	}
	return new(epoch(*t))
}

type selectorJSON struct {
	Namespace *string           `json:"namespace"`
	Labels    map[string]string `json:"labels"`
}

type createProfileJSON struct {
	FargateProfileName  *string           `json:"fargateProfileName"`
	PodExecutionRoleARN *string           `json:"podExecutionRoleArn"`
	Subnets             []string          `json:"subnets"`
	Selectors           []selectorJSON    `json:"selectors"`
	ClientRequestToken  *string           `json:"clientRequestToken"`
	Tags                map[string]string `json:"tags"`
}

func decodeCreateProfile(r restRequest, in *eks.CreateFargateProfileInput) error {
	var body createProfileJSON
	if err := decodeBody(r.body, &body); err != nil {
		return err
	}
	in.ClusterName = &r.labels[0]
	in.FargateProfileName = body.FargateProfileName
	in.PodExecutionRoleArn = body.PodExecutionRoleARN
	in.Subnets = body.Subnets
	in.ClientRequestToken = body.ClientRequestToken
	in.Tags = body.Tags
	for _, s := range body.Selectors {
		in.Selectors = append(in.Selectors, types.FargateProfileSelector{Namespace: s.Namespace, Labels: s.Labels})
	}
	return nil
}

func decodeDescribeProfile(r restRequest, in *eks.DescribeFargateProfileInput) error {
	in.ClusterName, in.FargateProfileName = &r.labels[0], &r.labels[1]
	return nil
}

func decodeDeleteProfile(r restRequest, in *eks.DeleteFargateProfileInput) error {
	in.ClusterName, in.FargateProfileName = &r.labels[0], &r.labels[1]
	return nil
}

func decodeListProfiles(r restRequest, in *eks.ListFargateProfilesInput) (err error) {
	in.ClusterName = &r.labels[0]
	in.MaxResults, in.NextToken, err = pagingOf(r)
	return err
}

func encodeListProfiles(_ Options, out *eks.ListFargateProfilesOutput) any {
	return struct {
		Names     []string `json:"fargateProfileNames"`
		NextToken *string  `json:"nextToken"`
	}{orEmpty(out.FargateProfileNames), out.NextToken}
}

// pagingOf reads the query of a list operation.
func pagingOf(r restRequest) (maxResults *int32, token *string, err error) {
	if text := r.query.Get("maxResults"); text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, nil, apiErrorf(codeSerialization, "maxResults %q is not a number.", text)
		}
		maxResults = aws.Int32(int32(n))
	}
	if r.query.Has("nextToken") {
		token = aws.String(r.query.Get("nextToken"))
	}
	return maxResults, token, nil
}

type profileJSON struct {
	Name        *string            `json:"fargateProfileName"`
	ARN         *string            `json:"fargateProfileArn"`
	ClusterName *string            `json:"clusterName"`
	CreatedAt   *epoch             `json:"createdAt"`
	RoleARN     *string            `json:"podExecutionRoleArn"`
	Subnets     []string           `json:"subnets"`
	Selectors   []selectorReplyRow `json:"selectors"`
	Status      string             `json:"status"`
	Tags        map[string]string  `json:"tags"`
	Health      *profileHealthJSON `json:"health,omitempty"`
}

// selectorReplyRow has labels of any type, for the three forms of none at all.
type selectorReplyRow struct {
	Namespace *string `json:"namespace"`
	Labels    any     `json:"labels,omitempty"`
}

type profileHealthJSON struct {
	Issues []Issue `json:"issues"`
}

func wireProfile(o Options, p *types.FargateProfile) any {
	out := profileJSON{
		Name: p.FargateProfileName, ARN: p.FargateProfileArn, ClusterName: p.ClusterName,
		CreatedAt: epochOf(p.CreatedAt), RoleARN: p.PodExecutionRoleArn,
		Subnets: orEmpty(p.Subnets), Selectors: []selectorReplyRow{},
		Status: string(p.Status), Tags: p.Tags,
	}
	for _, s := range p.Selectors {
		out.Selectors = append(out.Selectors, selectorReplyRow{s.Namespace, wireLabels(o, s.Labels)})
	}
	if p.Health != nil {
		out.Health = &profileHealthJSON{Issues: wireIssues(p.Health.Issues)}
	}
	return map[string]any{"fargateProfile": out}
}

func wireLabels(o Options, labels map[string]string) any {
	switch {
	case labels != nil:
		return labels
	case o.EmptyLabels == LabelsNull:
		return json.RawMessage("null")
	default:
		return nil
	}
}

func wireIssues(issues []types.FargateProfileIssue) []Issue {
	out := make([]Issue, 0, len(issues))
	for _, i := range issues {
		out = append(out, Issue{Code: string(i.Code), Message: aws.ToString(i.Message), ResourceIDs: i.ResourceIds})
	}
	return out
}

type tagsJSON struct {
	Tags map[string]string `json:"tags"`
}

func decodeTag(r restRequest, in *eks.TagResourceInput) error {
	var body tagsJSON
	err := decodeBody(r.body, &body)
	in.ResourceArn, in.Tags = &r.labels[0], body.Tags
	return err
}

func decodeUntag(r restRequest, in *eks.UntagResourceInput) error {
	in.ResourceArn, in.TagKeys = &r.labels[0], r.query["tagKeys"]
	return nil
}

func decodeListTags(r restRequest, in *eks.ListTagsForResourceInput) error {
	in.ResourceArn = &r.labels[0]
	return nil
}

func encodeListTags(_ Options, out *eks.ListTagsForResourceOutput) any { return tagsJSON{out.Tags} }

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
