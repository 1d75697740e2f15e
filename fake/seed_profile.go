// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// Selector is a selector of a profile to begin with.
type Selector struct {
	Namespace string            `json:"namespace"`
	Labels    map[string]string `json:"labels,omitempty"`
}

// Profile is a profile to begin with. Zero fields mean a usable profile.
type Profile struct {
	// Cluster is its cluster in the Cloud's region; "" means ClusterName.
	Cluster string `json:"cluster,omitempty"`
	// Name is its name. Any name goes, also one with a reserved prefix.
	Name string `json:"name"`
	// RoleARN is its pod execution role; "" means the good role.
	RoleARN string `json:"podExecutionRoleArn,omitempty"`
	// Subnets are its subnets; nil means those that EKS would choose.
	Subnets []string `json:"subnets,omitempty"`
	// Selectors are its selectors; nil means one for the namespace default.
	Selectors []Selector `json:"selectors,omitempty"`
	// Tags are its tags; those of AWS, such as aws:cloudformation:stack-name, are
	// allowed here and nowhere else.
	Tags map[string]string `json:"tags,omitempty"`
	// Status is ACTIVE, CREATE_FAILED or DELETE_FAILED; "" means ACTIVE. With
	// CREATING or DELETING it stays so for ever.
	Status string `json:"status,omitempty"`
	// Issues are its health issues.
	Issues []Issue `json:"issues,omitempty"`
	// Age is how long ago it was created.
	Age time.Duration `json:"-"`
}

// AddProfile adds a profile that somebody else has made, or replaces it, without
// any check and without making the cluster busy. It returns the profile's ARN.
func (c *Cloud) AddProfile(spec Profile) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	spec.Cluster = orString(spec.Cluster, ClusterName)
	cl := t.lookup(spec.Cluster)
	if cl == nil {
		return "", fmt.Errorf("adding profile %q: no cluster %q in region %s", spec.Name, spec.Cluster, t.caller.Region)
	}
	t.settlePods(cl)
	p := t.seededProfile(cl, spec)
	if err := p.begin(spec, t.now); err != nil {
		return "", fmt.Errorf("adding profile %q: %w", spec.Name, err)
	}
	edited := t.edit(cl)
	edited.UsedRoles[p.RoleARN] = true
	edited.put(p, t.now)
	t.outcome = &Outcome{} // the spec says how it ends
	t.admitRole(edited, p)
	t.commit()
	return p.ARN, nil
}

func (t *tx) seededProfile(cl *cluster, spec Profile) *profile {
	created := t.now.Add(-spec.Age)
	p := &profile{
		Name:      spec.Name,
		ARN:       t.eksARN("fargateprofile/" + cl.Name + "/" + spec.Name + "/" + resourceID(t.cloud.rand, created)),
		RoleARN:   orString(spec.RoleARN, t.cloud.roleARN("/"+RoleName)),
		Subnets:   slices.Clone(spec.Subnets),
		Tags:      pairsOf(spec.Tags),
		CreatedAt: created,
		KnownAt:   created,
	}
	if p.Subnets == nil {
		p.Subnets, _ = t.defaultSubnets(cl) // none is as good as any here
	}
	for _, s := range spec.Selectors {
		p.Selectors = append(p.Selectors, selector{Namespace: s.Namespace, Labels: pairsOf(s.Labels)})
	}
	if p.Selectors == nil {
		p.Selectors = []selector{{Namespace: "default"}}
	}
	return p
}

// begin sets how the profile was created and deleted, by its status.
func (p *profile) begin(spec Profile, now time.Time) error {
	p.Creation = change{EndsAt: p.CreatedAt, Issues: cloneIssues(spec.Issues)}
	switch types.FargateProfileStatus(spec.Status) {
	case "", types.FargateProfileStatusActive:
	case types.FargateProfileStatusCreating:
		p.Creation.Stuck = true
	case types.FargateProfileStatusCreateFailed:
		p.Creation.Failed = true
	case types.FargateProfileStatusDeleting:
		p.Deletion = &change{EndsAt: now, Stuck: true}
	case types.FargateProfileStatusDeleteFailed:
		p.Deletion = &change{EndsAt: p.CreatedAt, Failed: true, Issues: cloneIssues(spec.Issues)}
	default:
		return fmt.Errorf("status %q is not one of EKS's", spec.Status)
	}
	return nil
}
