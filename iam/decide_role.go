// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"slices"

	"github.com/eksfargate/eksfargate/internal/owner"
)

// DecideRole decides what must happen to a pod execution role now: at most one
// call to IAM. Make the call, observe, and decide again, until the action is
// no-op or blocked.
//
// The first rule of this list that applies decides:
//
//	any mode           the desired role has a fault             blocked
//	bringYourOwn       always                                   no-op
//	verify             the role is absent, or lacks something   blocked
//	                   otherwise                                no-op
//	ensure, delete     the role is of another account           blocked
//	either, absent     we made it a moment ago                  wait
//	ensure, absent     always                                   create
//	ensure, not ours   the role lacks something                 blocked
//	                   otherwise                                no-op
//	ensure, ours       it serves another cluster                blocked
//	                   it is marked for deletion                update: remove the mark
//	                   its trust can't be read or mended        blocked
//	                   EKS may not assume it                    update: add a statement
//	                   a policy or the boundary is missing      update: attach, put
//	                   settings or tags differ                  update
//	                   otherwise                                no-op
//	delete, absent     always                                   no-op, gone
//	delete, not ours   always                                   no-op, kept
//	delete, ours       its users are not known                  wait
//	                   a profile uses it                        no-op, kept
//	                   its trust policy has anybody else in it  no-op, kept
//	                   it holds inline policies of others, or
//	                   is in an instance profile                blocked, unless forced
//	                   it has no mark for deletion              delete: mark it
//	                   the mark is young                        wait
//	                   otherwise                                delete: detach, delete
//	                                                            inline, leave instance
//	                                                            profiles, delete the role
//
// A role is ours when it carries the mark of the owner and no other. It is never
// deleted to be made again. What others attached, tagged or allowed stays.
func DecideRole(in RoleInput) RoleDecision {
	r := newRoleRun(in)
	var d RoleDecision
	for _, rule := range roleRules() {
		var applies bool
		if d, applies = rule(r); applies {
			break
		}
	}
	d.Review = r.review
	d.Memory = r.memory(d)
	return d
}

// roleRule returns a decision, or false where it does not apply.
type roleRule func(roleRun) (RoleDecision, bool)

func roleRules() []roleRule {
	return []roleRule{
		invalidRole,
		bringYourOwn,
		verifiedRole,
		otherAccount,
		invisibleRole,
		missingRole,
		foreignRole,
		clusterOfOther,
		cancelledDeletion,
		brokenTrust,
		missingTrust,
		missingPolicy,
		missingInlinePolicy,
		missingBoundary,
		driftedSettings,
		driftedTags,
		readyRole,
		goneRole,
		keptRole,
		unknownUsers,
		usedRole,
		sharedRole,
		foreignPolicies,
		foreignInstanceProfiles,
		announceDeletion,
		youngAnnouncement,
		detachPolicy,
		deleteInlinePolicy,
		leaveInstanceProfile,
		deleteRole,
	}
}

// roleRun is the input of a decision with what all rules need of it.
type roleRun struct {
	RoleInput
	observed ObservedRole
	absent   bool
	state    owner.State
	others   []string
	review   Review
}

func newRoleRun(in RoleInput) roleRun {
	r := roleRun{RoleInput: in, absent: in.Observed == nil}
	if !r.absent {
		r.observed = *in.Observed
		r.state, r.others = owner.Of(r.observed.Tags, in.Desired.Owner)
	}
	r.review = r.reviewed()
	if r.recreated() {
		r.review.warns(ReasonRoleRecreated,
			"the role was deleted and made again since the profiles were made; access entries know it by its old id and are dead",
			"delete and recreate the access entry of the role, or the profiles")
	}
	return r
}

// reviewed is what is to be said about the role, as far as it was looked at.
func (r roleRun) reviewed() Review {
	switch {
	case r.mode() == ModeBringYourOwn:
		return reviewARN(r.Desired, r.Desired.ARN)
	case r.absent:
		return Review{}
	case r.deleting():
		return reviewARN(r.Desired, r.observed.ARN)
	default:
		return ReviewRole(r.Desired, r.observed)
	}
}

func (r roleRun) mode() Mode     { return r.Desired.Mode.normal() }
func (r roleRun) ensuring() bool { return r.mode() == ModeEnsure }
func (r roleRun) deleting() bool { return r.mode() == ModeDelete }
func (r roleRun) ours() bool     { return !r.absent && r.state == owner.Owned }

// recreated reports whether another role has the name of the one that the
// profiles were made with, or will have it.
func (r roleRun) recreated() bool {
	switch {
	case r.Memory.RoleID == "" || r.deleting():
		return false
	case r.absent:
		return r.ensuring()
	default:
		return r.observed.ID != r.Memory.RoleID
	}
}

// memory is what to remember after the decision.
func (r roleRun) memory(d RoleDecision) RoleMemory {
	m := r.Memory
	if m.RoleID == "" || r.Users.Known && len(r.Users.Profiles) == 0 {
		// No profile depends on the id of an earlier role.
		m.RoleID = r.observed.ID
	}
	if d.Call != nil && slices.Contains([]Operation{OpCreateRole, OpUpdateAssumeRolePolicy}, d.Call.Operation) {
		m.ChangedAt = r.Now
	}
	m.Told = string(d.Reason)
	for _, w := range d.Review.Warnings {
		m.Told += " " + string(w.Reason)
	}
	return m
}

func (r roleRun) call(action RoleAction, reason Reason, message string, c Call) (RoleDecision, bool) {
	c.RoleName = orDefault(roleName(r.observed), r.Desired.RoleName())
	return RoleDecision{Action: action, Reason: reason, Message: message, Call: &c}, true
}

func decided(action RoleAction, reason Reason, message string) (RoleDecision, bool) {
	return RoleDecision{Action: action, Reason: reason, Message: message}, true
}

func undecided() (RoleDecision, bool) { return RoleDecision{}, false }
