// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"time"
)

// roleRecord is what has become of a role's name over time. IAM is eventually
// consistent: what a call writes, other calls see later. Writers work on the
// newest version; readers and services get the newest that has reached them.
type roleRecord struct {
	Versions []roleVersion // oldest first, never empty
}

type roleVersion struct {
	Role       *role     // nil: deleted
	ReadableAt time.Time // when reads see it
	TrustedAt  time.Time // when services that assume the role see it
}

// latest returns the role as the last writer left it, or nil. A nil record has
// no role.
func (r *roleRecord) latest() *role {
	if r == nil {
		return nil
	}
	return r.Versions[len(r.Versions)-1].Role
}

// readable returns the role as reads see it, or nil.
func (r *roleRecord) readable(now time.Time) *role {
	if r == nil {
		return nil
	}
	return r.newest(func(v roleVersion) bool { return !v.ReadableAt.After(now) })
}

// trusted returns the role as services see it, or nil. A deleted role is not
// trusted any more, and a re-created one is another role.
func (r *roleRecord) trusted(now time.Time) *role {
	latest := r.latest()
	if latest == nil {
		return nil
	}
	seen := r.newest(func(v roleVersion) bool { return !v.TrustedAt.After(now) })
	if seen == nil || seen.UniqueID != latest.UniqueID {
		return nil
	}
	return seen
}

func (r *roleRecord) newest(reached func(roleVersion) bool) *role {
	for _, v := range slices.Backward(r.Versions) {
		if reached(v) {
			return v.Role
		}
	}
	return nil
}

// with returns the record with a next version, and without the versions that
// nobody who looks from the horizon on can see.
func (r *roleRecord) with(next roleVersion, horizon time.Time) *roleRecord {
	versions := []roleVersion{}
	if r != nil {
		versions = slices.Clone(r.Versions)
	}
	versions = append(versions, next)
	for i, v := range slices.Backward(versions) {
		if !v.ReadableAt.After(horizon) && !v.TrustedAt.After(horizon) {
			return &roleRecord{Versions: versions[i:]}
		}
	}
	return &roleRecord{Versions: versions}
}

// gone reports whether nothing is left of the role for anybody.
func (r *roleRecord) gone() bool { return len(r.Versions) == 1 && r.Versions[0].Role == nil }

// nextVersion is a role, or its deletion, as it spreads from now. A change that
// leaves the trust document alone does not make services wait again.
func (t *tx) nextVersion(record *roleRecord, r *role) roleVersion {
	next := roleVersion{
		Role:       r,
		ReadableAt: t.now.Add(t.cloud.draw(t.cloud.opts.Delays.RoleRead)),
		TrustedAt:  t.now,
	}
	old := record.latest()
	switch {
	case r == nil:
	case old != nil && old.UniqueID == r.UniqueID && old.Trust == r.Trust:
		next.TrustedAt = record.Versions[len(record.Versions)-1].TrustedAt
	default:
		next.TrustedAt = t.now.Add(t.cloud.draw(t.cloud.opts.Delays.RoleTrust))
	}
	return next
}
