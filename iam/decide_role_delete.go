// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"slices"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/internal/owner"
)

const (
	// DeletingTag marks a role that is going to be deleted; its value is since
	// when. Whoever still wants the role removes the tag.
	DeletingTag = owner.Prefix + "deleting"

	// DeletionDelay is how long the mark must stand before the role is deleted:
	// long enough for a writer who wants the role to be seen through IAM's
	// eventual consistency.
	DeletionDelay = 10 * time.Second
)

// The rules from here on are those of ModeDelete: every other mode has been
// decided.

func goneRole(r roleRun) (RoleDecision, bool) {
	if !r.absent {
		return undecided()
	}
	return RoleDecision{Action: RoleActionNoOp, Reason: ReasonRoleGone, Message: "the role " + r.Desired.RoleName() + " is gone", Gone: true}, true
}

// keptRole: what is not ours is not deleted.
func keptRole(r roleRun) (RoleDecision, bool) {
	if r.ours() {
		return undecided()
	}
	return decided(RoleActionNoOp, ReasonRoleNotOurs, "the role "+r.observed.ARN+" is "+r.ownership()+" and is kept")
}

func unknownUsers(r roleRun) (RoleDecision, bool) {
	if r.Users.Known {
		return undecided()
	}
	return decided(RoleActionWait, ReasonUsersUnknown, "which profiles of the cluster use the role is not known")
}

func usedRole(r roleRun) (RoleDecision, bool) {
	if len(r.Users.Profiles) == 0 {
		return undecided()
	}
	return decided(RoleActionNoOp, ReasonRoleInUse, "the role is used by "+enumerate(slices.Sorted(slices.Values(r.Users.Profiles)))+" and is kept")
}

// foreignPolicies: an inline policy that is not ours is lost with the role.
func foreignPolicies(r roleRun) (RoleDecision, bool) {
	var foreign []string
	for _, name := range slices.Sorted(slices.Values(r.observed.InlinePolicies)) {
		if _, ours := r.Desired.InlinePolicies[name]; !ours {
			foreign = append(foreign, name)
		}
	}
	if r.Desired.Force || len(foreign) == 0 {
		return undecided()
	}
	return decided(RoleActionBlocked, ReasonForeignPolicies,
		"the role holds inline policies that are not ours: "+strings.Join(foreign, ", ")+"; remove them, or force the deletion")
}

// announceDeletion marks the role, so that a writer who still wants it can say so.
func announceDeletion(r roleRun) (RoleDecision, bool) {
	if age, ok := r.announced(); ok && age > -DeletionDelay {
		return undecided()
	}
	return r.call(RoleActionDelete, ReasonDeletionAnnounced, "no profile uses the role; it is marked for deletion",
		Call{Operation: OpTagRole, Tags: map[string]string{DeletingTag: r.Now.UTC().Format(time.RFC3339)}})
}

// announced is how long ago the mark was set. A mark that can't be read, or is
// from a clock that is far ahead, counts as none.
func (r roleRun) announced() (time.Duration, bool) {
	since, err := time.Parse(time.RFC3339, r.observed.Tags[DeletingTag])
	return r.Now.Sub(since), err == nil
}

func youngAnnouncement(r roleRun) (RoleDecision, bool) {
	age, _ := r.announced()
	if age >= DeletionDelay {
		return undecided()
	}
	d, ok := decided(RoleActionWait, ReasonDeletionAnnounced, "the role was marked for deletion just now")
	d.RequeueAfter = DeletionDelay - age
	return d, ok
}

func detachPolicy(r roleRun) (RoleDecision, bool) {
	return r.deleteFirst(r.observed.AttachedPolicies, func(policy string) Call {
		return Call{Operation: OpDetachRolePolicy, PolicyARN: policy}
	})
}

func deleteInlinePolicy(r roleRun) (RoleDecision, bool) {
	return r.deleteFirst(r.observed.InlinePolicies, func(policy string) Call {
		return Call{Operation: OpDeleteRolePolicy, PolicyName: policy}
	})
}

func leaveInstanceProfile(r roleRun) (RoleDecision, bool) {
	return r.deleteFirst(r.observed.InstanceProfiles, func(profile string) Call {
		return Call{Operation: OpRemoveRoleFromInstanceProfile, InstanceProfile: profile}
	})
}

func deleteRole(r roleRun) (RoleDecision, bool) {
	return r.deleteFirst([]string{r.observed.ARN}, func(string) Call { return Call{Operation: OpDeleteRole} })
}

// deleteFirst takes the first of the things that stand in the way of the
// deletion, so that each is its own step.
func (r roleRun) deleteFirst(things []string, call func(string) Call) (RoleDecision, bool) {
	if len(things) == 0 {
		return undecided()
	}
	first := slices.Min(things)
	return r.call(RoleActionDelete, ReasonRoleUnused, "no profile uses the role any more; "+first+" goes", call(first))
}
