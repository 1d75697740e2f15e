// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "github.com/eksfargate/eksfargate/internal/owner"

// Limits are the quotas that a desired profile is checked against. AWS can raise
// each of them for an account.
type Limits struct {
	// Profiles is how many profiles a cluster may have (L-33415657, by default 10
	// at AWS). Zero means unknown: a create is attempted and AWS decides.
	Profiles int
	// Selectors is how many selectors a profile may have (L-D78D8AF8). Zero means 5.
	Selectors int
	// Labels is how many labels a selector may have (L-23414FF3). Zero means 5.
	Labels int
	// Tags is how many tags a resource may have. Zero means 50, which AWS does not
	// raise.
	Tags int
	// RoleOptional accepts a profile without a pod execution role, for callers that
	// make the role themselves before the profile.
	RoleOptional bool
}

const (
	defaultSelectors = 5
	defaultLabels    = 5
	defaultTags      = 50
	maxName          = 100
	maxTagKey        = 128
	maxTagValue      = 256
	maxNamespace     = 63
	maxLabelName     = 63
	maxLabelPrefix   = 253
	maxLabelKey      = maxLabelPrefix + 1 + maxLabelName
	maxLabelValue    = 63
	maxRoleName      = 64
	maxRolePath      = 512
)

func (l Limits) withDefaults() Limits {
	l.Selectors = positiveOr(l.Selectors, defaultSelectors)
	l.Labels = positiveOr(l.Labels, defaultLabels)
	l.Tags = positiveOr(l.Tags, defaultTags)
	return l
}

// userTags is how many tags are left for the user beside our marks.
func (l Limits) userTags() int { return max(0, l.Tags-owner.MaxMarks) }

func positiveOr(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}
