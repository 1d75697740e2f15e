// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector compares eksfargate's matcher with the one that is put
// together in an afternoon: labels.Selector of Kubernetes for what is literal and
// path.Match of the standard library for what has wildcards.
//
// One command prints how many times faster ours is, on the same pods, in the same
// run:
//
//	GOWORK=off go -C internal/bench test ./selector -run '^$' -bench Match
package selector

import (
	"path"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
	"k8s.io/apimachinery/pkg/labels"
)

// Peer is the obvious composition, with what can be prepared prepared.
type Peer struct {
	profiles []peerProfile
}

type peerProfile struct {
	name      string
	selectors []peerSelector
}

type peerSelector struct {
	namespace string
	literal   labels.Selector
	globs     []peerGlob
}

type peerGlob struct {
	key, value string
}

// NewPeer prepares profiles.
func NewPeer(profiles ...selector.Profile) *Peer {
	peer := &Peer{}
	for _, p := range profiles {
		prepared := peerProfile{name: p.Name}
		for _, s := range p.Selectors {
			prepared.selectors = append(prepared.selectors, newPeerSelector(s))
		}
		peer.profiles = append(peer.profiles, prepared)
	}
	slices.SortFunc(peer.profiles, func(a, b peerProfile) int { return strings.Compare(a.name, b.name) })
	return peer
}

func newPeerSelector(s selector.Selector) peerSelector {
	prepared := peerSelector{namespace: s.Namespace}
	literal := labels.Set{}
	for key, value := range s.Labels {
		if strings.ContainsAny(key+value, "*?") {
			prepared.globs = append(prepared.globs, peerGlob{key, value})
		} else {
			literal[key] = value
		}
	}
	prepared.literal = literal.AsSelector()
	return prepared
}

// Match returns the first profile that matches, and whether another one does.
func (p *Peer) Match(pod selector.Pod) (profile string, ambiguous bool) {
	set := labels.Set(pod.Labels)
	for _, candidate := range p.profiles {
		matches := slices.ContainsFunc(candidate.selectors, func(s peerSelector) bool {
			return s.matches(pod.Namespace, set)
		})
		switch {
		case matches && profile != "":
			return profile, true
		case matches:
			profile = candidate.name
		}
	}
	return profile, false
}

func (s peerSelector) matches(namespace string, set labels.Set) bool {
	if matched, err := path.Match(s.namespace, namespace); err != nil || !matched {
		return false
	}
	if !s.literal.Matches(set) {
		return false
	}
	for _, g := range s.globs {
		if !g.metBy(set) {
			return false
		}
	}
	return true
}

func (g peerGlob) metBy(set labels.Set) bool {
	for key, value := range set {
		keyMatched, err := path.Match(g.key, key)
		if err != nil || !keyMatched {
			continue
		}
		if matched, err := path.Match(g.value, value); err == nil && matched {
			return true
		}
	}
	return false
}
