// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"time"
)

// MemoryVersion is the version that this library writes into [Memory].
const MemoryVersion = 1

// Memory is what a caller keeps of one profile between steps, as JSON. It makes
// steps cheaper and keeps budgets; nothing is lost for good without it. The zero
// value is always safe, and so is a memory of an unknown version, which counts as
// zero.
type Memory struct {
	// Version is [MemoryVersion], or zero in the zero value.
	Version int `json:"version,omitempty"`
	// Physical is the name at EKS under which the profile was last seen; of two, that
	// of the successor.
	Physical string `json:"physical,omitempty"`
	// ARN is the ARN of that profile. An absence counts only where it agrees with
	// the account and the region in it.
	ARN string `json:"arn,omitempty"`
	// Unlisted says that there may be another profile of the logical name to which no
	// mark leads: a writer with an older version of the desired state can make a
	// successor while its name is forgotten. The list is read until it shows one alone.
	Unlisted bool `json:"unlisted,omitempty"`
	// Status and Since are the last status, and when it was first seen. Of two
	// profiles it is that of the one that things wait for.
	Status Status    `json:"status,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	// Fingerprint tells versions of the desired state apart: a new one starts with
	// full budgets.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Attempts counts what was tried and failed, since the last success.
	Attempts map[Trouble]Attempt `json:"attempts,omitempty"`
	// QuotaRefused says that EKS found no free slot for a successor.
	QuotaRefused bool `json:"quotaRefused,omitempty"`
	// Untagged are the tag keys that were removed in the step before, for sure: who set
	// them since is somebody else, although the memory on the profile may still claim
	// them.
	Untagged []string `json:"untagged,omitempty"`
	// Reason and Message are what was reported last, so that nothing is reported
	// twice.
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Trouble is what an attempt failed at.
type Trouble string

// The troubles that are counted.
const (
	// TroubleCreateFailed counts profiles that ended as CREATE_FAILED.
	TroubleCreateFailed Trouble = "createFailed"
	// TroubleDeleteFailed counts deletes that ended as DELETE_FAILED.
	TroubleDeleteFailed Trouble = "deleteFailed"
	// TroubleTrust counts creates that EKS refused because of the role's trust.
	TroubleTrust Trouble = "trust"
	// TroubleInUse counts changes that EKS refused because of another change.
	TroubleInUse Trouble = "inUse"
	// TroubleRefused counts changes that EKS refused as they were, although they fit
	// what the look before had shown, since the status is the same.
	TroubleRefused Trouble = "refused"
)

// Attempt is a row of failures of one kind.
type Attempt struct {
	// Count is how many there were.
	Count int `json:"count"`
	// First and Last are when.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// Count returns the memory with one more failure of the kind. m stays as it is.
func (m Memory) Count(t Trouble, now time.Time) Memory {
	m.Attempts = maps.Clone(m.Attempts)
	if m.Attempts == nil {
		m.Attempts = map[Trouble]Attempt{}
	}
	a := m.Attempts[t]
	if a.Count == 0 {
		a.First = now
	}
	a.Count, a.Last = a.Count+1, now
	m.Attempts[t] = a
	return m
}

// Forget returns the memory without failures of the kinds, or of any kind if none
// is given. m stays as it is.
func (m Memory) Forget(troubles ...Trouble) Memory {
	if len(troubles) == 0 {
		m.Attempts = nil
		return m
	}
	m.Attempts = maps.Clone(m.Attempts)
	for _, t := range troubles {
		delete(m.Attempts, t)
	}
	if len(m.Attempts) == 0 {
		m.Attempts = nil
	}
	return m
}

// Restore returns the memory with the failures of one kind as they are in before:
// what was counted ahead of a call that did not happen. m stays as it is.
func (m Memory) Restore(before Memory, t Trouble) Memory {
	a, counted := before.known().Attempts[t]
	m = m.Forget(t)
	if counted {
		m.Attempts = maps.Clone(m.Attempts)
		if m.Attempts == nil {
			m.Attempts = map[Trouble]Attempt{}
		}
		m.Attempts[t] = a
	}
	return m
}

// known returns the memory if this library can read it, else the zero value. A
// count that nobody can have reached is none, or it would lift the budgets.
func (m Memory) known() Memory {
	if m.Version != MemoryVersion {
		return Memory{}
	}
	for t, a := range m.Attempts {
		if a.Count < 1 {
			m = m.Forget(t)
		}
	}
	return m
}

// observe returns the memory after a look: at the newest profile, whose name leads
// to all others, and at the one that things wait for. Both are nil where there is
// none.
func (m Memory) observe(newest, busiest *physical, fingerprint string, now time.Time) Memory {
	m.Version = MemoryVersion
	if m.Fingerprint != fingerprint {
		m = m.Forget(TroubleCreateFailed, TroubleTrust)
		m.Fingerprint, m.QuotaRefused = fingerprint, false
	}
	var status Status
	if newest == nil || newest.ARN != m.ARN {
		m.Untagged = nil
	}
	if newest != nil {
		status, m.Physical, m.ARN = busiest.Status, newest.Spec.Name, newest.ARN
	}
	if m.Status != status || m.Since.IsZero() {
		m.Status, m.Since = status, now
		m = m.Forget(TroubleRefused, TroubleInUse)
	}
	return m
}

// Backoff is how long to wait after the given number of failures: first, doubled
// each time, at most longest. Less than one failure counts as one; what is not
// positive stays as it is.
func Backoff(failures int, first, longest time.Duration) time.Duration {
	d := min(first, longest)
	for range failures - 1 {
		if d <= 0 {
			return d
		}
		if d > longest/2 {
			return longest
		}
		d *= 2
	}
	return d
}
