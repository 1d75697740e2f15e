// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"time"
)

// version is what a cluster was until a moment; nil when it did not exist.
type version struct {
	cluster *cluster
	until   time.Time
}

// remember makes the Cloud keep the past of its clusters for stale reads. Only
// then is it kept. The caller holds the lock.
func (c *Cloud) remember(staleness time.Duration) {
	if c.staleness == 0 && staleness > 0 {
		c.rememberedSince = c.now().Add(-1) // right before whatever comes next
	}
	c.staleness = max(c.staleness, staleness)
}

func (c *Cloud) forgetPast() {
	c.staleness = 0
	for _, a := range c.accounts {
		for _, r := range a.Regions {
			r.Past = nil
		}
	}
}

// publish makes a cluster, or with nil its absence, what everybody sees.
func (c *Cloud) publish(r *region, name string, cl *cluster, now time.Time) {
	if c.staleness > 0 {
		r.keep(name, now, now.Add(-c.staleness))
	}
	if cl == nil {
		r.remove(name)
		return
	}
	r.put(cl)
}

// keep stores what is about to be replaced, and drops what nobody can see any
// more. What lived for no time at all was never seen.
func (r *region) keep(name string, now, horizon time.Time) {
	if r.Past == nil {
		r.Past = map[string][]version{}
	}
	past := slices.DeleteFunc(r.Past[name], func(v version) bool { return v.until.Before(horizon) })
	if n := len(past); n == 0 || past[n-1].until.Before(now) {
		past = append(past, version{r.Clusters.get(name), now})
	}
	r.Past[name] = past
}

// at returns what a cluster was at a moment, or nil.
func (r *region) at(name string, moment time.Time) *cluster {
	for _, v := range r.Past[name] {
		if moment.Before(v.until) {
			return v.cluster
		}
	}
	return r.Clusters.get(name)
}

// lookBack makes a call see things as they were, as far back as is remembered.
func (t *tx) lookBack(staleness time.Duration) {
	t.stale = true
	if moment := t.now.Add(-staleness); moment.After(t.cloud.rememberedSince) {
		t.now = moment
		return
	}
	t.now = t.cloud.rememberedSince
}

// lookupPast is lookup for a call that sees the past; it changes nothing.
func (t *tx) lookupPast(name string) *cluster {
	cl := t.region.at(name, t.now)
	if cl == nil || cl.gone(t.now) {
		return nil
	}
	return cl.settled(t.now)
}

// clusterNames lists the clusters that the call can see.
func (t *tx) clusterNames() []string {
	if !t.stale {
		t.dropGoneClusters()
		return t.region.Names
	}
	names := t.region.Names
	for _, name := range slices.Sorted(maps.Keys(t.region.Past)) {
		names = insertSorted(slices.Clone(names), name)
	}
	unseen := func(name string) bool { return t.lookup(name) == nil }
	return slices.DeleteFunc(slices.Clone(names), unseen)
}
