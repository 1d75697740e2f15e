// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func decodeCreateAccessEntry(r restRequest, in *eks.CreateAccessEntryInput) error {
	var body struct {
		PrincipalARN       *string           `json:"principalArn"`
		Groups             []string          `json:"kubernetesGroups"`
		Tags               map[string]string `json:"tags"`
		ClientRequestToken *string           `json:"clientRequestToken"`
		Username           *string           `json:"username"`
		Type               *string           `json:"type"`
	}
	if err := decodeBody(r.body, &body); err != nil {
		return err
	}
	*in = eks.CreateAccessEntryInput{
		ClusterName: &r.labels[0], PrincipalArn: body.PrincipalARN, KubernetesGroups: body.Groups,
		Tags: body.Tags, ClientRequestToken: body.ClientRequestToken, Username: body.Username, Type: body.Type,
	}
	return nil
}

func decodeDescribeAccessEntry(r restRequest, in *eks.DescribeAccessEntryInput) error {
	in.ClusterName, in.PrincipalArn = &r.labels[0], &r.labels[1]
	return nil
}

func decodeDeleteAccessEntry(r restRequest, in *eks.DeleteAccessEntryInput) error {
	in.ClusterName, in.PrincipalArn = &r.labels[0], &r.labels[1]
	return nil
}

func decodeListAccessEntries(r restRequest, in *eks.ListAccessEntriesInput) (err error) {
	in.ClusterName = &r.labels[0]
	in.MaxResults, in.NextToken, err = pagingOf(r)
	return err
}

func encodeListAccessEntries(_ Options, out *eks.ListAccessEntriesOutput) any {
	return struct {
		Entries   []string `json:"accessEntries"`
		NextToken *string  `json:"nextToken"`
	}{out.AccessEntries, out.NextToken}
}

type entryJSON struct {
	ClusterName  *string           `json:"clusterName"`
	PrincipalARN *string           `json:"principalArn"`
	Groups       []string          `json:"kubernetesGroups"`
	ARN          *string           `json:"accessEntryArn"`
	CreatedAt    *epoch            `json:"createdAt"`
	ModifiedAt   *epoch            `json:"modifiedAt"`
	Tags         map[string]string `json:"tags"`
	Username     *string           `json:"username"`
	Type         *string           `json:"type"`
}

func wireEntry(e *types.AccessEntry) any {
	return map[string]any{"accessEntry": entryJSON{
		ClusterName: e.ClusterName, PrincipalARN: e.PrincipalArn, Groups: e.KubernetesGroups,
		ARN: e.AccessEntryArn, CreatedAt: epochOf(e.CreatedAt), ModifiedAt: epochOf(e.ModifiedAt),
		Tags: e.Tags, Username: e.Username, Type: e.Type,
	}}
}
