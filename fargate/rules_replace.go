// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// The rules that begin a replacement. The protocol of create-first:
//
//	S0  mark the predecessor with the name of its successor
//	S1  create the successor, marked with the name of its predecessor
//	S2  wait until it is ACTIVE
//	S3  behind the drain gate, delete the predecessor
//	S4  wait until that is gone
//	S5  remove the mark from the successor
//
// Each state can be told from what EKS reports alone, so that a caller that lost
// its memory goes on where it was.

// replaceCreateFirst is S0 and S1.
func replaceCreateFirst(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || s.replacement() != ReplacementCreateFirst || s.equal(p) {
		return Decision{}, false
	}
	if p.generation == 0 {
		return s.blocked(ReasonNamesExhausted, p, "no derived name sorts before %s: replace once with delete-first, which starts again at %d", p.Spec.Name, firstGeneration), true
	}
	successor := derivedName(s.desired.Spec.Name, p.generation-1, s.version)
	if d, stop := s.successorBlocked(p, successor); stop {
		return d, true
	}
	if p.Peer() == successor {
		return s.createSuccessor(p, successor), true
	}
	return s.nameSuccessor(p, successor), true
}

// replacement is the policy, after what EKS said about the quota.
func (s *situation) replacement() Replacement {
	if s.policy.FallBackToDeleteFirst && s.policy.Replacement == ReplacementCreateFirst && (s.in.Memory.QuotaRefused || !s.slotFree()) {
		return ReplacementDeleteFirst
	}
	return s.policy.Replacement
}

func (s *situation) nameSuccessor(p *physical, successor string) Decision {
	marks := s.ownTags()
	marks[owner.PeerKey] = successor
	if d, full := s.tooManyTags(p, marks); full {
		// What goes anyway makes room.
		if diff := s.tagDiff(p); len(diff.Remove) > 0 {
			return s.removeTags(p, ReasonTagsDiffer, diff)
		}
		return d
	}
	d := s.decision(ActionReplace, ReasonNamingSuccessor, p, "replacing profile %s by %s (%s): marking it first", p.Spec.Name, successor, s.drift(p).immutable())
	d.Call, d.RequeueAfter = s.tag(p, marks), afterWrite
	d.Next, d.Predecessor, d.Warnings, d.Unchecked = successor, &p.Observed, s.costs(p, successor), s.unchecked(true)
	return d
}

// createSuccessor wants the list of the cluster once more: another writer may have
// made a successor under another name since S0.
func (s *situation) createSuccessor(p *physical, successor string) Decision {
	if s.desired.Spec.PodExecutionRoleARN == "" {
		s.desired.Spec.PodExecutionRoleARN = p.Spec.PodExecutionRoleARN
	}
	d := s.decision(ActionReplace, ReasonCreatingSuccessor, p, "replacing profile %s: creating its successor %s", p.Spec.Name, successor)
	d.Call, d.RequeueAfter = s.create(successor, p.Spec.Name), afterChange
	d.Next, d.Predecessor, d.Warnings, d.Unchecked = successor, &p.Observed, s.costs(p, successor), s.unchecked(true)
	return d
}

// successorBlocked checks the preconditions of S0 and S1, as far as the input
// lets it.
func (s *situation) successorBlocked(p *physical, successor string) (Decision, bool) {
	for _, q := range slices.Concat(s.in.Strangers, s.in.Cluster) {
		if q.Spec.Name == successor {
			return s.blocked(ReasonSuccessorNameTaken, p, "profile %s is not ours and has the name of the successor of %s: delete it, or change the desired state", successor, p.Spec.Name), true
		}
	}
	if !s.slotFree() {
		return s.blocked(ReasonQuotaExceeded, p, "cluster %s has %d profiles, and no slot of %d is left for the successor of %s: free one, or set policy.fallBackToDeleteFirst",
			s.desired.Spec.ClusterName, len(s.in.Cluster), s.limits.Profiles, p.Spec.Name), true
	}
	if between := s.overlapsBetween(p.Spec.Name, successor); len(between) > 0 {
		return s.blocked(ReasonOrderChanges, p, "%s sorts between %s and its successor %s and selects some of the same pods, so that they would change their profile: rename it, or use delete-first",
			strings.Join(between, ", "), p.Spec.Name, successor), true
	}
	return s.roleGate(p)
}

// overlapsBetween lists the third profiles that select some of the same pods and
// whose place in the order of names the successor would change. One of which that can't
// be told counts, too.
func (s *situation) overlapsBetween(predecessor, successor string) []string {
	low, high := min(predecessor, successor), max(predecessor, successor)
	var names []string
	for _, q := range s.in.Cluster {
		if q.Spec.Name <= low || high <= q.Spec.Name {
			continue
		}
		switch overlap(q.Spec.Selectors, s.desired.Spec.Selectors) {
		case selector.Overlaps:
			names = append(names, q.Spec.Name)
		case selector.Undecided:
			names = append(names, q.Spec.Name+" (perhaps)")
		default:
		}
	}
	return sortedSet(names)
}

