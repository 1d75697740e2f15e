// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// clusterUpdate is an update that a caller has asked for; DescribeCluster says
// UPDATING while it lasts. Updates that EKS makes for itself are windows.
type clusterUpdate struct {
	ID        string
	Type      string
	Params    []updateParam
	CreatedAt time.Time
	Change    change
	Aim       clusterAim
}

type updateParam struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// clusterAim is what an update makes of a cluster when it succeeds. Zero fields
// stay as they are.
type clusterAim struct {
	Version  string
	AuthMode string
	Endpoint *endpointAccess
}

// endpointAccess says from where the API server can be reached.
type endpointAccess struct {
	Public, Private bool
	CIDRs           []string
}

func (u *clusterUpdate) status(now time.Time) types.UpdateStatus {
	switch {
	case !u.Change.ended(now):
		return types.UpdateStatusInProgress
	case u.Change.Failed:
		return types.UpdateStatusFailed
	default:
		return types.UpdateStatusSuccessful
	}
}

// updating reports whether an update that a caller asked for is in progress.
func (cl *cluster) updating(now time.Time) bool {
	return cl.Current != nil && !cl.Current.Change.ended(now)
}

// finish ends an update in a copy of a cluster.
func (cl *cluster) finish(u *clusterUpdate) {
	cl.Current = nil
	if u.Change.Failed {
		return
	}
	cl.Version = orString(u.Aim.Version, cl.Version)
	cl.AuthMode = orString(u.Aim.AuthMode, cl.AuthMode)
	if u.Aim.Endpoint != nil {
		cl.Endpoint = *u.Aim.Endpoint
	}
}
