// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "maps"

// Desired is what the caller wants of one profile.
type Desired struct {
	Spec   Spec   `json:"spec"`
	Owner  Owner  `json:"owner"`
	Policy Policy `json:"policy,omitzero"`
	// DefaultTags stand below the tags of the Spec: a key of the Spec wins.
	DefaultTags map[string]string `json:"defaultTags,omitempty"`
	// Generation counts the versions of the desired state. A step whose generation
	// is lower than the one that the profile carries writes nothing, so that a
	// stale replica cannot undo a newer wish. Zero is not written to the profile.
	Generation int64 `json:"generation,omitempty"`
	// Drained names the physical profiles whose pods the caller has moved away. It
	// opens the gate that [DrainConfirmed] closes. Take a name out when its profile is
	// gone: a pinned name comes back, and would find the gate open.
	Drained []string `json:"drained,omitempty"`
}

// Owner is who may change a profile. The empty owner owns nothing.
type Owner struct {
	// ID identifies the owner for ever: installation/namespace/name, or the like.
	// Never use a uid, or a restored backup loses what it owns. At most 256
	// characters of those that a tag value may hold.
	ID string `json:"id"`
}

// Tags returns the user's tags of the desired profile: the defaults, and over
// them the tags of the Spec. The result is new and never nil.
func (d Desired) Tags() map[string]string {
	tags := make(map[string]string, len(d.DefaultTags)+len(d.Spec.Tags))
	maps.Copy(tags, d.DefaultTags)
	maps.Copy(tags, d.Spec.Tags)
	return tags
}
