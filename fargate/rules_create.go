// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

// The rules about a profile that is not there.

func roleNotReady(s *situation) (Decision, bool) {
	if len(s.row) > 0 {
		return Decision{}, false
	}
	return s.roleGate(nil)
}

// roleGate stops before a create or a delete whose role is not ready.
func (s *situation) roleGate(p *physical) (Decision, bool) {
	r := s.in.Role
	switch {
	case r == nil:
		return Decision{}, false
	case r.Wait:
		after := r.RequeueAfter
		if after <= 0 {
			after = roleAfter
		}
		return s.wait(ReasonRoleNotReady, p, after, "%s", r.text()), true
	case r.Blocked:
		return s.blocked(ReasonRoleBlocked, p, "%s", r.text()), true
	case r.Trust == TrustMissing:
		return s.blocked(ReasonRoleNotTrusted, p, "role %s does not let EKS assume it for %s: %s", s.desired.Spec.PodExecutionRoleARN, s.name(), r.text()), true
	}
	return Decision{}, false
}

func noSlot(s *situation) (Decision, bool) {
	if len(s.row) > 0 || s.slotFree() {
		return Decision{}, false
	}
	return s.blocked(ReasonQuotaExceeded, nil, "cluster %s has %d profiles and the quota L-33415657 allows %d: delete one, or have the quota raised",
		s.desired.Spec.ClusterName, len(s.in.Cluster), s.limits.Profiles), true
}

// slotFree reports whether the cluster can take one profile more, as far as that
// is known.
func (s *situation) slotFree() bool {
	return s.limits.Profiles <= 0 || s.in.Cluster == nil || len(s.in.Cluster) < s.limits.Profiles
}

func createAbsent(s *situation) (Decision, bool) {
	if len(s.row) > 0 {
		return Decision{}, false
	}
	name := s.firstName()
	if d, stop := s.roleMissing(nil); stop {
		return d, true
	}
	d := s.decision(ActionCreate, ReasonAbsent, nil, "%s is not there: creating %s", s.name(), name)
	d.Profile, d.Next, d.Call, d.RequeueAfter = name, name, s.create(name, name), afterChange
	d.Unchecked = s.unchecked(s.limits.Profiles > 0)
	return d, true
}

// roleMissing stops where no role is known with which a profile could be made.
func (s *situation) roleMissing(p *physical) (Decision, bool) {
	if s.desired.Spec.PodExecutionRoleARN != "" {
		return Decision{}, false
	}
	d := s.blocked(ReasonInvalidDesired, p, "%s names no pod execution role: give spec.podExecutionRoleArn, or let the library make one", s.name())
	if s.in.Role == nil && s.limits.RoleOptional {
		d = s.wait(ReasonRoleNotReady, p, roleAfter, "%s names no pod execution role: it goes on when the role is made", s.name())
	}
	d.Next, d.Unchecked = s.firstName(), s.unchecked(false)
	return d, true
}

// unchecked lists what nobody looked at.
func (s *situation) unchecked(cluster bool) []Precondition {
	var out []Precondition
	if s.in.Role == nil {
		out = append(out, PreconditionRole)
	}
	if cluster && s.in.Cluster == nil {
		out = append(out, PreconditionCluster)
	}
	return out
}
