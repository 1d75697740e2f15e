// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// judgeOutcome judges the end of a step.
func (h *history) judgeOutcome(s *stepping) {
	out, err := s.out, s.err
	if err != nil {
		if lifecycle.Classify(err).Code == "ResourceInUseException" {
			h.breaks(ruleInUse, "%s: %v", s.object, err)
		}
		if out.Settled || out.Gone {
			h.breaks(ruleOutcome, "%s: settled %v, gone %v, and the error %v", s.object, out.Settled, out.Gone, err)
		}
		return
	}
	did := out.Action == fargate.ActionCreate || out.Action == fargate.ActionDelete || out.Action == fargate.ActionReplace || out.Action == fargate.ActionUpdateTags
	// A denied read is blocked before anything is written.
	unread := out.Reason == fargate.ReasonAccessDenied && len(s.wrote) == 0
	switch {
	case did != (len(s.wrote) == 1 && !strings.Contains(s.wrote[0], "Role")) && out.Cause == nil, out.Cause != nil && len(s.wrote) != 1 && !unread:
		h.breaks(ruleOutcome, "%s: the action is %s (%s) after %v", s.object, out.Action, out.Reason, s.wrote)
	case !out.Settled && !out.Gone && out.RequeueAfter <= 0:
		h.breaks(ruleOutcome, "%s: %s (%s) says nothing of when to look again", s.object, out.Action, out.Reason)
	case len(out.Conditions) != 5 || (out.Conditions[0].Status == fargate.ConditionTrue) != out.Settled:
		h.breaks(ruleOutcome, "%s: settled is %v, and the conditions are %+v", s.object, out.Settled, out.Conditions)
	case len(out.Events) > 1:
		h.breaks(ruleOutcome, "%s: events %+v", s.object, out.Events)
	}
	if out.Settled {
		h.judgeSettled(s)
	}
	if out.Gone {
		h.judgeGone(s)
	}
	h.judgeDrift(s)
	h.judgeWayBack(s)
	h.judgeFailure(s)
}

// judgeWayBack judges the middle of a replacement whose predecessor is as desired again
// and whose successor is not: no policy forbids the way back, and it is told as one.
func (h *history) judgeWayBack(s *stepping) {
	ours := s.ours()
	if len(ours) != 2 || s.wish.absent {
		return
	}
	older, newer := inOrder(ours)
	if s.out.Profile == newer && active(ours[older]) && asDesired(s.wish.Desired, ours[older]) && !asDesired(s.wish.Desired, ours[newer]) &&
		(s.out.Reason == fargate.ReasonReplacementForbidden || s.out.Reason == fargate.ReasonStartingOver) {
		h.breaks(ruleWayBack, "%s: %s is as desired, %s is not, and the outcome is %s", s.object, older, newer, s.out.Reason)
	}
}

// inOrder are the predecessor and the successor of two: the plain name is the oldest,
// and derived ones count down.
func inOrder(ours map[string]*types.FargateProfile) (older, newer string) {
	names := sortedNames(ours)
	if len(names[0]) < len(names[1]) {
		return names[0], names[1]
	}
	return names[1], names[0]
}

// judgeSettled judges by what the step saw.
func (h *history) judgeSettled(s *stepping) {
	ours := s.ours()
	if len(ours) != 1 || s.wish.absent {
		h.breaks(ruleOutcome, "%s: settled with %d profiles", s.object, len(ours))
		return
	}
	for name, p := range ours {
		switch {
		case !asDesired(s.wish.Desired, p):
			h.breaks(ruleDrift, "%s: settled, and %s is %s", s.object, name, text(p))
		case !active(p), p.Tags[peerMark] != "" && (p.Tags[peerMark] != name || s.out.Call == nil), !owned(s.object, p):
			h.breaks(ruleOutcome, "%s: settled, and %s is %s", s.object, name, text(p))
		}
		for key, value := range s.wish.Spec.Tags {
			if p.Tags[key] != value {
				h.breaks(ruleDrift, "%s: settled, and tag %s of %s is %q", s.object, key, name, p.Tags[key])
			}
		}
	}
}

// judgeGone judges by what the step saw and, where nothing happened since the step
// began, by the truth.
func (h *history) judgeGone(s *stepping) {
	for name, p := range s.ours() {
		if owned(s.object, p) {
			h.breaks(ruleGone, "%s: gone, and %s was seen as %s", s.object, name, p.Status)
		}
	}
	if s.stale || h.changes != s.begun {
		return
	}
	view := h.view(s.object.cluster)
	for _, name := range sortedNames(view) {
		if owned(s.object, view[name]) {
			h.breaks(ruleGone, "%s: gone, and %s is %s", s.object, name, view[name].Status)
		}
	}
}

