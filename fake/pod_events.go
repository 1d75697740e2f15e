// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"time"
)

// PodEvent is an event about a pod, as kubectl describe shows it.
type PodEvent struct {
	// Time is when it happened.
	Time time.Time `json:"time"`
	// Cluster, Namespace and Pod say which pod it is about.
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	// Type is Normal or Warning.
	Type string `json:"type"`
	// Reason is one word, such as Scheduled or FailedScheduling.
	Reason string `json:"reason"`
	// From is the scheduler that says it.
	From string `json:"from"`
	// Message is the text.
	Message string `json:"message"`
}

const (
	eventNormal  = "Normal"
	eventWarning = "Warning"

	loggingDisabled = `Disabled logging because aws-logging configmap was not found. configmap "aws-logging" not found`
)

// podEvent is an event and the pod that it is about. One may lie in the future.
type podEvent struct {
	Number int
	PodEvent
}

func (s *podStore) note(p *pod, at time.Time, kind, reason, from, message string) {
	s.Events = append(s.Events, podEvent{p.Number, PodEvent{
		Time: at, Cluster: p.Template.Cluster, Namespace: p.Template.Namespace, Pod: p.Name,
		Type: kind, Reason: reason, From: from, Message: message,
	}})
}

// Events returns the events about pods of the Cloud's region so far, the oldest
// first, those of pods that have ended included.
func (c *Cloud) Events() []PodEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	var out []PodEvent
	for _, cl := range t.settledPods() {
		for _, e := range cl.Pods.Events {
			if !e.Time.After(t.now) {
				out = append(out, e.PodEvent)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b PodEvent) int { return a.Time.Compare(b.Time) })
	return out
}

// UnmatchedPods is how many pods belonged to no profile from a moment on.
type UnmatchedPods struct {
	// Since is the moment.
	Since time.Time `json:"since"`
	// Pods is how many there were until the next such moment.
	Pods int `json:"pods"`
}

// PodStats says what a cluster's pods went through.
type PodStats struct {
	// Made is how many pods were made, successors of others included.
	Made int
	// EndedByProfiles is how many ended because their profile was deleted.
	EndedByProfiles int
	// Pending is the time that all pods together have spent without a node.
	Pending time.Duration
	// Unmatched tells over time how many pods belonged to no profile although
	// they did not ask for other compute: one entry for each change.
	Unmatched []UnmatchedPods
}

// PodStats returns what the pods of a cluster of the Cloud's region went
// through; all is zero for a cluster that does not exist.
func (c *Cloud) PodStats(clusterName string) PodStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, cl, err := c.podCluster(Pod{Cluster: clusterName})
	if err != nil {
		return PodStats{}
	}
	s := cl.Pods
	stats := PodStats{
		Made: s.Made, EndedByProfiles: s.EndedByProfiles,
		Pending: s.PendingBefore, Unmatched: slices.Clone(s.Unmatched),
	}
	for _, p := range s.Live {
		stats.Pending += p.pending(t.now)
	}
	return stats
}

// countUnmatched records a change in the number of pods without a profile.
func (s *podStore) countUnmatched(at time.Time) {
	n := 0
	for _, p := range s.Live {
		if p.Profile == "" && p.Template.Annotations[ComputeTypeAnnotation] != "ec2" {
			n++
		}
	}
	last := len(s.Unmatched) - 1
	switch {
	case last >= 0 && s.Unmatched[last].Since.Equal(at):
		s.Unmatched[last].Pods = n
	case last < 0 && n > 0, last >= 0 && s.Unmatched[last].Pods != n:
		s.Unmatched = append(s.Unmatched, UnmatchedPods{at, n})
	}
}
