// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"fmt"
	"maps"
	"slices"
)

// MoveKind says what a change of profiles does to a pod. The zero value is
// invalid.
type MoveKind string

// What a change of profiles does to a pod.
const (
	// MoveStays: the pod goes on where it is, be it on Fargate or not.
	MoveStays MoveKind = "stays"
	// MoveMoves: the pod ends with its profile, at once and without regard to
	// disruption budgets, and the one made in its place goes to Move.To. Of a pod
	// yet to be created: it goes to another profile than it would have.
	MoveMoves MoveKind = "moves"
	// MovePending: the pod ends with its profile, and no profile takes the one
	// made in its place. It stays Pending unless an EC2 node can run it. Of a pod
	// yet to be created: no profile takes it any more.
	MovePending MoveKind = "pending"
	// MoveStarts: a pod yet to be created will go to Fargate.
	MoveStarts MoveKind = "starts"
	// MoveRecreate: a profile would take the pod, but pods are placed when they
	// are created and never again: delete it, so that a new one is made.
	MoveRecreate MoveKind = "recreate"
)

// Why a pod moves or doesn't: the reasons of a [Move], besides those of a match.
const (
	// ReasonUnchanged: the pod's profile stays, and new pods like it go there, too.
	ReasonUnchanged Reason = "Unchanged"
	// ReasonNewPodsGoElsewhere: the pod's profile stays, and the pod with it, but
	// a new one like it goes to Move.To, or to none.
	ReasonNewPodsGoElsewhere Reason = "NewPodsGoElsewhere"
	// ReasonProfileDeleted: the profile isn't there after the change.
	ReasonProfileDeleted Reason = "ProfileDeleted"
	// ReasonProfileReplaced: the profile has other selectors after the change.
	// They can't be edited, so the profile is deleted and made again.
	ReasonProfileReplaced Reason = "ProfileReplaced"
	// ReasonNewlyMatched: a profile matches that wasn't there or didn't match.
	ReasonNewlyMatched Reason = "NewlyMatched"
	// ReasonPlacedAtCreation: the pod was created when no profile took it.
	ReasonPlacedAtCreation Reason = "PlacedAtCreation"
	// ReasonNotRetried: the pod waits for a node of a profile that goes, and the
	// Fargate scheduler doesn't try again.
	ReasonNotRetried Reason = "NotRetried"
)

// Move is what a change of profiles does to one pod.
type Move struct {
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Kind      MoveKind `json:"kind"`
	// From is the profile the pod is on, or would have gone to. Empty is none.
	From string `json:"from"`
	// To is the profile that takes a new pod like this one. Empty is none.
	To     string `json:"to"`
	Reason Reason `json:"reason"`
	// Pin is the profile that the pod's template asks for. Empty is none.
	Pin string `json:"pin,omitempty"`
}

// String is the move for people, in one line.
func (m Move) String() string {
	pod := m.Namespace + "/" + m.Name
	switch m.Kind {
	case MoveMoves:
		return fmt.Sprintf("%s moves from %s to %s (%s)", pod, m.From, m.To, m.Reason)
	case MovePending:
		return fmt.Sprintf("%s loses %s, and no profile takes it (%s)", pod, m.From, m.Reason)
	case MoveStarts:
		return fmt.Sprintf("%s starts on %s (%s)", pod, m.To, m.Reason)
	case MoveRecreate:
		return fmt.Sprintf("%s must be created again to run on %s (%s)", pod, m.To, m.Reason)
	default:
		return fmt.Sprintf("%s stays %s (%s)", pod, m.place(), m.Reason)
	}
}

func (m Move) place() string {
	switch {
	case m.Reason == ReasonNewPodsGoElsewhere && m.To == "":
		return "on " + m.From + ", but no profile takes a new one"
	case m.Reason == ReasonNewPodsGoElsewhere:
		return "on " + m.From + ", but a new one goes to " + m.To
	case m.From == "":
		return "off Fargate"
	default:
		return "on " + m.From
	}
}

