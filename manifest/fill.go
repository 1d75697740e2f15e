// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import "maps"

// fillFrom takes over what only the other draft has.
func (d *draft) fillFrom(other *draft) {
	if other == nil {
		return
	}
	d.fillText(keyCluster, &d.ClusterName, other, other.ClusterName)
	d.fillText(keyRole, &d.PodExecutionRoleARN, other, other.PodExecutionRoleARN)
	if d.Subnets == nil {
		d.Subnets = other.Subnets
	}
	if d.Selectors == nil {
		d.Selectors = other.Selectors
	}
	if d.Tags == nil {
		d.Tags = other.Tags
	}
	places := maps.Clone(other.places)
	maps.Copy(places, d.places)
	d.places = places
}

func (d *draft) fillText(key string, v *Value, other *draft, value Value) {
	if v.IsUnset() && !value.IsUnset() {
		*v = value
		d.places[key] = other.places[key]
	}
}
