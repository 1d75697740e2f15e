// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "github.com/eksfargate/eksfargate/selector"

// Spec is the specification of a Fargate profile. Everything but Tags is
// immutable once the profile exists.
//
// The JSON names are those of the EKS API.
type Spec struct {
	// ClusterName is the EKS name of the cluster.
	ClusterName string `json:"clusterName"`
	// Name is the logical name of the profile. The name at EKS is the same unless
	// the policy derives names (see [NameDerived]).
	Name string `json:"fargateProfileName"`
	// PodExecutionRoleARN is the IAM role that runs the pods' infrastructure.
	// Empty means unset: in a comparison it then agrees with any role.
	PodExecutionRoleARN string `json:"podExecutionRoleArn,omitempty"`
	// Subnets are ids of private subnets. Nil and empty mean whatever AWS chooses.
	Subnets []string `json:"subnets,omitempty"`
	// Selectors say which pods run on the profile: 1 to 5 by the default quota.
	Selectors []selector.Selector `json:"selectors"`
	// Tags are the user's tags on the profile, without our marks.
	Tags map[string]string `json:"tags,omitempty"`
}
