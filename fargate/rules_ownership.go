// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// The rules about whose the profile is.

// othersDeleting waits for a name that becomes free by itself.
func othersDeleting(s *situation) (Decision, bool) {
	p, ok := s.single()
	if !ok || p.Status != StatusDeleting || p.ownership == OwnershipOwned {
		return Decision{}, false
	}
	return s.wait(ReasonDeleting, p, progressAfter(s.sinceStatus()), "profile %s is not ours and is DELETING: the name is free when it is gone", p.Spec.Name), true
}

func contested(s *situation) (Decision, bool) {
	p := s.owned(OwnershipContested)
	if p == nil {
		return Decision{}, false
	}
	if !s.mayTakeFrom(p.owners) {
		return s.contestedBy(p, "remove the owner tag that is wrong, or name the other owner in policy.takeOverFrom"), true
	}
	if newer := s.newer(); newer != nil {
		return s.staleBy(newer), true
	}
	if d, wait := s.untilTagged(p); wait {
		return d, true
	}
	d := s.decision(ActionUpdateTags, ReasonTakingOver, p, "taking profile %s over from %s: removing their marks", p.Spec.Name, strings.Join(p.owners, ", "))
	d.Call, d.RequeueAfter = s.untag(p, s.marksOf(p)...), afterWrite
	return d, true
}

func contestedAbsent(s *situation) (Decision, bool) {
	p := s.owned(OwnershipContested)
	if p == nil {
		return Decision{}, false
	}
	return s.contestedBy(p, "remove the owner tag that is wrong"), true
}

// newer is the first profile of the row that a newer generation of ours wrote to. On one
// that others claim, too, the generation is theirs where we have none.
func (s *situation) newer() *physical {
	for _, p := range s.row {
		if (p.ownership == OwnershipOwned || s.desired.Generation > 0) && p.marked > s.desired.Generation {
			return p
		}
	}
	return nil
}

func (s *situation) contestedBy(p *physical, help string) Decision {
	return s.blocked(ReasonContested, p, "profile %s bears our mark and that of %s, and nobody may write: %s",
		p.Spec.Name, strings.Join(p.owners, ", "), help)
}

func foreign(s *situation) (Decision, bool) {
	p := s.owned(OwnershipForeign)
	if p == nil {
		return Decision{}, false
	}
	if !s.mayTakeFrom(p.owners) {
		return s.blocked(ReasonForeign, p, "profile %s belongs to %s: choose another name, or name that owner in policy.takeOverFrom",
			p.Spec.Name, strings.Join(p.owners, ", ")), true
	}
	return s.claim(p, ReasonTakingOver, "taking profile "+p.Spec.Name+" over from "+strings.Join(p.owners, ", ")), true
}

func unowned(s *situation) (Decision, bool) {
	p := s.owned(OwnershipUnowned)
	switch {
	case p == nil:
		return Decision{}, false
	case s.policy.Adoption == AdoptionNever:
		return s.blocked(ReasonUnowned, p, "profile %s exists and bears no owner mark: choose another name, or set policy.adoption to whenEqual or always", p.Spec.Name), true
	case s.policy.Adoption == AdoptionWhenEqual && !s.equal(p):
		return s.blocked(ReasonAdoptionDrift, p, "profile %s is not adopted, since it differs (%s): align the desired state, or set policy.adoption to always",
			p.Spec.Name, s.drift(p).immutable()), true
	}
	return s.claim(p, ReasonAdopting, "adopting profile "+p.Spec.Name), true
}

// claim puts our marks on a profile. Tags are only written where the status lets
// us, and never in the middle of somebody's replacement.
func (s *situation) claim(p *physical, r Reason, message string) Decision {
	if p.Peer() != "" {
		return s.blocked(ReasonAdoptionMidway, p, "profile %s is in the middle of a replacement with %s: let its owner finish first, or remove the tag %s",
			p.Spec.Name, p.Peer(), owner.PeerKey)
	}
	if d, wait := s.untilTagged(p); wait {
		return d
	}
	marks := s.ownTags()
	// What a former owner left would speak for us from now on: its memory of keys
	// that it set, and its generation.
	for key, nothing := range map[string]string{owner.TagsKey: tagdiff.NoClaims, owner.Tags2Key: tagdiff.NoClaims, owner.GenerationKey: "0"} {
		_, there := p.Spec.Tags[key]
		if _, ours := marks[key]; there && !ours {
			marks[key] = nothing
		}
	}
	if d, full := s.tooManyTags(p, marks); full {
		return d
	}
	d := s.decision(ActionUpdateTags, r, p, "%s: writing our marks", message)
	d.Call, d.RequeueAfter = s.tag(p, marks), afterWrite
	return d
}

