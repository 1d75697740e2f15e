// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"
	"time"
)

// podStore is what a cluster's API server knows of pods. It is changed in place,
// under the Cloud's lock; all versions of the cluster share it.
type podStore struct {
	Live            []*pod // oldest first
	Events          []podEvent
	Made            int
	EndedByProfiles int
	PendingBefore   time.Duration // of pods that have ended
	Unmatched       []UnmatchedPods
}

// pod is a pod and what was decided about it at its creation.
type pod struct {
	Number    int // counts the pods of a cluster from 1
	Name      string
	Template  Pod
	Scheduler string
	Profile   string
	Node      string // as soon as StartsAt
	Created   time.Time
	StartsAt  *time.Time // nil: stays Pending
	EndsAt    *time.Time // nil: nothing ends it that is known yet
}

func (p *pod) running(now time.Time) bool { return p.StartsAt != nil && !now.Before(*p.StartsAt) }

func (p *pod) pending(now time.Time) time.Duration {
	if p.running(now) {
		now = *p.StartsAt
	}
	return now.Sub(p.Created)
}

func (s *podStore) find(p Pod) *pod {
	for _, live := range s.Live {
		if live.Template.Namespace == p.Namespace && live.Name == p.Name {
			return live
		}
	}
	return nil
}

// startPod makes a pod at a moment that is not after the call's.
func (t *tx) startPod(cl *cluster, template Pod, name string, at time.Time) *pod {
	s := cl.Pods
	s.Made++
	p := &pod{Number: s.Made, Name: name, Template: template.clone(), Created: at, Scheduler: DefaultScheduler}
	if chosen := t.choose(cl, template, at); chosen != nil {
		p.Scheduler, p.Profile = FargateScheduler, chosen.Name
		t.launch(cl, p, chosen)
	} else {
		s.note(p, at, eventWarning, "FailedScheduling", DefaultScheduler, noNodeText(s.nodes(at)))
	}
	s.Live = append(s.Live, p)
	s.countUnmatched(at)
	return p
}

// launch gives a pod of a profile its node, or says why it gets none.
func (t *tx) launch(cl *cluster, p *pod, chosen *profile) {
	if text := t.launchProblem(cl, p, chosen); text != "" {
		cl.Pods.note(p, p.Created, eventWarning, "FailedScheduling", FargateScheduler, text)
		return
	}
	starts := p.Created.Add(t.cloud.draw(t.cloud.opts.Delays.StartPod))
	p.StartsAt, p.Node = &starts, nodeName(t.caller.Region, p.Number)
	cl.Pods.note(p, p.Created, eventWarning, "LoggingDisabled", FargateScheduler, loggingDisabled)
	cl.Pods.note(p, starts, eventNormal, "Scheduled", FargateScheduler,
		fmt.Sprintf("Successfully assigned %s/%s to %s", p.Template.Namespace, p.Name, p.Node))
}

func (s *podStore) nodes(at time.Time) int {
	n := 0
	for _, p := range s.Live {
		if p.running(at) {
			n++
		}
	}
	return n
}

// nodeName is the name of the node of a cluster's n-th pod. The address is made
// up; the form is EKS's.
func nodeName(region string, n int) string {
	domain := region + ".compute.internal"
	if region == "us-east-1" {
		domain = "ec2.internal"
	}
	return fmt.Sprintf("fargate-ip-10-%d-%d-%d.%s", n>>16&0xff, n>>8&0xff, n&0xff, domain)
}

// removePod takes a pod away without a successor.
func (t *tx) removePod(cl *cluster, p *pod, at time.Time) {
	s := cl.Pods
	s.PendingBefore += p.pending(at)
	s.Live = slices.DeleteFunc(s.Live, func(other *pod) bool { return other == p })
	s.Events = slices.DeleteFunc(s.Events, func(e podEvent) bool { return e.Number == p.Number && e.Time.After(at) })
	s.countUnmatched(at)
}

// endPod ends a pod; its controller, if there is one, makes the next one.
func (t *tx) endPod(cl *cluster, p *pod, at time.Time) {
	t.removePod(cl, p, at)
	if p.Template.Replicated {
		t.startPod(cl, p.Template, fmt.Sprintf("%s-%d", p.Template.Name, cl.Pods.Made+1), at)
	}
}

// settlePods ends, in order, what is due by now. Whoever is about to change the
// cluster's profiles must call it before, for successors are placed as they
// would have been at their time.
func (t *tx) settlePods(cl *cluster) {
	for {
		p := cl.Pods.firstToEnd(t.now)
		if p == nil {
			return
		}
		cl.Pods.EndedByProfiles++
		t.endPod(cl, p, *p.EndsAt)
	}
}

func (s *podStore) firstToEnd(now time.Time) *pod {
	var first *pod
	for _, p := range s.Live {
		due := p.EndsAt != nil && !now.Before(*p.EndsAt)
		if due && (first == nil || p.EndsAt.Before(*first.EndsAt)) {
			first = p
		}
	}
	return first
}

// doomPods lets a profile's pods end with its deletion: when it begins, or by
// option when it is complete.
func (t *tx) doomPods(cl *cluster, p *profile) {
	at := t.now
	if t.cloud.opts.PodsOutliveDeleting {
		if p.Deletion.Stuck || p.Deletion.Failed {
			return
		}
		at = p.Deletion.EndsAt
	}
	for _, candidate := range cl.Pods.Live {
		if candidate.Profile == p.Name && candidate.EndsAt == nil {
			candidate.EndsAt = &at
		}
	}
	t.settlePods(cl)
}