// overlap is Overlaps where a pod is known that both select, Undecided where there may
// be one, else Disjoint.
func overlap(a, b []selector.Selector) selector.RelationKind {
	found := selector.Disjoint
	for _, x := range a {
		for _, y := range b {
			switch r := selector.Compare(x, y); {
			case r.Both != nil:
				return selector.Overlaps
			case r.Kind == selector.Undecided:
				found = selector.Undecided
			}
		}
	}
	return found
}

// costs says what a create-first replacement costs.
func (s *situation) costs(p *physical, successor string) []Warning {
	warnings := s.podsEnd(p)
	if successor > p.Spec.Name {
		warnings = append(warnings, Warning{
			Code:    WarningNewPodsStayOnPredecessor,
			Message: "profile " + successor + " sorts after " + p.Spec.Name + ": new pods that both select stay on " + p.Spec.Name + " until it is deleted",
		})
	}
	if pins := s.pinsTo(p.Spec.Name); len(pins) > 0 {
		warnings = append(warnings, Warning{
			Code: WarningPinsFallOut, Pods: pins,
			Message: "pods that name profile " + p.Spec.Name + " by label match nothing under the name " + successor + ": change the label",
		})
	}
	if s.in.Role == nil || s.in.Role.Trust == TrustUnknown {
		warnings = append(warnings, Warning{
			Code:    WarningTrustNamesProfile,
			Message: "the trust of the role must accept a profile of the name " + successor + "; nobody could read whether it does",
		})
	}
	return warnings
}

// podsEnd says that the pods of a profile end with it.
func (s *situation) podsEnd(p *physical) []Warning {
	pods, looked := s.podsOn(p.Spec.Name)
	if looked && len(pods) == 0 {
		return nil
	}
	return []Warning{{
		Code: WarningPodsEnd, Pods: pods,
		Message: "deleting profile " + p.Spec.Name + " ends its pods at once, without regard to disruption budgets",
	}}
}

// replaceDeleteFirst deletes the profile that is to be made again. It bets the old
// profile on the new one, so all that can be known must be good before.
func replaceDeleteFirst(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || s.replacement() != ReplacementDeleteFirst || s.equal(p) {
		return Decision{}, false
	}
	if d, stop := s.roleGate(p); stop {
		return d, true
	}
	if d, stop := s.roleMissing(p); stop {
		return d, true
	}
	if d, stop := s.roleUnverified(p); stop {
		return d, true
	}
	if d, closed := s.drainGate(p); closed {
		return d, true
	}
	d := s.decision(ActionReplace, ReasonDeletingFirst, p, "replacing profile %s (%s): deleting it, to be made again", p.Spec.Name, s.drift(p).immutable())
	d.Call, d.RequeueAfter = s.delete(p), afterChange
	d.Next, d.Predecessor, d.Unchecked = s.firstName(), &p.Observed, s.unchecked(false)
	d.Warnings = append(s.podsEnd(p), Warning{
		Code:    WarningNewPodsMatchNothing,
		Message: "pods that are created before the new profile is ACTIVE match nothing and are never retried: they must be made again",
	})
	return d, true
}

// roleUnverified stops where the role changes and nobody could read its trust.
func (s *situation) roleUnverified(p *physical) (Decision, bool) {
	changed := s.drift(p).Has(FieldRole)
	if !changed || s.policy.AllowUnverifiedRole || s.in.Role != nil && s.in.Role.Trust == TrustGiven {
		return Decision{}, false
	}
	d := s.blocked(ReasonRoleUnverified, p, "profile %s is not deleted, since nobody could read whether role %s trusts EKS: let the library read roles, or set policy.allowUnverifiedRole",
		p.Spec.Name, s.desired.Spec.PodExecutionRoleARN)
	d.Next, d.Unchecked = s.firstName(), s.unchecked(false)
	return d, true
}

// drainGate stands before a delete of a profile that is desired or replaced. It opens
// when the caller says so, and when all pods are known and none runs on the profile.
// A delete that failed can have left pods running: EKS does not say which it ended.
func (s *situation) drainGate(p *physical) (Decision, bool) {
	pods, looked := s.podsOn(p.Spec.Name)
	may := p.Status == StatusActive || p.Status == StatusDeleteFailed
	if s.policy.Drain != DrainConfirmed || !may || s.in.Absent || slices.Contains(s.desired.Drained, p.Spec.Name) || looked && len(pods) == 0 {
		return Decision{}, false
	}
	d := s.wait(ReasonDrainNotConfirmed, p, gateAfter, "profile %s is deleted when its pods are moved away: confirm it by naming the profile in drained", p.Spec.Name)
	d.Warnings = s.podsEnd(p)
	return d, true
}
