// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// cluster is a cluster and its profiles. Once published in a region it is never
// changed: see region.put.
type cluster struct {
	// What every look-up reads comes first, to lie together.
	Profiles profileSet
	Deletion *change
	Current  *clusterUpdate // the latest, while it was in progress when last looked at
	Busy     []window
	Changing []string `json:"-"` // profiles that were in a change when last looked at
	Name     string

	Names          []string `json:"-"` // of the profiles, sorted
	ARN            string
	ID             string // 32 hex digits, part of the endpoint and of the issuer
	Version        string
	RoleARN        string
	VPC            string
	Subnets        []string
	SecurityGroups []string
	AuthMode       string
	Tags           map[string]string
	Token          string
	CreatedAt      time.Time
	Creation       change
	UsedRoles      map[string]bool // role ARNs that a profile of the cluster has used
	Pods           *podStore
	Entries        map[string]*accessEntry // by the principal's ARN; entries are never changed in place
	Auth           []AuthRow               // of the ConfigMap aws-auth
	Endpoint       endpointAccess
	Updates        []*clusterUpdate
}

// window is a time in which the cluster has an update in progress.
type window struct{ From, Until time.Time }

func (w window) contains(t time.Time) bool { return !t.Before(w.From) && t.Before(w.Until) }

func (cl *cluster) clone() *cluster {
	c := *cl
	c.Tags = maps.Clone(cl.Tags)
	c.Busy = slices.Clone(cl.Busy)
	c.UsedRoles = maps.Clone(cl.UsedRoles)
	c.Profiles = cl.Profiles.clone()
	c.Names = slices.Clone(cl.Names)
	c.Changing = slices.Clone(cl.Changing)
	c.Entries = maps.Clone(cl.Entries)
	c.Auth = slices.Clone(cl.Auth)
	c.Updates = slices.Clone(cl.Updates)
	return &c
}

func (cl *cluster) status(now time.Time) types.ClusterStatus {
	switch {
	case cl.Deletion != nil:
		return types.ClusterStatusDeleting
	case !cl.Creation.ended(now):
		return types.ClusterStatusCreating
	case cl.Creation.Failed:
		return types.ClusterStatusFailed
	case cl.updating(now):
		return types.ClusterStatusUpdating
	default:
		return types.ClusterStatusActive
	}
}

// atRest reports whether nothing of the cluster depends on the time: neither gone
// nor settled has anything to find.
func (cl *cluster) atRest() bool {
	return cl.Deletion == nil && cl.Current == nil && len(cl.Changing) == 0 && len(cl.Busy) == 0
}

func (cl *cluster) gone(now time.Time) bool { return cl.Deletion != nil && cl.Deletion.ended(now) }

// busy reports whether an update is in progress, whether the status shows it or
// not.
func (cl *cluster) busy(now time.Time) bool {
	return cl.updating(now) || slices.ContainsFunc(cl.Busy, func(w window) bool { return w.contains(now) })
}

// inChange returns a profile that is CREATING or DELETING, or nil.
func (cl *cluster) inChange(now time.Time) *profile {
	for _, name := range cl.Changing {
		if p := cl.Profiles.get(name); p.changing(now) {
			return p
		}
	}
	return nil
}

// settled returns the cluster without what has ended by now: cl itself when
// there is nothing of the kind. Its cost does not depend on how many profiles
// the cluster has, except when one has ended.
func (cl *cluster) settled(now time.Time) *cluster {
	ended := func(name string) bool { return !cl.Profiles.get(name).changing(now) }
	past := func(w window) bool { return !now.Before(w.Until) }
	updated := cl.Current != nil && !cl.updating(now)
	if !updated && !slices.ContainsFunc(cl.Changing, ended) && !slices.ContainsFunc(cl.Busy, past) {
		return cl
	}
	c := cl.clone()
	if updated {
		c.finish(cl.Current)
	}
	c.Busy = slices.DeleteFunc(c.Busy, past)
	c.Changing = slices.DeleteFunc(c.Changing, ended)
	for _, name := range cl.Changing {
		if c.Profiles.get(name).gone(now) {
			c.remove(name)
		}
	}
	return c
}

// put stores a profile in a copy of a cluster.
func (cl *cluster) put(p *profile, now time.Time) {
	cl.Profiles.put(p)
	cl.Names = insertSorted(cl.Names, p.Name)
	if (p.changing(now) || p.gone(now)) && !slices.Contains(cl.Changing, p.Name) {
		cl.Changing = append(cl.Changing, p.Name)
	}
}

func (cl *cluster) remove(name string) {
	cl.Profiles.remove(name)
	cl.Names = removeSorted(cl.Names, name)
}
