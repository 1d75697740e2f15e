// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"time"

	"github.com/eksfargate/eksfargate/selector"
)

// Spec is the specification of a Fargate profile. Everything but Tags is
// immutable once the profile exists.
//
// The JSON names are those of the EKS API.
type Spec struct {
	// ClusterName is the EKS name of the cluster.
	ClusterName string `json:"clusterName"`
	// Name is the logical name of the profile. The physical name at EKS is the
	// same unless the policy derives names for create-first replacement.
	Name string `json:"fargateProfileName"`
	// PodExecutionRoleARN is the IAM role that runs the pods' infrastructure.
	PodExecutionRoleARN string `json:"podExecutionRoleArn"`
	// Subnets are private subnet ids. Nil or empty means whatever AWS chooses.
	Subnets []string `json:"subnets,omitempty"`
	// Selectors say which pods run on the profile: 1 to 5 by default quota.
	Selectors []selector.Selector `json:"selectors"`
	// Tags are the user's tags on the profile.
	Tags map[string]string `json:"tags,omitempty"`
}

// Observed is a Fargate profile as EKS reports it.
type Observed struct {
	Spec      Spec      `json:"spec"`
	ARN       string    `json:"fargateProfileArn"`
	Status    Status    `json:"status"`
	CreatedAt time.Time `json:"createdAt,omitzero"`
	Issues    []Issue   `json:"issues,omitempty"`
}

// Status is the state of a Fargate profile at EKS. Values that are not listed
// here are possible and are kept as they are.
type Status string

// The states that EKS documents.
const (
	StatusCreating     Status = "CREATING"
	StatusActive       Status = "ACTIVE"
	StatusDeleting     Status = "DELETING"
	StatusCreateFailed Status = "CREATE_FAILED"
	StatusDeleteFailed Status = "DELETE_FAILED"
)

// Issue is one health issue that EKS reports on a profile.
type Issue struct {
	Code        string   `json:"code"`
	Message     string   `json:"message"`
	ResourceIDs []string `json:"resourceIds,omitempty"`
}
