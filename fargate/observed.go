// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "time"

// Observed is a Fargate profile as EKS reports it. Its Spec.Name is the physical
// name at EKS, and its Spec.Tags are all tags, our marks and aws: tags included.
type Observed struct {
	Spec Spec   `json:"spec"`
	ARN  string `json:"fargateProfileArn"`
	// Status is one of the five documented states, or one that EKS adds later.
	Status Status `json:"status"`
	// CreatedAt is when EKS accepted the create call.
	CreatedAt time.Time `json:"createdAt,omitzero"`
	// Issues are the health issues that EKS reports, in its order.
	Issues []Issue `json:"issues,omitempty"`
}

// Status is the state of a Fargate profile at EKS. Values that are not listed
// here are possible and are kept as they are. The zero value means that nothing
// was observed.
type Status string

// The states that EKS documents. There is no UPDATING: all but the tags is
// immutable. Source: EKS API reference, FargateProfile.
const (
	// StatusCreating means that the profile is being made.
	StatusCreating Status = "CREATING"
	// StatusActive means that new pods may run on the profile.
	StatusActive Status = "ACTIVE"
	// StatusDeleting means that the profile is going away and its pods with it.
	StatusDeleting Status = "DELETING"
	// StatusCreateFailed means that making the profile failed for good.
	StatusCreateFailed Status = "CREATE_FAILED"
	// StatusDeleteFailed means that deleting failed; it can be asked for again.
	StatusDeleteFailed Status = "DELETE_FAILED"
)

// InProgress reports whether the profile holds the cluster's one change at a
// time: while it does, EKS refuses every other create and delete there.
func (s Status) InProgress() bool { return s == StatusCreating || s == StatusDeleting }

// Known reports whether the state is one that EKS documents.
func (s Status) Known() bool {
	switch s {
	case StatusCreating, StatusActive, StatusDeleting, StatusCreateFailed, StatusDeleteFailed:
		return true
	}
	return false
}
