// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"slices"

	"github.com/eksfargate/eksfargate/internal/owner"
)

// The rules about a profile that must not be there.

func gone(s *situation) (Decision, bool) {
	if len(s.row) > 0 {
		return Decision{}, false
	}
	d := s.decision(ActionNoOp, ReasonGone, nil, "%s is gone", s.name())
	d.Memory = Memory{}
	return d, true
}

func release(s *situation) (Decision, bool) {
	p := s.owned(OwnershipOwned)
	if p == nil || s.policy.Deletion != DeletionRelease {
		return Decision{}, false
	}
	var keys []string
	for _, key := range owner.Keys(s.desired.Owner.ID) {
		if _, there := p.Spec.Tags[key]; there {
			keys = append(keys, key)
		}
	}
	d := s.decision(ActionUpdateTags, ReasonReleasing, p, "profile %s is released: removing our marks and keeping it", p.Spec.Name)
	d.Call, d.RequeueAfter = s.untag(p, keys...), afterWrite
	return d, true
}

// deleteUndesired takes the newest first: a predecessor that is still there keeps
// its pods until its turn comes.
func deleteUndesired(s *situation) (Decision, bool) {
	for _, p := range slices.Backward(s.row) {
		if p.ownership != OwnershipOwned {
			continue
		}
		d := s.decision(ActionDelete, ReasonUndesired, p, "profile %s is not desired any more: deleting it", p.Spec.Name)
		d.Call, d.RequeueAfter = s.delete(p), afterChange
		d.Warnings = s.podsEnd(p)
		return d, true
	}
	return Decision{}, false
}
