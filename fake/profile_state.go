// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// profile is a Fargate profile as it was last written. Its status is not
// stored: it follows from the times below and from the time of the look.
type profile struct {
	Name      string
	short     shortName // of Name, once stored
	ARN       string
	RoleARN   string
	Subnets   []string
	Selectors []selector
	Tags      pairs
	Token     string
	CreatedAt time.Time
	KnownAt   time.Time // when those who place pods know it; not before it is ACTIVE
	Creation  change
	Deletion  *change // nil until a delete was accepted

	// Room for what the slices above hold, once stored.
	subnets   [4]string
	selectors [2]selector
	pairs     [4]pair
}

type selector struct {
	Namespace string
	Labels    pairs
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

func (p *profile) named(name string) bool {
	return p.short.is(name) || p.short.long() && p.Name == name
}

// compact returns a copy in one piece of memory: a look-up among many clusters
// costs what it has to fetch. Only texts lie elsewhere, and what few profiles have.
func (p *profile) compact() *profile {
	piece := *p
	piece.short = shortNameOf(p.Name)
	piece.Subnets = append(piece.subnets[:0], p.Subnets...)
	piece.Selectors = append(piece.selectors[:0], p.Selectors...)
	room := piece.pairs[:0]
	piece.Tags, room = p.Tags.movedTo(room)
	for i, s := range piece.Selectors {
		piece.Selectors[i].Labels, room = s.Labels.movedTo(room)
	}
	return &piece
}
