// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// profile is a Fargate profile as it was last written. Its status is not
// stored: it follows from the times below and from the time of the look.
type profile struct {
	Name      string
	ARN       string
	RoleARN   string
	Subnets   []string
	Selectors []selector
	Tags      map[string]string
	Token     string
	CreatedAt time.Time
	KnownAt   time.Time // when those who place pods know it; not before it is ACTIVE
	Creation  change
	Deletion  *change // nil until a delete was accepted
}

type selector struct {
	Namespace string
	Labels    map[string]string
}

// change is an asynchronous change that was accepted and how it will end.
type change struct {
	EndsAt time.Time
	Stuck  bool // never ends
	Failed bool
	Issues []Issue
}

// Issue is one entry of the health of a profile.
type Issue struct {
	// Code is one of types.FargateProfileIssueCode's values, or a new one.
	Code string `json:"code"`
	// Message is the text for people.
	Message string `json:"message,omitempty"`
	// ResourceIDs are what the issue is about: roles, subnets, clusters.
	ResourceIDs []string `json:"resourceIds,omitempty"`
}

func (ch change) ended(now time.Time) bool { return !ch.Stuck && !now.Before(ch.EndsAt) }

// gone reports whether nothing of the profile is left.
func (p *profile) gone(now time.Time) bool {
	return p.Deletion != nil && p.Deletion.ended(now) && !p.Deletion.Failed
}

func (p *profile) status(now time.Time) types.FargateProfileStatus {
	switch d := p.Deletion; {
	case d != nil && !d.ended(now):
		return types.FargateProfileStatusDeleting
	case d != nil:
		return types.FargateProfileStatusDeleteFailed
	case !p.Creation.ended(now):
		return types.FargateProfileStatusCreating
	case p.Creation.Failed:
		return types.FargateProfileStatusCreateFailed
	default:
		return types.FargateProfileStatusActive
	}
}

// changing reports whether the profile is CREATING or DELETING.
func (p *profile) changing(now time.Time) bool {
	s := p.status(now)
	return s == types.FargateProfileStatusCreating || s == types.FargateProfileStatusDeleting
}

// issues are those of the latest change that has ended.
func (p *profile) issues(now time.Time) []Issue {
	switch {
	case p.Deletion != nil && p.Deletion.ended(now):
		return p.Deletion.Issues
	case p.Creation.ended(now):
		return p.Creation.Issues
	default:
		return nil
	}
}

// compact returns a copy in one piece of memory, without its texts: a look-up
// among many clusters costs what it has to fetch.
func (p *profile) compact() *profile {
	piece := &struct {
		profile
		subnets   [4]string
		selectors [2]selector
	}{profile: *p}
	if len(p.Subnets) <= len(piece.subnets) {
		piece.Subnets = append(piece.subnets[:0], p.Subnets...)
	}
	if len(p.Selectors) <= len(piece.selectors) {
		piece.Selectors = append(piece.selectors[:0], p.Selectors...)
	}
	if len(p.Tags) == 0 {
		piece.Tags = nil
	}
	return &piece.profile
}

// clone returns a copy whose tags may be changed; all else is never changed in
// place.
func (p *profile) clone() *profile {
	q := *p
	q.Tags = maps.Clone(p.Tags)
	return &q
}
