// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func updateClusterVersion(t *tx, in *eks.UpdateClusterVersionInput) (*eks.UpdateClusterVersionOutput, error) {
	cl, err := t.clusterForUpdate(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	version := aws.ToString(in.Version)
	if !slices.Contains(knownVersions(), version) {
		return nil, invalidParameter("unsupported Kubernetes version")
	}
	if !isNextMinor(cl.Version, version) {
		return nil, invalidParameter("Unsupported Kubernetes minor version update from %s to %s", cl.Version, version)
	}
	u := t.startUpdate(cl, types.UpdateTypeVersionUpdate, clusterAim{Version: version}, updateParam{"Version", version})
	return &eks.UpdateClusterVersionOutput{Update: t.showUpdate(u)}, nil
}

// updateClusterConfig takes one kind of change at a time, as EKS does.
func updateClusterConfig(t *tx, in *eks.UpdateClusterConfigInput) (*eks.UpdateClusterConfigOutput, error) {
	cl, err := t.clusterForUpdate(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	var u *clusterUpdate
	switch access, vpc := in.AccessConfig, in.ResourcesVpcConfig; {
	case access != nil && vpc == nil:
		u, err = t.updateAuthMode(cl, string(access.AuthenticationMode))
	case vpc != nil && access == nil:
		u = t.updateEndpoint(cl, vpc)
	default:
		err = invalidParameter("Exactly one of accessConfig and resourcesVpcConfig is required.")
	}
	if err != nil {
		return nil, err
	}
	return &eks.UpdateClusterConfigOutput{Update: t.showUpdate(u)}, nil
}

// clusterForUpdate returns a cluster that can be updated now.
func (t *tx) clusterForUpdate(name string) (*cluster, error) {
	cl, err := t.cluster(name)
	if err != nil {
		return nil, err
	}
	if cl.busy(t.now) {
		return nil, inUse(name, "Cannot update because cluster %s currently has an update in progress", name)
	}
	if p := cl.inChange(t.now); p != nil && t.cloud.opts.RefuseUpdatesInChange {
		return nil, inUse(name, "Cannot update because cluster %s currently has Fargate profile %s in status %s",
			name, p.Name, p.status(t.now))
	}
	if cl.status(t.now) != types.ClusterStatusActive {
		return nil, apiErrorf(codeInvalidRequest, "Cluster '%s' is not in ACTIVE status", name)
	}
	return cl, nil
}

// updateAuthMode goes from CONFIG_MAP over API_AND_CONFIG_MAP to API, and never
// back (user guide).
func (t *tx) updateAuthMode(cl *cluster, mode string) (*clusterUpdate, error) {
	order := []string{"CONFIG_MAP", "API_AND_CONFIG_MAP", "API"}
	if to := slices.Index(order, mode); to < 0 || to != slices.Index(order, cl.AuthMode)+1 {
		return nil, invalidParameter("Unsupported authentication mode update from %s to %s", cl.AuthMode, mode)
	}
	return t.startUpdate(cl, types.UpdateTypeAccessConfigUpdate, clusterAim{AuthMode: mode},
		updateParam{"AuthenticationMode", mode}), nil
}

func (t *tx) updateEndpoint(cl *cluster, vpc *types.VpcConfigRequest) *clusterUpdate {
	aim := cl.Endpoint
	if vpc.EndpointPublicAccess != nil {
		aim.Public = *vpc.EndpointPublicAccess
	}
	if vpc.EndpointPrivateAccess != nil {
		aim.Private = *vpc.EndpointPrivateAccess
	}
	if vpc.PublicAccessCidrs != nil {
		aim.CIDRs = slices.Clone(vpc.PublicAccessCidrs)
	}
	cidrs, _ := json.Marshal(aim.CIDRs) // strings can always be written
	return t.startUpdate(cl, types.UpdateTypeEndpointAccessUpdate, clusterAim{Endpoint: &aim},
		updateParam{"EndpointPublicAccess", strconv.FormatBool(aim.Public)},
		updateParam{"EndpointPrivateAccess", strconv.FormatBool(aim.Private)},
		updateParam{"PublicAccessCidrs", string(cidrs)})
}

func (t *tx) startUpdate(cl *cluster, kind types.UpdateType, aim clusterAim, params ...updateParam) *clusterUpdate {
	u := &clusterUpdate{
		ID: requestID(t.cloud.rand), Type: string(kind), Params: params, CreatedAt: t.now,
		Change: t.change(t.cloud.opts.Delays.UpdateCluster), Aim: aim,
	}
	edited := t.edit(cl)
	edited.Current = u
	edited.Updates = append(edited.Updates, u)
	return u
}

func describeUpdate(t *tx, in *eks.DescribeUpdateInput) (*eks.DescribeUpdateOutput, error) {
	cl, err := t.cluster(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	id := aws.ToString(in.UpdateId)
	i := slices.IndexFunc(cl.Updates, func(u *clusterUpdate) bool { return u.ID == id })
	if i < 0 {
		return nil, apiErrorf(codeResourceNotFound, "No update found for ID: %s.", id)
	}
	return &eks.DescribeUpdateOutput{Update: t.showUpdate(cl.Updates[i])}, nil
}

func listUpdates(t *tx, in *eks.ListUpdatesInput) (*eks.ListUpdatesOutput, error) {
	cl, err := t.cluster(aws.ToString(in.Name))
	if err != nil {
		return nil, err
	}
	created := map[string]int64{}
	var ids []string
	for _, u := range cl.Updates {
		created[u.ID] = u.CreatedAt.UnixMilli()
		ids = insertSorted(ids, u.ID)
	}
	names, next, err := t.page(t.listing(ids, func(id string) int64 { return created[id] }), in.MaxResults, in.NextToken)
	if err != nil {
		return nil, err
	}
	return &eks.ListUpdatesOutput{UpdateIds: orEmpty(names), NextToken: next}, nil
}

func (t *tx) showUpdate(u *clusterUpdate) *types.Update {
	out := &types.Update{
		Id: aws.String(u.ID), Type: types.UpdateType(u.Type), Status: u.status(t.now),
		CreatedAt: aws.Time(u.CreatedAt), Errors: []types.ErrorDetail{},
	}
	for _, p := range u.Params {
		out.Params = append(out.Params, types.UpdateParam{Type: types.UpdateParamType(p.Type), Value: aws.String(p.Value)})
	}
	if out.Status != types.UpdateStatusFailed {
		return out
	}
	for _, i := range u.Change.Issues {
		out.Errors = append(out.Errors, types.ErrorDetail{
			ErrorCode: types.ErrorCode(i.Code), ErrorMessage: aws.String(i.Message), ResourceIds: slices.Clone(i.ResourceIDs),
		})
	}
	return out
}
