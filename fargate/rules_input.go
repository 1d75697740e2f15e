// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "strings"

// The rules about what was given and where it was seen.

func invalidDesired(s *situation) (Decision, bool) {
	limits := func(l *Limits) { *l = s.limits; l.RoleOptional = true }
	if err := s.in.Desired.Validate(limits); err != nil {
		return s.blocked(ReasonInvalidDesired, nil, "%s", strings.TrimPrefix(err.Error(), "fargate: ")), true
	}
	return Decision{}, false
}

// invalidAbsent asks for the identity and for what the end means alone: a profile
// whose spec became invalid must still be deleted.
func invalidAbsent(s *situation) (Decision, bool) {
	err := s.in.Desired.ValidateIdentity()
	if err == nil {
		// A deletion that nobody can read must not count as the default, which deletes.
		err = Policy{Deletion: s.in.Desired.Policy.Deletion}.Validate()
	}
	if err != nil {
		return s.blocked(ReasonInvalidDesired, nil, "%s", strings.TrimPrefix(err.Error(), "fargate: ")), true
	}
	return Decision{}, false
}

func wrongPlace(s *situation) (Decision, bool) {
	remembered, ok := PlaceOf(s.before.ARN)
	if !ok {
		return Decision{}, false
	}
	for _, p := range s.row {
		if seen, ok := PlaceOf(p.ARN); ok && seen.Contradicts(remembered) {
			return s.blockedPlace(remembered, seen), true
		}
	}
	if s.in.Place.Contradicts(remembered) {
		return s.blockedPlace(remembered, s.in.Place), true
	}
	return Decision{}, false
}

// blockedPlace keeps the memory of before: what was seen in the wrong place must
// not become what the next look is compared with.
func (s *situation) blockedPlace(remembered, seen Place) Decision {
	d := s.blocked(ReasonWrongPlace, nil, "%s was last seen in %s, and now AWS is asked in %s: use the credentials and the region of before",
		s.name(), remembered, seen)
	d.Memory = s.before
	return d
}

func clusterNotFound(s *situation) (Decision, bool) {
	if !s.in.ClusterMissing {
		return Decision{}, false
	}
	return s.blocked(ReasonClusterNotFound, nil, "EKS has no cluster %s here: check its name, the account and the region", s.desired.Spec.ClusterName), true
}

func clusterGone(s *situation) (Decision, bool) {
	if !s.in.ClusterMissing {
		return Decision{}, false
	}
	return s.decision(ActionNoOp, ReasonClusterGone, nil, "cluster %s is gone, and %s with it", s.desired.Spec.ClusterName, s.name()), true
}

func tooManyProfiles(s *situation) (Decision, bool) {
	if len(s.row) <= 2 {
		return Decision{}, false
	}
	names := make([]string, 0, len(s.row))
	for _, p := range s.row {
		names = append(names, p.Spec.Name)
	}
	return s.blocked(ReasonTooManyProfiles, s.newest(), "%s has %d profiles at EKS, at most 2 are possible: delete all but one of %s",
		s.name(), len(names), strings.Join(names, ", ")), true
}