// judgeDrift judges whether an immutable difference was told.
func (h *history) judgeDrift(s *stepping) {
	ours := s.ours()
	if len(ours) != 1 || s.wish.absent {
		return
	}
	for name, p := range ours {
		if s.out.Profile == name && !asDesired(s.wish.Desired, p) && !s.out.Drift.RequiresReplacement() {
			h.breaks(ruleDrift, "%s: %s differs and the outcome %s has the drift %q", s.object, name, s.out.Reason, s.out.Drift)
		}
		if asDesired(s.wish.Desired, p) && s.out.Profile == name && s.out.Drift.RequiresReplacement() {
			h.breaks(ruleMeaning, "%s: %s does not differ and the outcome %s has the drift %q", s.object, name, s.out.Reason, s.out.Drift)
		}
	}
}

// judgeFailure judges whether what EKS says of a failure was told.
func (h *history) judgeFailure(s *stepping) {
	ours := s.ours()
	if len(ours) != 1 || s.out.Profile == "" {
		return
	}
	p := ours[s.out.Profile]
	if p == nil || p.Status != types.FargateProfileStatusCreateFailed && p.Status != types.FargateProfileStatusDeleteFailed {
		return
	}
	if p.Health != nil && len(p.Health.Issues) > len(s.out.Issues) {
		h.breaks(ruleFailure, "%s: %s is %s with %d issues, and the outcome %s tells %d", s.object, s.out.Profile, p.Status, len(p.Health.Issues), s.out.Reason, len(s.out.Issues))
	}
}

// The endings.

// comeToRest stops the faults and the edits: each object must come to the point
// where nothing is left to do, or where the reason for the block is plain to see.
func (h *history) comeToRest() {
	h.calm = true
	h.note("calm")
	h.rebuild(0.5)
	h.lookForTwins()
	for writes := -1; writes != h.tally.Writes && h.broken == nil; {
		writes = h.tally.Writes
		for _, p := range h.processes {
			h.settle(p)
		}
	}
	if h.broken != nil {
		return
	}
	h.judgeEnd(false)
	// A process that knows nothing must come to the same end without a write.
	writes := h.tally.Writes
	h.processes[0].forget()
	h.note("and again with an empty memory")
	h.settle(h.processes[0])
	if h.broken == nil && h.tally.Writes != writes {
		h.breaks(ruleLeftOver, "%d writes by a process that knows nothing, after all was settled", h.tally.Writes-writes)
	}
}

// comeToTheEnd lets all others go, and makes every policy permissive: now all must
// be as desired.
func (h *history) comeToTheEnd() {
	h.note("the others let go")
	h.rebuild(0)
	h.cloud.Advance(time.Hour)
	for _, cluster := range h.clusters {
		view := h.view(cluster)
		for _, name := range sortedNames(view) {
			h.letGo(view[name])
		}
	}
	h.cloud.Advance(time.Hour)
	for _, o := range h.objects {
		w := wish{copyOf(o.wish.Desired), o.wish.absent || o.rival}
		w.Policy = fargate.Policy{
			Replacement: fargate.ReplacementDeleteFirst, Name: w.Policy.Name, Adoption: fargate.AdoptionAlways, TagMode: w.Policy.TagMode,
			Deletion: fargate.DeletionDelete, AllowUnverifiedRole: true, Attempts: 1000,
		}
		h.publish(o, w)
	}
	h.settle(h.processes[0])
	if h.broken == nil {
		h.judgeEnd(true)
	}
}

// letGo removes what others have to do with a profile, and what is nobody's.
func (h *history) letGo(p *types.FargateProfile) {
	h.untag(p, ownerMark(stranger))
	// Two that may adopt can both write their marks at the same moment. Nobody writes
	// to what is contested, so that one of them must let go, of its generation, too.
	for _, o := range h.objects {
		if o.rival && o.cluster == *p.ClusterName && claimed(o, p) && len(othersOf(o, p)) > 0 {
			h.untag(p, ownerMark(o.owner), genMark)
		}
	}
	left := h.profile(context.Background(), *p.ClusterName, *p.FargateProfileName)
	_, foreign := h.foreign[*p.ClusterName+"/"+*p.FargateProfileName]
	owned := slices.ContainsFunc(slices.Collect(maps.Keys(left.Tags)), func(key string) bool { return strings.HasPrefix(key, ownerPrefix) })
	if owned && !foreign {
		return
	}
	if err := h.tryDelete(p); err != nil {
		panic(err)
	}
	h.cloud.Advance(time.Hour)
}

// mostRounds is many more than anything takes.
const mostRounds = 500

// settle lets a process alone step until nothing changes any more.
func (h *history) settle(p *process) {
	h.refresh(p)
	quiet := 0
	for range mostRounds {
		writes, ended := h.tally.Writes, true
		for _, o := range h.objects {
			out := h.finish(p, o)
			ended = ended && (out.Settled || out.Gone || out.Action == fargate.ActionBlocked)
			if h.broken != nil {
				return
			}
			if out.Reason == fargate.ReasonDrainNotConfirmed {
				w := wish{copyOf(o.wish.Desired), o.wish.absent}
				h.confirmDrain(o, &w)
				h.publish(o, w)
				h.refresh(p)
			}
		}
		if quiet++; writes != h.tally.Writes || !ended {
			quiet = 0
		}
		if quiet == 2 {
			return
		}
		h.cloud.Advance(h.soonest(p))
	}
	h.breaks(ruleSettles, "it does not settle in %d rounds", mostRounds)
}

