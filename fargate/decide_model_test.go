// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// tinyEKS is the least of EKS that a decision can tell: names are unique, one
// profile of the cluster changes at a time, and statuses advance by ticks.
type tinyEKS struct {
	now      time.Time
	profiles map[string]*tinyProfile
	limit    int // of profiles; 0 for none
	// failCreates and failDeletes are how many of the next ones fail.
	failCreates, failDeletes int
}

type tinyProfile struct {
	fargate.Observed
	left int // ticks until the status advances
}

// The refusals of tinyEKS.
const (
	refusedBusy  = "busy"
	refusedTaken = "taken"
	refusedQuota = "quota"
	refusedGone  = "gone"
	refusedTags  = "too many tags"
)

func newTinyEKS(profiles ...fargate.Observed) *tinyEKS {
	w := &tinyEKS{now: noon(), profiles: map[string]*tinyProfile{}}
	for _, o := range profiles {
		p := &tinyProfile{Observed: o}
		if o.Status.InProgress() {
			p.left = 2
		}
		w.profiles[o.Spec.Name] = p
	}
	return w
}

// call does what EKS does, and returns the refusal, if it refuses.
func (w *tinyEKS) call(c fargate.Call) string {
	p := w.profiles[c.Profile]
	changing := c.Operation == fargate.OperationCreate || c.Operation == fargate.OperationDelete
	switch {
	case changing && w.busy():
		return refusedBusy
	case c.Operation == fargate.OperationCreate && p != nil:
		return refusedTaken
	case c.Operation == fargate.OperationCreate && w.limit > 0 && len(w.profiles) >= w.limit:
		return refusedQuota
	case c.Operation == fargate.OperationCreate:
		o := fargate.Observed{Spec: *c.Spec, ARN: seen(c.Profile).ARN, Status: fargate.StatusCreating, CreatedAt: w.now}
		if len(o.Spec.Subnets) == 0 {
			o.Spec.Subnets = []string{subnetA, subnetB}
		}
		w.profiles[c.Profile] = &tinyProfile{Observed: o, left: 2}
	case p == nil:
		return refusedGone
	case c.Operation == fargate.OperationDelete:
		p.Status, p.left = fargate.StatusDeleting, 2
	default:
		return p.tag(c)
	}
	return ""
}

func (p *tinyProfile) tag(c fargate.Call) string {
	tags := maps.Clone(p.Spec.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	maps.Copy(tags, c.SetTags)
	for _, key := range c.RemoveTags {
		delete(tags, key)
	}
	users := 0
	for key := range tags {
		if !tagdiff.IsAWS(key) {
			users++
		}
	}
	if users > 50 {
		return refusedTags
	}
	p.Spec.Tags = tags
	return ""
}

func (w *tinyEKS) busy() bool {
	for _, p := range w.profiles {
		if p.Status.InProgress() {
			return true
		}
	}
	return false
}

// tick lets time pass.
func (w *tinyEKS) tick(d time.Duration) {
	w.now = w.now.Add(d)
	for name, p := range w.profiles {
		if p.left == 0 {
			continue
		}
		if p.left--; p.left > 0 {
			continue
		}
		switch {
		case p.Status == fargate.StatusCreating && w.failCreates > 0:
			w.failCreates--
			p.Status = fargate.StatusCreateFailed
		case p.Status == fargate.StatusCreating:
			p.Status = fargate.StatusActive
		case w.failDeletes > 0:
			w.failDeletes--
			p.Status = fargate.StatusDeleteFailed
		default:
			delete(w.profiles, name)
		}
	}
}

func (w *tinyEKS) list() []fargate.Observed {
	all := []fargate.Observed{}
	for _, name := range slices.Sorted(maps.Keys(w.profiles)) {
		all = append(all, w.profiles[name].Observed)
	}
	return all
}

func (w *tinyEKS) claimedBy(d fargate.Desired) []fargate.Observed {
	return slices.DeleteFunc(w.list(), func(o fargate.Observed) bool { return !d.Claims(o) })
}

// writer is a caller of Decide: it looks in the order that the documents give, asks
// for what a decision says that it lacks, and makes the call.
type writer struct {
	desired fargate.Desired
	absent  bool
	limits  fargate.Limits
	memory  fargate.Memory
}

// look makes the input: the remembered name, the logical name, then the list, then
// the peers that the marks name.
func (r *writer) look(w *tinyEKS) fargate.Input {
	in := fargate.Input{Desired: r.desired, Absent: r.absent, Limits: r.limits, Memory: r.memory, Now: w.now}
	asked := map[string]bool{}
	var ours []fargate.Observed
	ask := func(name string) {
		p := w.profiles[name]
		if p == nil || asked[name] {
			return
		}
		asked[name] = true
		if r.desired.Claims(p.Observed) {
			ours = append(ours, p.Observed)
			return
		}
		in.Strangers = append(in.Strangers, p.Observed)
	}
	for _, name := range append([]string{r.memory.Physical, r.desired.Spec.Name}, slices.Sorted(maps.Keys(w.profiles))...) {
		if len(ours) == 0 && fargate.MayBelong(r.desired.Spec.Name, name) {
			ask(name)
		}
	}
	for _, o := range slices.Clone(ours) {
		ask(o.Peer())
	}
	if len(ours) > 0 {
		in.Observed, in.Peers = &ours[0], ours[1:]
	} else if p := w.profiles[r.desired.Spec.Name]; p != nil {
		in.Observed = new(p.Observed)
	}
	return in
}

func (r *writer) decide(w *tinyEKS) fargate.Decision {
	in := r.look(w)
	d := fargate.Decide(in)
	if slices.Contains(d.Unchecked, fargate.PreconditionList) {
		all := w.claimedBy(r.desired)
		in.Observed, in.Peers, in.Listed = &all[0], all[1:], true
		d = fargate.Decide(in)
	}
	if slices.Contains(d.Unchecked, fargate.PreconditionCluster) {
		in.Cluster = w.list()
		d = fargate.Decide(in)
	}
	if slices.Contains(d.Unchecked, fargate.PreconditionRole) {
		in.Role = &fargate.Role{ARN: roleR, Trust: fargate.TrustGiven}
		d = fargate.Decide(in)
	}
	return d
}

// act makes the call of a decision and keeps the memory. It returns the refusal.
func (r *writer) act(w *tinyEKS, d fargate.Decision) string {
	before := r.memory
	r.memory = d.Memory
	if d.Call == nil {
		return ""
	}
	refusal := w.call(*d.Call)
	if refusal != "" {
		for _, trouble := range []fargate.Trouble{fargate.TroubleCreateFailed, fargate.TroubleDeleteFailed} {
			r.memory = r.memory.Restore(before, trouble)
		}
	}
	if refusal == refusedQuota && r.desired.Policy.FallBackToDeleteFirst && d.Reason == fargate.ReasonCreatingSuccessor {
		r.memory.QuotaRefused = true
	}
	return refusal
}

// confirm does what a person does at a drain gate.
func (r *writer) confirm(d fargate.Decision) {
	if d.Reason == fargate.ReasonDrainNotConfirmed {
		r.desired.Drained = append(slices.Clone(r.desired.Drained), d.Profile)
	}
}
