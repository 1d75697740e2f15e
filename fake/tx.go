// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"errors"
	"time"
)

// tx is one call at work. It reads published state and collects changed copies;
// commit publishes them all, and only when the call succeeds.
type tx struct {
	cloud   *Cloud
	caller  Caller
	now     time.Time // the moment that the call sees: the Cloud's time, or earlier for a stale read
	stale   bool
	outcome *Outcome // how the change that this call starts will end, if a fault says so
	account *account
	region  *region
	edits   []*cluster
	iam     iamEdits
}

func (c *Cloud) begin(caller Caller, now time.Time) *tx {
	a := c.account(caller.Account)
	return &tx{cloud: c, caller: caller, now: now, account: a, region: a.region(caller.Region)}
}

func (t *tx) commit() {
	for _, cl := range t.edits {
		t.cloud.publish(t.region, cl.Name, cl, t.now)
	}
	t.commitIAM()
}

// lookup returns a cluster as it is now, for reading, or nil.
func (t *tx) lookup(name string) *cluster {
	if t.stale {
		return t.lookupPast(name)
	}
	cl := t.region.Clusters.get(name)
	switch {
	case cl == nil:
		return nil
	case cl.gone(t.now):
		t.cloud.publish(t.region, name, nil, t.now)
		return nil
	}
	if s := cl.settled(t.now); s != cl {
		t.cloud.publish(t.region, name, s, t.now)
		return s
	}
	return cl
}

// cluster is lookup with the error that EKS answers (text: reported).
func (t *tx) cluster(name string) (*cluster, error) {
	if cl := t.lookup(name); cl != nil {
		return cl, nil
	}
	return nil, apiErrorf(codeResourceNotFound, "No cluster found for name: %s.", name)
}

// profile returns a cluster and one of its profiles (text: recorded).
func (t *tx) profile(clusterName, name string) (*cluster, *profile, error) {
	if cl, p := t.region.Clusters.profile(clusterName, name); p != nil && !t.stale {
		return cl, p, nil
	}
	cl, err := t.cluster(clusterName)
	if err != nil {
		return nil, nil, err
	}
	p := cl.Profiles.get(name)
	if p == nil {
		return nil, nil, apiErrorf(codeResourceNotFound, "No Fargate Profile found with name: %s.", name)
	}
	return cl, p, nil
}

// edit returns a copy of a cluster that commit will publish.
func (t *tx) edit(cl *cluster) *cluster {
	c := cl.clone()
	t.edits = append(t.edits, c)
	return c
}

// change draws the end of an asynchronous change that starts now.
func (t *tx) change(d Delay) change {
	ch := change{EndsAt: t.now.Add(t.cloud.draw(d))}
	if o := t.outcome; o != nil {
		ch.Stuck, ch.Failed, ch.Issues = o.Stuck, o.Failed, cloneIssues(o.Issues)
		if o.After > 0 {
			ch.EndsAt = t.now.Add(o.After)
		}
	}
	return ch
}

// asAPIError turns the error of a handler into what AWS answers. Handlers only
// return *apiError; anything else would be a fault of this package, and AWS's
// word for that is ServerException.
func asAPIError(err error) *apiError {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	return apiErrorf(codeServer, "%v", err)
}