func (h *history) refresh(p *process) {
	for _, o := range h.objects {
		p.wishes[o] = o.wish
	}
}

// finish makes one step from begin to end.
func (h *history) finish(p *process, o *object) lifecycle.Outcome {
	p.begin(o)
	s := p.step
	for p.step != nil {
		p.resume()
	}
	if s.err != nil {
		h.breaks(ruleSettles, "%s: %v", o, s.err)
	}
	return s.out
}

// soonest is how long nothing is due.
func (h *history) soonest(p *process) time.Duration {
	next := time.Hour
	for _, due := range p.due {
		next = min(next, due.Sub(h.cloud.Now()))
	}
	return max(next, time.Second)
}

// judgeEnd compares the truth with what is desired, and the block of an object
// with its cause. In the end, with everything allowed, there is no block.
func (h *history) judgeEnd(free bool) {
	p := h.processes[0]
	for _, o := range h.objects {
		out := h.finish(p, o)
		view := h.view(o.cluster)
		var ours []string
		for _, name := range sortedNames(view) {
			if claimed(o, view[name]) {
				ours = append(ours, name)
			}
		}
		switch {
		case out.Action == fargate.ActionBlocked && (free || !h.excuses(o, out, view, ours)):
			h.breaks(ruleSettles, "%s: blocked for %s (%s), and there are %v of ours among %v", o, out.Reason, out.Message, ours, sortedNames(view))
		case out.Action == fargate.ActionBlocked:
		case o.wish.absent && (!out.Gone || len(ours) > 0):
			h.breaks(ruleLeftOver, "%s: not desired, gone is %v and %v are left", o, out.Gone, ours)
		case !o.wish.absent && (!out.Settled || len(ours) != 1 || !asDesired(o.wish.Desired, view[ours[0]])):
			h.breaks(ruleLeftOver, "%s: desired, settled is %v and %v are there", o, out.Settled, ours)
		}
	}
	h.judgeForeign()
	h.judgeRolesLeft(free)
}

// judgeForeign looks whether the profiles of others are as they left them. Where an
// object may adopt or take over, the profile is its own by now.
func (h *history) judgeForeign() {
	for _, key := range slices.Sorted(maps.Keys(h.foreign)) {
		cluster, name, _ := strings.Cut(key, "/")
		if h.mayBecomeOurs(cluster, name) {
			continue
		}
		p := h.profile(context.Background(), cluster, name)
		if p == nil {
			h.breaks(ruleOwner, "the foreign profile %s is gone", key)
			return
		}
		for tag, value := range h.foreign[key] {
			if p.Tags[tag] != value {
				h.breaks(ruleOwner, "the foreign profile %s has %s=%q, want %q", key, tag, p.Tags[tag], value)
			}
		}
	}
}

// excuses reports whether the reason for a block is plain to see.
func (h *history) excuses(o *object, out lifecycle.Outcome, view map[string]*types.FargateProfile, ours []string) bool {
	p := view[out.Profile]
	differs := func(name string) bool { return !asDesired(o.wish.Desired, view[name]) }
	switch out.Reason {
	case fargate.ReasonClusterNotFound:
		return !h.stands(o.cluster)
	case fargate.ReasonForeign, fargate.ReasonUnowned, fargate.ReasonAdoptionDrift, fargate.ReasonAdoptionMidway:
		return p != nil && !owned(o, p)
	case fargate.ReasonContested:
		return p != nil && claimed(o, p) && !owned(o, p)
	case fargate.ReasonReplacementForbidden:
		if len(ours) == 0 {
			return false
		}
		// The way back is never forbidden.
		oldest := slices.MaxFunc(ours, func(a, b string) int { return cmp.Or(-cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
		back := len(ours) == 2 && active(view[oldest]) && !differs(oldest)
		return o.wish.Policy.Replacement == fargate.ReplacementForbid && slices.ContainsFunc(ours, differs) && !back
	case fargate.ReasonRoleUnverified:
		return !o.wish.Policy.AllowUnverifiedRole && slices.ContainsFunc(ours, differs)
	case fargate.ReasonQuotaExceeded:
		return len(view) >= 4
	case fargate.ReasonOrderChanges:
		return o.wish.Policy.Replacement == fargate.ReplacementCreateFirst && len(view) > len(ours)
	case fargate.ReasonSuccessorNameTaken:
		return slices.ContainsFunc(sortedNames(view), func(name string) bool { return derivedFrom(o.name, name) && !claimed(o, view[name]) })
	default:
		return false
	}
}

// mayBecomeOurs reports whether some object was ever allowed to take the profile.
func (h *history) mayBecomeOurs(cluster, name string) bool {
	return slices.ContainsFunc(h.objects, func(o *object) bool {
		return o.cluster == cluster && o.greedy && (o.name == name || derivedFrom(o.name, name))
	})
}