// Impact says what becomes of each pod when the profiles of a cluster change
// from before to after, in the order of pods. Both lists must be complete.
//
// A profile that is missing after, or has other selectors, is deleted, and the
// pods on it end. The order of selectors, and repeated ones, make no difference.
// A pod on a profile that stays goes on, even if a new one like it would go
// elsewhere. A pod that isn't on Fargate stays off it until it is created again.
// A pod that waits for a node is on the profile that it waits for.
//
// A [Placed] that was never placed (no Scheduler, Node, Profile and Created) is a
// pod yet to be created: before says where it would have gone.
//
// Of profiles with the same name the first counts as that name's; [Compile]
// refuses such lists.
func Impact(before, after []Profile, pods []Placed) []Move {
	change := change{before: compile(before), after: compile(after)}
	moves := make([]Move, len(pods))
	for i, p := range pods {
		moves[i] = change.move(p)
	}
	return moves
}

type change struct {
	before, after *Matcher
}

func (c change) move(p Placed) Move {
	from, template := p.origin()
	next := c.after.Match(template)
	m := Move{Namespace: namespaceOf(p.Namespace), Name: p.Name, From: from, To: next.Profile}
	m.Pin, _ = template.pin()
	switch {
	case !p.exists():
		m.From = c.before.Match(template).Profile
		m.Kind, m.Reason = c.moveOfNew(m.From, template, next)
	case from == "":
		m.Kind, m.Reason = moveOfOutsider(next)
	case c.keeps(from):
		m.Kind, m.Reason = MoveStays, ReasonUnchanged
		if next.Profile != from {
			m.Reason = ReasonNewPodsGoElsewhere
		}
	default:
		m.Kind, m.Reason = c.moveOfEnding(p, from, next)
	}
	return m
}

// moveOfNew is for a pod yet to be created that would have gone to from.
func (c change) moveOfNew(from string, template Pod, next Match) (MoveKind, Reason) {
	switch {
	case next.Profile == from && from == "":
		return MoveStays, next.Reason
	case next.Profile == from:
		return MoveStays, ReasonUnchanged
	case from == "":
		return MoveStarts, ReasonNewlyMatched
	case next.Profile == "":
		return MovePending, c.whyGone(from, next)
	}
	for candidate := range c.after.Candidates(template) {
		if candidate == from {
			return MoveMoves, ReasonTieDecidedByName
		}
	}
	return MoveMoves, c.whyGone(from, next)
}

// moveOfOutsider is for a pod that exists and isn't on Fargate.
func moveOfOutsider(next Match) (MoveKind, Reason) {
	if next.Profile == "" {
		return MoveStays, next.Reason
	}
	return MoveRecreate, ReasonPlacedAtCreation
}

// moveOfEnding is for a pod on a profile that goes.
func (c change) moveOfEnding(p Placed, from string, next Match) (MoveKind, Reason) {
	switch {
	case next.Profile == "":
		return MovePending, c.whyGone(from, next)
	case p.Node == "" && p.Scheduler != "":
		return MoveRecreate, ReasonNotRetried
	default:
		return MoveMoves, c.whyGone(from, next)
	}
}

// whyGone says why a profile takes a pod no longer. That the pod is pinned, or
// opts out, comes first: then it isn't enough to bring back any profile.
func (c change) whyGone(profile string, next Match) Reason {
	switch next.Reason {
	case ReasonPinnedProfileNotFound, ReasonPinnedProfileDoesNotMatch, ReasonOptedOut:
		return next.Reason
	default:
		if _, found := c.after.ranks[profile]; found {
			return ReasonProfileReplaced
		}
		return ReasonProfileDeleted
	}
}

// keeps reports whether the profile is there after the change, and is the same.
// One that before doesn't list can't be told from a new one, so it is the same.
func (c change) keeps(profile string) bool {
	after, found := c.after.profile(profile)
	if !found {
		return false
	}
	before, found := c.before.profile(profile)
	return !found || sameSelectors(before.Selectors, after.Selectors)
}

func (m *Matcher) profile(name string) (Profile, bool) {
	rank, found := m.ranks[name]
	if !found {
		return Profile{}, false
	}
	return m.profiles[rank], true
}

// sameSelectors compares two lists as sets, by meaning and not by spelling, as the
// decision to replace a profile does.
func sameSelectors(a, b []Selector) bool {
	return hasAll(a, b) && hasAll(b, a)
}

func hasAll(list, wanted []Selector) bool {
	for _, w := range wanted {
		if !slices.ContainsFunc(list, w.same) {
			return false
		}
	}
	return true
}

func (s Selector) same(other Selector) bool {
	a, b := s.Canonical(), other.Canonical()
	return a.Namespace == b.Namespace && maps.Equal(a.Labels, b.Labels)
}
