// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

// rule is one link of the decision chain. The texts are for people: the table of
// the documents is made from them.
type rule struct {
	name string
	when string
	then string
	// decide returns false where the rule does not apply.
	decide func(*situation) (Decision, bool)
}

// Decide says what must happen next to reach the desired state, and why. It is a
// pure function: the same input gives the same decision, nothing is read and
// nothing is written. At most one call follows from a decision; decide again
// after it.
//
// The rules are tried in order and the first that applies decides. A test keeps
// what follows, and docs/decision.md, equal to the code. Decide never panics,
// whatever the input.
//
// When the profile is desired:
//
//	invalid: the desired state or the policy is invalid -> blocked InvalidDesired
//	wrong place: account or region contradict the remembered ARN -> blocked WrongPlace
//	no cluster: EKS has no such cluster -> blocked ClusterNotFound
//	too many: more than two profiles bear our marks -> blocked TooManyProfiles
//	others deleting: a profile that is not ours has the name and is DELETING -> wait Deleting
//	contested: two owners claim a profile -> update-tags TakingOver from owners that the policy names, else blocked Contested
//	foreign: another owner has the profile -> update-tags TakingOver from owners that the policy names, else blocked Foreign
//	unowned: the profile bears no mark -> update-tags Adopting as the policy allows, else blocked Unowned or AdoptionDrift
//	stale: a newer generation wrote to the profile -> blocked StaleDesired
//	finish take-over: the mark of a tool that the policy names is still there -> update-tags TakingOver
//	deleting: one of the profiles is DELETING -> wait Deleting
//	creating: one of the profiles is CREATING -> wait Creating
//	unknown status: one of the profiles has an unknown status -> wait UnknownStatus
//	successor stuck: the successor is DELETE_FAILED -> replace RollingBack with backoff and budget, behind the drain gate
//	successor ready: the successor is ACTIVE and equal -> replace DeletingPredecessor, behind policy, health and drain gate; or on to the next rule where both are equal and the way back is the better one
//	roll back: the predecessor is ACTIVE and equal again -> replace RollingBack, behind the drain gate
//	successor failed: the successor is equal and CREATE_FAILED -> replace RecoveringCreate with backoff and budget
//	predecessor stuck: the predecessor is CREATE_FAILED or DELETE_FAILED -> replace DeletingPredecessor with backoff and budget, behind the drain gate
//	start over: neither profile is equal -> replace StartingOver, behind policy and drain gate
//	create failed: the profile is CREATE_FAILED -> delete RecoveringCreate with backoff and budget
//	delete failed: the profile is DELETE_FAILED -> delete RecoveringDelete with backoff and budget, behind the drain gate
//	role: the profile is absent and the role is not ready -> wait RoleNotReady, blocked RoleBlocked or RoleNotTrusted
//	no slot: the profile is absent and the known quota is used up -> blocked QuotaExceeded
//	create: the profile is absent -> create Absent, when a role is known
//	confirm: the profile is new -> update-tags Confirming, after a look at the list
//	replace, create-first: an immutable field differs and the policy is create-first -> replace NamingSuccessor, then CreatingSuccessor, after the preconditions
//	replace, delete-first: an immutable field differs and the policy is delete-first -> replace DeletingFirst, after the preconditions and the drain gate
//	forget peer: the peer that a mark names is gone -> update-tags ForgettingPeer, after a look at the list
//	tags: tags or marks differ -> update-tags TagsDiffer or MarksDiffer: removals first, then values
//	forbidden: an immutable field differs and the policy forbids a replacement -> blocked ReplacementForbidden
//	degraded: the profile is ACTIVE and equal, with health issues -> no-op Degraded
//	in sync: the profile is ACTIVE and equal -> no-op InSync
//
// When it must not be there:
//
//	invalid: cluster, name, owner or policy.deletion are invalid -> blocked InvalidDesired
//	wrong place: account or region contradict the remembered ARN -> blocked WrongPlace
//	cluster gone: EKS has no such cluster -> no-op ClusterGone
//	gone: no profile of that name is there -> no-op Gone
//	contested: two owners claim a profile -> blocked Contested
//	not ours: the profile is unowned or foreign -> no-op NotOurs
//	stale: a newer generation wrote to the profile -> blocked StaleDesired
//	deleting: one of the profiles is DELETING -> wait Deleting
//	creating: one of the profiles is CREATING -> wait Creating
//	unknown status: one of the profiles has an unknown status -> wait UnknownStatus
//	release: the policy is to release -> update-tags Releasing
//	delete failed: the profile is DELETE_FAILED -> delete RecoveringDelete with backoff and budget
//	delete: the profile is ours -> delete Undesired
func Decide(in Input) Decision {
	return decide(newSituation(in), chain(in.Absent))
}

// chain is the row of rules for a profile that must or must not be there.
func chain(absent bool) []rule {
	if absent {
		return absentRules()
	}
	return presentRules()
}

func decide(s *situation, rules []rule) Decision {
	for _, r := range rules {
		if d, ok := r.decide(s); ok {
			d.Memory.Version, d.Memory.Reason, d.Memory.Message = MemoryVersion, d.Reason, d.Message
			return d
		}
	}
	// The last rule of each chain always applies; this keeps Decide total.
	return s.blocked(ReasonInvalidDesired, nil, "no rule applies to %s", s.name())
}

