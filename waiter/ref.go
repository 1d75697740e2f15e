// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

// Ref names the profile to wait for.
type Ref struct {
	// Cluster and Profile are the names at EKS. Both are required.
	Cluster, Profile string
	// ARN pins the identity: a profile that is made again under the same name has
	// another ARN. Empty means whichever profile of that name is seen first.
	ARN string
}

// String returns "cluster/profile", or the cluster alone if there is no profile.
func (r Ref) String() string {
	if r.Profile == "" {
		return r.Cluster
	}
	return r.Cluster + "/" + r.Profile
}

// Goal is what a wait waits for.
type Goal string

// The goals of a wait.
const (
	// GoalActive ends well when the profile is ACTIVE.
	GoalActive Goal = "active"
	// GoalSettled ends well when the profile has been ACTIVE for a while: EKS says
	// ACTIVE some seconds before new pods land on the profile.
	GoalSettled Goal = "settled"
	// GoalDeleted ends well when EKS no longer knows the profile.
	GoalDeleted Goal = "deleted"
	// GoalIdle ends well when nothing is in progress on the profile, whatever came
	// of it: it is then free to be changed, or gone.
	GoalIdle Goal = "idle"
)
