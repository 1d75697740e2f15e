// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

// invalidRole: the desired role has a fault.
func invalidRole(r roleRun) (RoleDecision, bool) {
	if err := r.Desired.Validate(); err != nil {
		return decided(RoleActionBlocked, ReasonInvalid, err.Error())
	}
	return undecided()
}

// bringYourOwn: IAM is not called at all.
func bringYourOwn(r roleRun) (RoleDecision, bool) {
	if r.mode() == ModeBringYourOwn {
		return decided(RoleActionNoOp, ReasonBringYourOwn, "the role "+r.Desired.ARN+" is used as it is")
	}
	return undecided()
}

// verifiedRole: in ModeVerify the role is read and reported.
func verifiedRole(r roleRun) (RoleDecision, bool) {
	switch {
	case r.mode() != ModeVerify:
		return undecided()
	case r.absent:
		return decided(RoleActionBlocked, ReasonRoleMissing, "the role "+r.Desired.ARN+" does not exist")
	default:
		return r.fitness()
	}
}

// fitness says whether a role that is not ours can be used as it is.
func (r roleRun) fitness() (RoleDecision, bool) {
	if len(r.review.Shortcomings) == 0 {
		return decided(RoleActionNoOp, ReasonRoleReady, "the role "+r.observed.ARN+" has all that it needs")
	}
	return decided(RoleActionBlocked, ReasonRoleUnfit, "the role "+r.observed.ARN+" is not ours to change: "+r.review.summary())
}

// summary lists the shortcomings in one line.
func (r Review) summary() string {
	texts := make([]string, len(r.Shortcomings))
	for i, f := range r.Shortcomings {
		texts[i] = f.Message + " (" + f.Fix + ")"
	}
	return strings.Join(texts, "; ")
}

// otherAccount: this is not the role that is meant, so nothing that we see counts.
func otherAccount(r roleRun) (RoleDecision, bool) {
	faults := reviewARN(r.Desired, r.observed.ARN).Shortcomings
	if r.absent || len(faults) == 0 {
		return undecided()
	}
	return decided(RoleActionBlocked, faults[0].Reason, faults[0].Message)
}

// foreignRole: without our mark alone, the role is verified and left as it is.
func foreignRole(r roleRun) (RoleDecision, bool) {
	if !r.ensuring() || r.ours() {
		return undecided()
	}
	d, ok := r.fitness()
	if d.Action == RoleActionNoOp {
		d.Reason = ReasonRoleNotOurs
		d.Message += "; it is " + r.ownership() + " and stays as it is"
	}
	return d, ok
}

// ownership describes whose the role is.
func (r roleRun) ownership() string {
	if len(r.others) == 0 {
		return string(r.state)
	}
	return string(r.state) + " (" + enumerate(r.others) + ")"
}
