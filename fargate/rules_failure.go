// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "time"

// The rules about failures. The first recovery is tried at once, each further one
// after a backoff, until the budget of the policy ends. What EKS says of the
// failure stands in the decision from the first look on.

const (
	failureBackoff    = 30 * time.Second
	failureBackoffMax = 10 * time.Minute
)

func createFailed(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || p.Status != StatusCreateFailed {
		return Decision{}, false
	}
	return s.recover(p, ActionDelete, ReasonRecoveringCreate, TroubleCreateFailed), true
}

func deleteFailed(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || p.Status != StatusDeleteFailed {
		return Decision{}, false
	}
	return s.recover(p, ActionDelete, ReasonRecoveringDelete, TroubleDeleteFailed), true
}

func deleteFailedAbsent(s *situation) (Decision, bool) {
	for _, p := range s.row {
		if p.Status == StatusDeleteFailed && p.ownership == OwnershipOwned {
			return s.recover(p, ActionDelete, ReasonRecoveringDelete, TroubleDeleteFailed), true
		}
	}
	return Decision{}, false
}

// recover deletes a profile that failed, within backoff and budget.
func (s *situation) recover(p *physical, a Action, r Reason, t Trouble) Decision {
	before := s.in.Memory.Attempts[t]
	if before.Count >= s.policy.Attempts {
		return s.budgetEnded(p, t, before)
	}
	next := before.Last.Add(Backoff(before.Count, failureBackoff, failureBackoffMax))
	// A failure in the future is one of another clock: waiting for it could take
	// for ever.
	if left := next.Sub(s.in.Now); before.Count > 0 && left > 0 && !before.Last.After(s.in.Now) {
		return s.wait(ReasonBackingOff, p, left, "profile %s is %s again; trying to recover it (%d of %d) at %s: %s",
			p.Spec.Name, p.Status, before.Count+1, s.policy.Attempts, next.UTC().Format(time.RFC3339), issuesText(p.Issues))
	}
	if d, closed := s.drainGate(p); closed {
		return d
	}
	d := s.decision(a, r, p, "profile %s is %s: deleting it (%d of %d): %s", p.Spec.Name, p.Status, before.Count+1, s.policy.Attempts, issuesText(p.Issues))
	d.Call, d.RequeueAfter = s.delete(p), afterChange
	d.Memory = d.Memory.Count(t, s.in.Now)
	return d
}

func (s *situation) budgetEnded(p *physical, t Trouble, a Attempt) Decision {
	r, remedy := ReasonCreateFailed, "mend the cause and delete the profile, or change the desired state"
	if t == TroubleDeleteFailed {
		r, remedy = ReasonDeleteFailed, "mend the cause and delete the profile by hand"
	}
	if s.policy.Attempts == 0 {
		return s.blocked(r, p, "profile %s is %s and policy.attempts allows no recovery: %s; mend the cause and delete the profile by hand",
			p.Spec.Name, p.Status, issuesText(p.Issues))
	}
	return s.blocked(r, p, "profile %s is %s and was recovered %d times since %s: %s; then %s",
		p.Spec.Name, p.Status, a.Count, a.First.UTC().Format(time.RFC3339), issuesText(p.Issues), remedy)
}
