// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Why one selector doesn't match: the reasons of a [Miss].
const (
	// ReasonNamespaceMismatch: the pod's namespace doesn't match.
	ReasonNamespaceMismatch Reason = "NamespaceMismatch"
	// ReasonLabelMissing: no label of the pod has a key that matches.
	ReasonLabelMissing Reason = "LabelMissing"
	// ReasonLabelMismatch: a key matches, but no value does.
	ReasonLabelMismatch Reason = "LabelMismatch"
	// ReasonPinnedElsewhere: the selector matches, but the pod is pinned to
	// another profile.
	ReasonPinnedElsewhere Reason = "PinnedElsewhere"
	// ReasonNoSelectors: the profile has no selector at all.
	ReasonNoSelectors Reason = "NoSelectors"
)

// Miss is a selector that doesn't select a pod, with the first reason: the
// namespace comes first, then the labels by key, then the pin.
type Miss struct {
	Profile string `json:"profile"`
	// Selector is its index, or [NoSelector] with [ReasonNoSelectors].
	Selector int    `json:"selector"`
	Reason   Reason `json:"reason"`
	// Key is the selector's label key, if a label fails.
	Key string `json:"key,omitempty"`
	// Want is the pattern that fails: of the namespace or of the label's value.
	// With [ReasonPinnedElsewhere] it is the profile that the pod asks for.
	Want string `json:"want,omitempty"`
	// Got is what the pod has instead: its namespace, or the value nearest to
	// Want among the labels whose key matches.
	Got string `json:"got,omitempty"`
	// GotKey is the pod's key of that value. With [ReasonLabelMissing] it is a
	// key of the pod that is so near to Key that it may be meant, or empty.
	GotKey string `json:"gotKey,omitempty"`

	nearness nearness
}

// String says why in one line.
func (m Miss) String() string {
	where := fmt.Sprintf("%s selector %d", m.Profile, m.Selector)
	switch m.Reason {
	case ReasonNamespaceMismatch:
		return fmt.Sprintf("%s wants namespace %s, got %s", where, m.Want, m.Got)
	case ReasonLabelMissing:
		hint := ""
		if m.GotKey != "" {
			hint = fmt.Sprintf(" (the pod has %s)", m.GotKey)
		}
		return fmt.Sprintf("%s wants label %s=%s, which the pod lacks%s", where, m.Key, m.Want, hint)
	case ReasonLabelMismatch:
		return fmt.Sprintf("%s wants label %s=%s, got %s=%s", where, m.Key, m.Want, m.GotKey, m.Got)
	case ReasonPinnedElsewhere:
		return fmt.Sprintf("%s matches, but the pod is pinned to %s", where, m.Want)
	default:
		return m.Profile + " has no selectors"
	}
}

// nearness orders misses: the least is the nearest. Its first two parts say
// whether the pod is pinned elsewhere and whether the namespace fails. The rest
// is for a namespace: the characters to change, the labels that fail, too; for
// labels: how many fail, whether the first is missing, the characters to change.
type nearness [5]int

func compareMisses(a, b Miss) int {
	return cmp.Or(
		slices.Compare(a.nearness[:], b.nearness[:]),
		strings.Compare(a.Profile, b.Profile),
		cmp.Compare(a.Selector, b.Selector),
	)
}

// misses lists every selector that doesn't select p, nearest first.
func (m *Matcher) misses(p Pod) []Miss {
	misses := []Miss{}
	for _, profile := range m.profiles {
		if len(profile.Selectors) == 0 {
			misses = append(misses, noSelectors(p, profile.Name))
		}
		for i, s := range profile.Selectors {
			if miss, missed := s.miss(p, profile.Name); missed {
				miss.Selector = i
				misses = append(misses, miss)
			}
		}
	}
	slices.SortStableFunc(misses, compareMisses)
	return misses
}

// noSelectors is the farthest miss, unless the pod is pinned to the profile.
func noSelectors(p Pod, profile string) Miss {
	return Miss{
		Profile: profile, Selector: NoSelector, Reason: ReasonNoSelectors,
		nearness: nearness{outsidePin(p, profile), 1, tooFar + 1},
	}
}

func outsidePin(p Pod, profile string) int {
	if pin, pinned := p.pin(); pinned && pin != profile {
		return 1
	}
	return 0
}

// miss says why s, a selector of the profile, doesn't select p, if it doesn't.
func (s Selector) miss(p Pod, profile string) (miss Miss, missed bool) {
	failing, miss := s.labelMisses(p.Labels)
	namespace, outside := namespaceOf(p.Namespace), outsidePin(p, profile)
	switch {
	case !matchGlob(s.Namespace, namespace):
		miss = Miss{Reason: ReasonNamespaceMismatch, Want: s.Namespace, Got: namespace}
		miss.nearness = nearness{outside, 1, distance(s.Namespace, namespace), failing}
	case failing > 0:
		miss.nearness[0], miss.nearness[2] = outside, failing
	case outside > 0:
		miss = Miss{Reason: ReasonPinnedElsewhere, Want: p.Labels[ProfileLabel], nearness: nearness{outside}}
	}
	miss.Profile = profile
	return miss, miss.Reason != ""
}

// labelMisses counts the labels of s that no pod label meets, and describes the
// first of them by key.
func (s Selector) labelMisses(labels map[string]string) (failing int, first Miss) {
	for _, key := range slices.Sorted(maps.Keys(s.Labels)) {
		want := s.Labels[key]
		if meets(key, want, labels) {
			continue
		}
		if failing++; failing == 1 {
			first = unmet(key, want, labels)
		}
	}
	return failing, first
}

// unmet describes a label that no pod label meets.
func unmet(key, want string, labels map[string]string) Miss {
	miss := Miss{Reason: ReasonLabelMissing, Key: key, Want: want}
	least := tooFar + 1
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if d := distance(want, labels[k]); d < least && matchGlob(key, k) {
			miss.Reason, miss.GotKey, miss.Got, least = ReasonLabelMismatch, k, labels[k], d
		}
	}
	missing := 0
	if miss.Reason == ReasonLabelMissing {
		missing = 1
		miss.GotKey, least = likelyMeant(key, labels)
	}
	miss.nearness = nearness{0, 0, 0, missing, least}
	return miss
}

// likelyMeant returns the key nearest to the pattern, if it is near enough to be
// a slip, and the distance of the nearest in any case.
func likelyMeant(pattern string, labels map[string]string) (key string, least int) {
	const slip = 2
	least = tooFar
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if d := distance(pattern, k); d < least {
			key, least = k, d
		}
	}
	if least > slip {
		key = ""
	}
	return key, least
}
