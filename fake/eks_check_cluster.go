// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "github.com/aws/aws-sdk-go-v2/service/eks/types"

// checkClusterTakesProfile checks that a cluster is ready for a new profile.
func (t *tx) checkClusterTakesProfile(cl *cluster, name string) error {
	if cl.status(t.now) != types.ClusterStatusActive {
		return apiErrorf(codeInvalidRequest, "Cluster '%s' is not in ACTIVE status", cl.Name)
	}
	if err := t.checkNoChange(cl, "create", name); err != nil {
		return err
	}
	if len(cl.Names) >= t.cloud.opts.Quotas.Profiles {
		return apiErrorf(codeResourceLimitExceeded, "Fargate Profile limit exceeded for cluster.")
	}
	return nil
}

// checkNoChange holds the rule that a cluster takes one change of a profile at
// a time, and none while it has an update in progress. The texts are from logs;
// the capital D of "Cannot Delete" is EKS's.
func (t *tx) checkNoChange(cl *cluster, verb, name string) error {
	if verb == "delete" {
		verb = "Delete"
	}
	if other := cl.inChange(t.now); other != nil {
		return inUse(cl.Name, "Cannot %s Fargate Profile %s because cluster %s currently has Fargate profile %s in status %s",
			verb, name, cl.Name, other.Name, other.status(t.now))
	}
	if cl.busy(t.now) && (verb == "Delete" || !t.cloud.opts.CreateWhileBusy) {
		return inUse(cl.Name, "Cannot %s Fargate Profile %s because cluster %s currently has an update in progress",
			verb, name, cl.Name)
	}
	return nil
}