// presentRules decide when the profile is desired, one rule a line.
func presentRules() []rule {
	return []rule{
		{"invalid", "the desired state or the policy is invalid", "blocked InvalidDesired", invalidDesired},
		{"wrong place", "account or region contradict the remembered ARN", "blocked WrongPlace", wrongPlace},
		{"no cluster", "EKS has no such cluster", "blocked ClusterNotFound", clusterNotFound},
		{"too many", "more than two profiles bear our marks", "blocked TooManyProfiles", tooManyProfiles},
		{"others deleting", "a profile that is not ours has the name and is DELETING", "wait Deleting", othersDeleting},
		{"contested", "two owners claim a profile", "update-tags TakingOver from owners that the policy names, else blocked Contested", contested},
		{"foreign", "another owner has the profile", "update-tags TakingOver from owners that the policy names, else blocked Foreign", foreign},
		{"unowned", "the profile bears no mark", "update-tags Adopting as the policy allows, else blocked Unowned or AdoptionDrift", unowned},
		{"stale", "a newer generation wrote to the profile", "blocked StaleDesired", stale},
		{"finish take-over", "the mark of a tool that the policy names is still there", "update-tags TakingOver", finishTakeOver},
		{"deleting", "one of the profiles is DELETING", "wait Deleting", deleting},
		{"creating", "one of the profiles is CREATING", "wait Creating", creating},
		{"unknown status", "one of the profiles has an unknown status", "wait UnknownStatus", unknownStatus},
		{"successor stuck", "the successor is DELETE_FAILED", "replace RollingBack with backoff and budget, behind the drain gate", successorStuck},
		{"successor ready", "the successor is ACTIVE and equal", "replace DeletingPredecessor, behind policy, health and drain gate; or on to the next rule where both are equal and the way back is the better one", successorReady},
		{"roll back", "the predecessor is ACTIVE and equal again", "replace RollingBack, behind the drain gate", rollBack},
		{"successor failed", "the successor is equal and CREATE_FAILED", "replace RecoveringCreate with backoff and budget", successorFailed},
		{"predecessor stuck", "the predecessor is CREATE_FAILED or DELETE_FAILED", "replace DeletingPredecessor with backoff and budget, behind the drain gate", predecessorStuck},
		{"start over", "neither profile is equal", "replace StartingOver, behind policy and drain gate", startOver},
		{"create failed", "the profile is CREATE_FAILED", "delete RecoveringCreate with backoff and budget", createFailed},
		{"delete failed", "the profile is DELETE_FAILED", "delete RecoveringDelete with backoff and budget, behind the drain gate", deleteFailed},
		{"role", "the profile is absent and the role is not ready", "wait RoleNotReady, blocked RoleBlocked or RoleNotTrusted", roleNotReady},
		{"no slot", "the profile is absent and the known quota is used up", "blocked QuotaExceeded", noSlot},
		{"create", "the profile is absent", "create Absent, when a role is known", createAbsent},
		{"confirm", "the profile is new", "update-tags Confirming, after a look at the list", confirm},
		{"replace, create-first", "an immutable field differs and the policy is create-first", "replace NamingSuccessor, then CreatingSuccessor, after the preconditions", replaceCreateFirst},
		{"replace, delete-first", "an immutable field differs and the policy is delete-first", "replace DeletingFirst, after the preconditions and the drain gate", replaceDeleteFirst},
		{"forget peer", "the peer that a mark names is gone", "update-tags ForgettingPeer, after a look at the list", forgetPeer},
		{"tags", "tags or marks differ", "update-tags TagsDiffer or MarksDiffer: removals first, then values", updateTags},
		{"forbidden", "an immutable field differs and the policy forbids a replacement", "blocked ReplacementForbidden", replacementForbidden},
		{"degraded", "the profile is ACTIVE and equal, with health issues", "no-op Degraded", degraded},
		{"in sync", "the profile is ACTIVE and equal", "no-op InSync", inSync},
	}
}

// absentRules decide when the profile must not be there, one rule a line.
func absentRules() []rule {
	return []rule{
		{"invalid", "cluster, name, owner or policy.deletion are invalid", "blocked InvalidDesired", invalidAbsent},
		{"wrong place", "account or region contradict the remembered ARN", "blocked WrongPlace", wrongPlace},
		{"cluster gone", "EKS has no such cluster", "no-op ClusterGone", clusterGone},
		{"gone", "no profile of that name is there", "no-op Gone", gone},
		{"contested", "two owners claim a profile", "blocked Contested", contestedAbsent},
		{"not ours", "the profile is unowned or foreign", "no-op NotOurs", notOurs},
		{"stale", "a newer generation wrote to the profile", "blocked StaleDesired", stale},
		{"deleting", "one of the profiles is DELETING", "wait Deleting", deleting},
		{"creating", "one of the profiles is CREATING", "wait Creating", creating},
		{"unknown status", "one of the profiles has an unknown status", "wait UnknownStatus", unknownStatus},
		{"release", "the policy is to release", "update-tags Releasing", release},
		{"delete failed", "the profile is DELETE_FAILED", "delete RecoveringDelete with backoff and budget", deleteFailedAbsent},
		{"delete", "the profile is ours", "delete Undesired", deleteUndesired},
	}
}