// finishTakeOver removes the mark of another tool when ours is there already.
func finishTakeOver(s *situation) (Decision, bool) {
	for _, p := range s.row {
		keys := slices.DeleteFunc(owner.Legacy(p.Spec.Tags), func(key string) bool {
			_, wanted := s.tags[key]
			return wanted || !slices.Contains(s.policy.TakeOverFrom, key)
		})
		if len(keys) == 0 {
			continue
		}
		if d, wait := s.untilTagged(p); wait {
			return d, true
		}
		d := s.decision(ActionUpdateTags, ReasonTakingOver, p, "taking profile %s over: removing %s", p.Spec.Name, strings.Join(keys, ", "))
		d.Call, d.RequeueAfter = s.untag(p, keys...), afterWrite
		return d, true
	}
	return Decision{}, false
}

func stale(s *situation) (Decision, bool) {
	for _, p := range s.row {
		if p.marked > s.desired.Generation {
			return s.staleBy(p), true
		}
	}
	return Decision{}, false
}

func (s *situation) staleBy(p *physical) Decision {
	return s.blocked(ReasonStaleDesired, p, "generation %d of %s is older than %d, which wrote to profile %s: read the desired state again, or remove the tag %s",
		s.desired.Generation, s.name(), p.marked, p.Spec.Name, owner.GenerationKey)
}

func notOurs(s *situation) (Decision, bool) {
	for _, p := range s.row {
		if p.ownership == OwnershipOwned {
			return Decision{}, false
		}
	}
	p := s.newest()
	return s.decision(ActionNoOp, ReasonNotOurs, p, "profile %s is %s and is left alone: nothing of ours is there", p.Spec.Name, p.ownership), true
}

// owned is the first profile in that state of ownership.
func (s *situation) owned(o Ownership) *physical {
	for _, p := range s.row {
		if p.ownership == o {
			return p
		}
	}
	return nil
}

func (s *situation) mayTakeFrom(owners []string) bool {
	for _, o := range owners {
		if !slices.Contains(s.policy.TakeOverFrom, o) {
			return false
		}
	}
	return len(owners) > 0
}

// marksOf are the tags by which the other owners hold a profile: their marks, and
// what they remembered, which would make us remove tags that we never set.
func (s *situation) marksOf(p *physical) []string {
	var keys []string
	for _, o := range p.owners {
		if key, ok := owner.MarkKey(p.Spec.Tags, o); ok {
			keys = append(keys, key)
		}
	}
	for _, key := range []string{owner.TagsKey, owner.Tags2Key} {
		if _, ok := p.Spec.Tags[key]; ok {
			keys = append(keys, key)
		}
	}
	if _, ok := p.Spec.Tags[owner.GenerationKey]; ok && s.desired.Generation == 0 {
		keys = append(keys, owner.GenerationKey)
	}
	return keys
}

// untilTagged waits where EKS may not take tags: nobody has seen it accept them
// on a profile that is CREATING or DELETING.
func (s *situation) untilTagged(p *physical) (Decision, bool) {
	switch p.Status {
	case StatusActive, StatusCreateFailed, StatusDeleteFailed:
		return Decision{}, false
	case StatusCreating:
		return s.wait(ReasonCreating, p, progressAfter(s.age(p)), "profile %s is CREATING: its tags are written when that is over", p.Spec.Name), true
	case StatusDeleting:
		return s.wait(ReasonDeleting, p, progressAfter(s.sinceStatus()), "profile %s is DELETING", p.Spec.Name), true
	default:
		return s.unknown(p), true
	}
}

func (s *situation) tooManyTags(p *physical, set map[string]string, removed ...string) (Decision, bool) {
	count, fit := s.tagsFit(p, set, removed...)
	if fit {
		return Decision{}, false
	}
	return s.blocked(ReasonTooManyTags, p, "profile %s would have %d tags, more than the %d that AWS allows: remove some of the tags that others set", p.Spec.Name, count, s.limits.Tags), true
}
