// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "slices"

// The rules about a create-first replacement that is under way: predecessor and
// successor are both there, and neither is CREATING or DELETING.

// successorStuck asks again for the delete of a successor that would not go.
func successorStuck(s *situation) (Decision, bool) {
	_, n, ok := s.replacing()
	if !ok || n.Status != StatusDeleteFailed {
		return Decision{}, false
	}
	return s.recover(n, ActionReplace, ReasonRollingBack, TroubleDeleteFailed), true
}

// successorReady is S3.
func successorReady(s *situation) (Decision, bool) {
	o, n, ok := s.replacing()
	if !ok || n.Status != StatusActive || !s.equal(n) {
		return Decision{}, false
	}
	if o.Status != StatusActive {
		return s.deletePredecessor(o), true
	}
	// Where both are as desired, the way back is open, too.
	if s.equal(o) && s.backIsBetter(o, n) {
		return Decision{}, false
	}
	if d, stop := s.forwardForbidden(o, n); stop {
		return d, true
	}
	if d, stop := s.successorDegraded(o, n); stop {
		return d, true
	}
	if d, closed := s.drainGate(o); closed {
		return d, true
	}
	return s.deletePredecessor(o), true
}

// backIsBetter decides which of two goes that are as desired. Of twins it is the
// younger one, whatever the policy, so that writers whose policies differ agree; the
// other one has pods.
func (s *situation) backIsBetter(o, n *physical) bool {
	switch {
	case s.sicker(n, o):
		return true
	case twins(o, n):
		return !s.sicker(o, n) && !n.CreatedAt.Before(o.CreatedAt)
	default:
		return s.policy.Replacement == ReplacementForbid
	}
}

// forwardForbidden is midwayForbidden for S3: to take away one of two twins that are
// as desired replaces nothing.
func (s *situation) forwardForbidden(o, n *physical) (Decision, bool) {
	if s.equal(o) && twins(o, n) {
		return Decision{}, false
	}
	return s.midwayForbidden(o, n)
}

// twins reports whether two profiles are no replacement: neither names the other.
func twins(o, n *physical) bool { return o.Peer() != n.Spec.Name && n.Peer() != o.Spec.Name }

// successorDegraded keeps a healthy predecessor until its successor is healthy, too.
func (s *situation) successorDegraded(o, n *physical) (Decision, bool) {
	if !s.sicker(n, o) {
		return Decision{}, false
	}
	return s.wait(ReasonSuccessorDegraded, n, gateAfter, "profile %s stays until its successor %s is healthy, or until it is named in drained: %s",
		o.Spec.Name, n.Spec.Name, issuesText(n.Issues)), true
}

// sicker reports whether EKS has something to say against the successor and nothing
// against the predecessor. It does not matter where the pods were moved away.
func (s *situation) sicker(n, o *physical) bool {
	return len(n.Issues) > 0 && len(o.Issues) == 0 && !slices.Contains(s.desired.Drained, o.Spec.Name)
}

func (s *situation) deletePredecessor(o *physical) Decision {
	if o.Status == StatusDeleteFailed {
		return s.recover(o, ActionReplace, ReasonDeletingPredecessor, TroubleDeleteFailed)
	}
	d := s.decision(ActionReplace, ReasonDeletingPredecessor, o, "profile %s has a successor: deleting the predecessor", o.Spec.Name)
	d.Call, d.RequeueAfter, d.Predecessor = s.delete(o), afterChange, &o.Observed
	d.Warnings = s.podsEnd(o)
	return d
}

// rollBack is the way back while the predecessor still stands. It is allowed under
// every policy: it restores what was, and replaces nothing.
func rollBack(s *situation) (Decision, bool) {
	o, n, ok := s.replacing()
	if !ok || o.Status != StatusActive || !s.equal(o) {
		return Decision{}, false
	}
	return s.deleteSuccessor(n, ReasonRollingBack, "profile %s is as desired again: deleting its successor %s", o.Spec.Name, n.Spec.Name), true
}

func (s *situation) deleteSuccessor(n *physical, r Reason, format string, args ...any) Decision {
	if d, closed := s.drainGate(n); closed {
		return d
	}
	d := s.decision(ActionReplace, r, n, format, args...)
	d.Call, d.RequeueAfter = s.delete(n), afterChange
	d.Warnings = s.podsEnd(n)
	return d
}

func successorFailed(s *situation) (Decision, bool) {
	o, n, ok := s.replacing()
	if !ok || n.Status != StatusCreateFailed || !s.equal(n) {
		return Decision{}, false
	}
	if d, stop := s.midwayForbidden(o, n); stop {
		return d, true
	}
	return s.recover(n, ActionReplace, ReasonRecoveringCreate, TroubleCreateFailed), true
}

// predecessorStuck goes on with a predecessor whose delete failed, although the
// successor is not as desired: going back is no longer possible.
func predecessorStuck(s *situation) (Decision, bool) {
	o, _, ok := s.replacing()
	if !ok || o.Status == StatusActive {
		return Decision{}, false
	}
	return s.deletePredecessor(o), true
}

func startOver(s *situation) (Decision, bool) {
	o, n, ok := s.replacing()
	if !ok {
		return Decision{}, false
	}
	if d, stop := s.midwayForbidden(o, n); stop {
		return d, true
	}
	return s.deleteSuccessor(n, ReasonStartingOver, "the desired state changed while %s was replaced: deleting the successor %s", o.Spec.Name, n.Spec.Name), true
}

// midwayForbidden keeps both profiles where the policy was flipped to forbid in
// the middle: deleting either would be the replacement that it forbids.
func (s *situation) midwayForbidden(o, n *physical) (Decision, bool) {
	if s.policy.Replacement != ReplacementForbid {
		return Decision{}, false
	}
	return s.blocked(ReasonReplacementForbidden, n, "profile %s is half replaced by %s and the policy now forbids it: allow replacements to finish, or restore the desired state of before to go back",
		o.Spec.Name, n.Spec.Name), true
}
