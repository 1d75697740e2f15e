// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// Claims reports whether a profile at EKS bears our mark for this logical profile:
// it is ours, or we are one of several that claim it. Marks under a name that we
// never give are a copy that somebody made by hand: a look by name would not find
// it, so that it must count for nothing where all profiles are seen.
func (d Desired) Claims(o Observed) bool {
	state, _ := owner.Of(o.Spec.Tags, d.Owner.ID)
	if state != OwnershipOwned && state != OwnershipContested {
		return false
	}
	if logical, marked := o.Spec.Tags[owner.ProfileKey]; marked {
		return logical == d.Spec.Name && MayBelong(logical, o.Spec.Name)
	}
	return o.Spec.Name == d.Spec.Name
}

// OwnershipOf says whose a profile is, seen from the owner, and names the others
// that claim it.
func OwnershipOf(o Observed, by Owner) (Ownership, []string) {
	return owner.Of(o.Spec.Tags, by.ID)
}

// LogicalName is the logical name that the marks of a profile give, or its name
// at EKS where there is no mark.
func (o Observed) LogicalName() string {
	return or(o.Spec.Tags[owner.ProfileKey], o.Spec.Name)
}

// Peer is the name of the other profile of a replacement that is under way, or
// empty.
func (o Observed) Peer() string {
	if o.unconfirmed() {
		return ""
	}
	return o.Spec.Tags[owner.PeerKey]
}

// unconfirmed reports whether a profile is new, and nobody has looked yet whether
// another writer made one for the same logical name: its mark of a peer names itself.
func (o Observed) unconfirmed() bool { return o.Spec.Tags[owner.PeerKey] == o.Spec.Name }

// UserTags are the tags of a profile without our marks and those of AWS.
func (o Observed) UserTags() map[string]string {
	tags := map[string]string{}
	for key, value := range o.Spec.Tags {
		if !owner.IsMark(key) && !tagdiff.IsAWS(key) {
			tags[key] = value
		}
	}
	return tags
}

// Generation is the generation of the desired state that wrote last, by the mark
// on the profile; zero where there is none.
func (o Observed) Generation() int64 { return markedGeneration(o.Spec.Tags) }
