// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

// roleNotTrusted is the one text for all that is wrong with a role: principal,
// condition, a role too new (reported), and a role that does not exist
// (inferred: EKS tries to assume the role).
const roleNotTrusted = "Misconfigured PodExecutionRole Trust Policy; " +
	"Please add the eks-fargate-pods.amazonaws.com Service Principal"

// checkRole does what EKS does with the pod execution role at create: it tries
// to assume it for the profile. Whether the role may do anything is not checked.
func (t *tx) checkRole(p *profile) error {
	partition, accountID, path, _, ok := splitRole(p.RoleARN)
	switch {
	case !ok || partition != partitionOf(t.caller.Region):
		return invalidParameter("The pod execution role ARN %q is not the ARN of a role.", p.RoleARN)
	case accountID != t.caller.Account:
		// The text is that of other services; nobody shows it for Fargate.
		return apiErrorf(codeAccessDenied, "Cross-account pass role is not allowed.")
	case path != "/" && !t.cloud.opts.AcceptRolePaths:
		return invalidParameter("The pod execution role ARN %q has a path other than /.", p.RoleARN)
	}
	r := t.account.roleRecord(p.RoleARN).trusted(t.now)
	if r == nil || !r.trusts(podsRequest(p.ARN, t.caller.Account)) {
		return invalidParameter(roleNotTrusted)
	}
	return nil
}

// trusts evaluates the role's trust document.
func (r *role) trusts(request trustRequest) bool {
	d, err := parseTrust(r.Trust)
	return err == nil && d.allows(request)
}
