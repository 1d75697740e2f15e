// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "iter"

// NoSelector is the index that stands for no selector.
const NoSelector = -1

// Match is the answer of [Matcher.Match].
type Match struct {
	// Profile is the name of the profile that gets the pod, or empty.
	Profile string `json:"profile"`
	// Selector is the index of its first selector that matches, or [NoSelector].
	Selector int `json:"selector"`
	// Ambiguous reports that more than one profile matches, after pinning.
	Ambiguous bool `json:"ambiguous"`
	// Reason says why.
	Reason Reason `json:"reason"`
}

// Outcome is what becomes of the pod: [OutcomeFargate], [OutcomeNone] or
// [OutcomeOptedOut].
func (m Match) Outcome() Outcome {
	switch {
	case m.Profile != "":
		return OutcomeFargate
	case m.Reason == ReasonOptedOut:
		return OutcomeOptedOut
	default:
		return OutcomeNone
	}
}

// Match says which profile gets p when it is created from this template. It
// allocates nothing.
//
// A pod that opts out has no Profile, even if several match. A pod that opts out
// and that no profile matches has [ReasonNoMatch]: opting out makes no
// difference to it.
func (m *Matcher) Match(p Pod) Match {
	winner, found, ambiguous := m.firstTwo(p)
	if !found {
		return Match{Selector: NoSelector, Reason: m.missReason(p)}
	}
	match := Match{Ambiguous: ambiguous}
	if p.optedOut() {
		match.Selector, match.Reason = NoSelector, ReasonOptedOut
		return match
	}
	match.Profile, match.Selector = m.profiles[winner.rank].Name, winner.selector
	match.Reason = ReasonMatched
	if match.Ambiguous {
		match.Reason = ReasonTieDecidedByName
	}
	if _, pinned := p.pin(); pinned {
		match.Reason = ReasonPinned
	}
	return match
}

// Candidates yields the profiles that match p, after pinning, in the order of
// their names, each with the index of its first selector that matches. A pod
// that opts out has candidates, too: they are what it opts out of.
func (m *Matcher) Candidates(p Pod) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for c := range m.matching(p) {
			if !yield(m.profiles[c.rank].Name, c.selector) {
				return
			}
		}
	}
}

// missReason says why no profile matches p.
func (m *Matcher) missReason(p Pod) Reason {
	name, pinned := p.pin()
	if !pinned {
		return ReasonNoMatch
	}
	if _, found := m.ranks[name]; !found {
		return ReasonPinnedProfileNotFound
	}
	return ReasonPinnedProfileDoesNotMatch
}
