// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

const (
	checkName    = "name"
	checkQuota   = "quota"
	checkOverlap = "overlap"

	// defaultProfiles is how many profiles a cluster may have unless AWS has allowed
	// more (quota L-33415657).
	defaultProfiles = 10
)

// lookAtProfiles looks at what depends on the profiles that the cluster has.
func (r *run) lookAtProfiles(ctx context.Context) {
	observed, err := r.Observe(ctx, r.Cluster)
	if err != nil {
		r.unreadable(checkName, "", err, "eks:ListFargateProfiles and eks:DescribeFargateProfile")
		return
	}
	r.observed = observed
	added := 0
	for _, d := range r.Desired {
		if r.lookAtName(d) {
			added++
		}
	}
	r.lookAtQuota(added)
	r.lookAtOverlaps()
}

// lookAtName reports whether a profile would be made.
func (r *run) lookAtName(d fargate.Desired) bool {
	name := d.Spec.Name
	i := slices.IndexFunc(r.observed, func(o fargate.Observed) bool { return d.Claims(o) || o.Spec.Name == name })
	if i < 0 {
		r.add(OK, checkName, name, "the name is free", "")
		return true
	}
	o := r.observed[i]
	state, owners := fargate.OwnershipOf(o, d.Owner)
	switch state {
	case fargate.OwnershipOwned:
		r.add(OK, checkName, name, fmt.Sprintf("the profile exists, is %s and yours: it is not made again", o.Status), "")
	case fargate.OwnershipUnowned:
		r.add(Error, checkName, name, "the name is taken by a profile that nobody owns", "choose another name, or take the profile with --adopt")
	default:
		r.add(Error, checkName, name, "the name is taken by a profile of "+strings.Join(owners, ", "), "choose another name, or give that owner with --owner")
	}
	return false
}

func (r *run) lookAtQuota(added int) {
	total := len(r.observed) + added
	message := fmt.Sprintf("profiles of the cluster: %d now, %d then; AWS allows %d unless it has raised that for you (L-33415657)", len(r.observed), total, defaultProfiles)
	if total > defaultProfiles {
		r.add(Warning, checkQuota, "", message, "delete profiles that nobody needs, or ask AWS for more")
		return
	}
	r.add(OK, checkQuota, "", message, "")
}

// lookAtOverlaps looks at the desired profiles beside those of the cluster that stay.
func (r *run) lookAtOverlaps() {
	var all []selector.Profile
	for _, d := range r.Desired {
		all = append(all, selector.Profile{Name: d.Spec.Name, Selectors: d.Spec.Selectors})
	}
	for _, o := range r.observed {
		replaced := slices.ContainsFunc(r.Desired, func(d fargate.Desired) bool { return d.Claims(o) || d.Spec.Name == o.Spec.Name })
		if !replaced {
			all = append(all, selector.Profile{Name: o.Spec.Name, Selectors: o.Spec.Selectors})
		}
	}
	for _, f := range selector.Analyze(all...) {
		if r.concerns(f) {
			r.add(Severity(f.Severity), checkOverlap, f.Profile, f.Message, f.Remedy)
		}
	}
}

// concerns reports whether a finding is grave enough and about a desired profile.
func (r *run) concerns(f selector.Finding) bool {
	return f.Severity != selector.SeverityInfo && slices.ContainsFunc(r.Desired, func(d fargate.Desired) bool {
		return d.Spec.Name == f.Profile || slices.Contains(f.Others, d.Spec.Name)
	})
}
