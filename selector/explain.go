// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"fmt"
	"strings"
)

// Explanation says what becomes of a pod, and why.
type Explanation struct {
	// Match is what [Matcher.Match] says of the pod.
	Match
	// Pod is the pod that was asked about.
	Pod Pod `json:"pod"`
	// Candidates are the profiles that match, after pinning, by name.
	Candidates []Candidate `json:"candidates"`
	// Misses are all selectors that don't match, nearest first: those of the
	// profile that the pod is pinned to, then by what fails (a label rather than
	// the namespace, few labels rather than many), then by how many characters
	// would have to change. Selectors of a candidate are among them.
	Misses []Miss `json:"misses"`
}

// Candidate is a profile that matches.
type Candidate struct {
	Profile string `json:"profile"`
	// Selector is the index of the first selector that matches.
	Selector int `json:"selector"`
}

// Explain says what [Matcher.Match] says, and why each selector doesn't match
// that doesn't.
func (m *Matcher) Explain(p Pod) Explanation {
	e := Explanation{Match: m.Match(p), Pod: p, Candidates: []Candidate{}}
	for name, index := range m.Candidates(p) {
		e.Candidates = append(e.Candidates, Candidate{Profile: name, Selector: index})
	}
	e.Misses = m.misses(p)
	return e
}

// String is the explanation for people, in one line.
func (e Explanation) String() string {
	pod := namespaceOf(e.Pod.Namespace) + "/" + e.Pod.Name
	switch e.Reason {
	case ReasonMatched:
		return fmt.Sprintf("%s goes to Fargate profile %s: selector %d matches", pod, e.Profile, e.Selector)
	case ReasonTieDecidedByName:
		return fmt.Sprintf("%s goes to Fargate profile %s: the first by name of %s, which all match", pod, e.Profile, e.names())
	case ReasonPinned:
		return fmt.Sprintf("%s goes to Fargate profile %s: pinned by label, and selector %d matches", pod, e.Profile, e.Selector)
	case ReasonOptedOut:
		return fmt.Sprintf("%s stays off Fargate: annotation %s: %s opts out of %s",
			pod, ComputeTypeAnnotation, ComputeTypeEC2, e.names())
	case ReasonPinnedProfileNotFound:
		return fmt.Sprintf("%s goes to no Fargate profile: it is pinned to %q, which does not exist (what EKS does then is not documented)",
			pod, e.Pod.Labels[ProfileLabel])
	case ReasonPinnedProfileDoesNotMatch:
		return fmt.Sprintf("%s goes to no Fargate profile: it is pinned to one that does not match (what EKS does then is not documented); %s",
			pod, e.nearest())
	default:
		return fmt.Sprintf("%s goes to no Fargate profile: %s", pod, e.nearest())
	}
}

func (e Explanation) names() string {
	names := make([]string, len(e.Candidates))
	for i, c := range e.Candidates {
		names[i] = c.Profile
	}
	return strings.Join(names, ", ")
}

// nearest describes the nearest miss.
func (e Explanation) nearest() string {
	if len(e.Misses) == 0 {
		return "there is none"
	}
	miss := e.Misses[0]
	if miss.Reason == ReasonNamespaceMismatch && e.Reason == ReasonNoMatch {
		return fmt.Sprintf("namespace %s matches no selector; closest: %s selects %s", miss.Got, miss.Profile, miss.Want)
	}
	return miss.String()
}
