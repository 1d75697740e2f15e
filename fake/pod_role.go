// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

// roleNow returns the role of exactly this ARN in the caller's account, as other
// services than IAM see it now, or nil.
func (t *tx) roleNow(roleARN string) *role { return t.account.roleRecord(roleARN).trusted(t.now) }

// assumable reports whether EKS can assume a profile's role for its pods.
func (t *tx) assumable(p *profile) bool {
	r := t.roleNow(p.RoleARN)
	return r != nil && r.trusts(podsRequest(p.ARN, t.caller.Account))
}
