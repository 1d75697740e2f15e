// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func decodeUpdateClusterVersion(r restRequest, in *eks.UpdateClusterVersionInput) error {
	var body struct {
		Version            *string `json:"version"`
		ClientRequestToken *string `json:"clientRequestToken"`
		Force              bool    `json:"force"`
	}
	err := decodeBody(r.body, &body)
	in.Name, in.Version, in.Force = &r.labels[0], body.Version, body.Force
	in.ClientRequestToken = body.ClientRequestToken
	return err
}

func decodeUpdateClusterConfig(r restRequest, in *eks.UpdateClusterConfigInput) error {
	var body struct {
		ResourcesVPCConfig *vpcRequestJSON      `json:"resourcesVpcConfig"`
		AccessConfig       *accessConfigRequest `json:"accessConfig"`
		ClientRequestToken *string              `json:"clientRequestToken"`
	}
	if err := decodeBody(r.body, &body); err != nil {
		return err
	}
	in.Name, in.ClientRequestToken = &r.labels[0], body.ClientRequestToken
	in.ResourcesVpcConfig = body.ResourcesVPCConfig.request()
	if body.AccessConfig != nil {
		in.AccessConfig = &types.UpdateAccessConfigRequest{
			AuthenticationMode: types.AuthenticationMode(body.AccessConfig.AuthenticationMode),
		}
	}
	return nil
}

func decodeDescribeUpdate(r restRequest, in *eks.DescribeUpdateInput) error {
	in.Name, in.UpdateId = &r.labels[0], &r.labels[1]
	return nil
}

func decodeListUpdates(r restRequest, in *eks.ListUpdatesInput) (err error) {
	in.Name = &r.labels[0]
	in.MaxResults, in.NextToken, err = pagingOf(r)
	return err
}

func encodeListUpdates(_ Options, out *eks.ListUpdatesOutput) any {
	return struct {
		IDs       []string `json:"updateIds"`
		NextToken *string  `json:"nextToken"`
	}{out.UpdateIds, out.NextToken}
}

type updateJSON struct {
	ID        *string           `json:"id"`
	Status    string            `json:"status"`
	Type      string            `json:"type"`
	Params    []updateParam     `json:"params"`
	CreatedAt *epoch            `json:"createdAt"`
	Errors    []updateErrorJSON `json:"errors"`
}

type updateErrorJSON struct {
	Code        string   `json:"errorCode"`
	Message     *string  `json:"errorMessage"`
	ResourceIDs []string `json:"resourceIds"`
}

func wireUpdate(u *types.Update) any {
	out := updateJSON{
		ID: u.Id, Status: string(u.Status), Type: string(u.Type), CreatedAt: epochOf(u.CreatedAt),
		Errors: []updateErrorJSON{},
	}
	for _, p := range u.Params {
		out.Params = append(out.Params, updateParam{string(p.Type), aws.ToString(p.Value)})
	}
	for _, e := range u.Errors {
		out.Errors = append(out.Errors, updateErrorJSON{string(e.ErrorCode), e.ErrorMessage, orEmpty(e.ResourceIds)})
	}
	return map[string]any{"update": out}
}

func decodeDescribeClusterVersions(r restRequest, in *eks.DescribeClusterVersionsInput) (err error) {
	in.ClusterVersions = r.query["clusterVersions"]
	in.VersionStatus = types.VersionStatus(r.query.Get("versionStatus"))
	if in.DefaultOnly, err = boolOf(r, "defaultOnly"); err != nil {
		return err
	}
	if in.IncludeAll, err = boolOf(r, "includeAll"); err != nil {
		return err
	}
	in.MaxResults, in.NextToken, err = pagingOf(r)
	return err
}

func boolOf(r restRequest, name string) (*bool, error) {
	if !r.query.Has(name) {
		return nil, nil //nolint:nilnil // the SDK's form of a boolean that is not set
	}
	value, err := strconv.ParseBool(r.query.Get(name))
	if err != nil {
		return nil, apiErrorf(codeSerialization, "%s %q is not a boolean.", name, r.query.Get(name))
	}
	return &value, nil
}

type clusterVersionJSON struct {
	ClusterVersion  *string `json:"clusterVersion"`
	ClusterType     *string `json:"clusterType"`
	PlatformVersion *string `json:"defaultPlatformVersion"`
	DefaultVersion  bool    `json:"defaultVersion"`
	ReleaseDate     *epoch  `json:"releaseDate"`
	EndOfStandard   *epoch  `json:"endOfStandardSupportDate"`
	EndOfExtended   *epoch  `json:"endOfExtendedSupportDate"`
	Status          string  `json:"status"`
	VersionStatus   string  `json:"versionStatus"`
	KubernetesPatch *string `json:"kubernetesPatchVersion"`
}

func encodeClusterVersions(_ Options, out *eks.DescribeClusterVersionsOutput) any {
	versions := []clusterVersionJSON{}
	for _, v := range out.ClusterVersions {
		versions = append(versions, clusterVersionJSON{
			ClusterVersion: v.ClusterVersion, ClusterType: v.ClusterType, PlatformVersion: v.DefaultPlatformVersion,
			DefaultVersion: v.DefaultVersion, ReleaseDate: epochOf(v.ReleaseDate),
			EndOfStandard: epochOf(v.EndOfStandardSupportDate), EndOfExtended: epochOf(v.EndOfExtendedSupportDate),
			Status: string(v.Status), VersionStatus: string(v.VersionStatus), KubernetesPatch: v.KubernetesPatchVersion,
		})
	}
	return struct {
		ClusterVersions []clusterVersionJSON `json:"clusterVersions"`
		NextToken       *string              `json:"nextToken"`
	}{versions, out.NextToken}
}
