// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// The rules about one profile that is ACTIVE and ours.

// forgetPeer is S5 of a replacement, and the end of every way back. It wants the
// list of the cluster: without the mark, nobody looks for a leftover any more.
func forgetPeer(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || p.Peer() == "" || !s.equal(p) {
		return Decision{}, false
	}
	d := s.decision(ActionUpdateTags, ReasonForgettingPeer, p, "the peer %s of profile %s is gone: removing the mark", p.Peer(), p.Spec.Name)
	return s.forgetMark(d, p), true
}

// confirm ends a creation. Two writers that know different versions, or different
// policies of names, can both find the logical name absent and both create, since
// their names at EKS differ. Nobody who looks at the first of two could know of the
// other, but the later one begins after the first is ACTIVE: whoever looks at it while
// it bears the mark of a new one finds both. That comes before all that could keep the
// profile as it is.
func confirm(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || !p.unconfirmed() {
		return Decision{}, false
	}
	d := s.decision(ActionUpdateTags, ReasonConfirming, p, "profile %s is ACTIVE and the only one for %s: removing the mark of a new one", p.Spec.Name, s.desired.Spec.Name)
	d.Reached = s.equal(p) && s.tagChanges(p).Empty()
	return s.forgetMark(d, p), true
}

// forgetMark removes the mark of a peer, after a look at the list.
func (s *situation) forgetMark(d Decision, p *physical) Decision {
	d.Call, d.RequeueAfter = s.untag(p, owner.PeerKey), afterWrite
	if !s.in.Listed && s.in.Cluster == nil {
		d.Unchecked = []Precondition{PreconditionList}
	}
	return d
}

func updateTags(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok {
		return Decision{}, false
	}
	diff := s.tagChanges(p)
	if diff.Empty() {
		return Decision{}, false
	}
	if d, full := s.tooManyTags(p, diff.Set, diff.Remove...); full {
		return d, true
	}
	reason := ReasonMarksDiffer
	if diff.User {
		reason = ReasonTagsDiffer
	}
	// Removals come first: a kill between the two calls then leaves the memory of
	// claimed keys too large, which the next step mends, and never too small.
	if len(diff.Remove) > 0 {
		return s.removeTags(p, reason, diff), true
	}
	d := s.decision(ActionUpdateTags, reason, p, "profile %s: %s", p.Spec.Name, tagDiffText(diff))
	d.Call, d.RequeueAfter = s.tag(p, diff.Set), afterWrite
	return d, true
}

// tagChanges are the changes of the user's tags and of our marks.
func (s *situation) tagChanges(p *physical) tagdiff.Diff {
	diff := s.tagDiff(p)
	for key, value := range s.ownTags() {
		if p.Spec.Tags[key] != value {
			diff.Set[key] = value
		}
	}
	return diff
}

func (s *situation) tagDiff(p *physical) tagdiff.Diff {
	return tagdiff.Compute(tagdiff.Input{Desired: s.tags, Observed: p.Spec.Tags, Untagged: s.in.Memory.Untagged, Exact: s.policy.TagMode == TagsExact})
}

func (s *situation) removeTags(p *physical, r Reason, diff tagdiff.Diff) Decision {
	d := s.decision(ActionUpdateTags, r, p, "profile %s: %s", p.Spec.Name, tagDiffText(diff))
	d.Call, d.RequeueAfter = s.untag(p, diff.Remove...), afterWrite
	return d
}

func tagDiffText(diff tagdiff.Diff) string {
	if len(diff.Remove) > 0 {
		return "removing the tags " + strings.Join(diff.Remove, ", ")
	}
	return "setting the tags " + strings.Join(slices.Sorted(maps.Keys(diff.Set)), ", ")
}

func replacementForbidden(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || s.equal(p) {
		return Decision{}, false
	}
	return s.blocked(ReasonReplacementForbidden, p, "profile %s differs in what cannot change (%s): restore the desired state, or allow a replacement by policy.replacement",
		p.Spec.Name, s.drift(p).immutable()), true
}

func degraded(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || len(p.Issues) == 0 {
		return Decision{}, false
	}
	return s.settled(ReasonDegraded, p, "profile %s is ACTIVE, but degraded: %s", p.Spec.Name, issuesText(p.Issues)), true
}

func inSync(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok {
		return Decision{}, false
	}
	return s.settled(ReasonInSync, p, "profile %s is ACTIVE and as desired", p.Spec.Name), true
}

// settled ends the row of failures.
func (s *situation) settled(r Reason, p *physical, format string, args ...any) Decision {
	d := s.decision(ActionNoOp, r, p, format, args...)
	d.Reached = true
	d.Memory = d.Memory.Forget()
	d.Memory.QuotaRefused, d.Memory.Untagged = false, nil
	return d
}
