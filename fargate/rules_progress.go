// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "time"

// The rules about what is in progress.

func deleting(s *situation) (Decision, bool) {
	p := s.find(StatusDeleting)
	if p == nil {
		return Decision{}, false
	}
	next := "it will be made again when it is gone"
	switch {
	case s.in.Absent:
		next = "it is on its way out"
	case len(s.row) > 1:
		next = "the replacement goes on when it is gone"
	}
	return s.wait(ReasonDeleting, p, progressAfter(s.sinceStatus()), "profile %s is DELETING: %s", p.Spec.Name, next), true
}

func creating(s *situation) (Decision, bool) {
	p := s.find(StatusCreating)
	if p == nil {
		return Decision{}, false
	}
	what := "EKS takes seconds to minutes"
	if s.in.Absent {
		what = "EKS deletes it only when that is over"
	}
	return s.wait(ReasonCreating, p, progressAfter(s.age(p)), "profile %s is CREATING: %s", p.Spec.Name, what), true
}

func unknownStatus(s *situation) (Decision, bool) {
	for _, p := range s.row {
		if !p.Status.Known() {
			return s.unknown(p), true
		}
	}
	return Decision{}, false
}

func (s *situation) unknown(p *physical) Decision {
	return s.wait(ReasonUnknownStatus, p, progressAfter(s.sinceStatus()), "profile %s has the status %s, which this version does not know: nothing is written", p.Spec.Name, quote(string(p.Status)))
}

// age is how long ago a profile was asked for.
func (s *situation) age(p *physical) time.Duration {
	if p.CreatedAt.IsZero() {
		return s.sinceStatus()
	}
	return s.in.Now.Sub(p.CreatedAt)
}

// sinceStatus is for how long the status has been seen.
func (s *situation) sinceStatus() time.Duration { return s.in.Now.Sub(s.in.Memory.Since) }
