// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "slices"

// profileSubnets returns the subnets of a profile: those of the request when
// they are fit for Fargate, or else the private ones of the cluster. The texts
// on private subnets and zones are reported, the others are this package's.
func (t *tx) profileSubnets(cl *cluster, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return t.defaultSubnets(cl)
	}
	for _, id := range ids {
		if err := t.checkSubnet(cl, id); err != nil {
			return nil, err
		}
	}
	return slices.Clone(ids), nil
}

func (t *tx) checkSubnet(cl *cluster, id string) error {
	s, known := t.region.Subnets[id]
	switch {
	case t.cloud.opts.Lenient:
		return nil
	case !known:
		return invalidParameter("Subnet %s provided in Fargate Profile does not exist", id)
	case s.VPC != cl.VPC:
		return invalidParameter("Subnet %s provided in Fargate Profile is not in the VPC of the cluster", id)
	case s.Public:
		return invalidParameter("Subnet %s provided in Fargate Profile is not a private subnet", id)
	case t.unsupportedZone(s):
		return invalidParameter("Fargate Profile creation for the Availability Zone %s for Subnet %s is not supported",
			s.Zone, id)
	default:
		return nil
	}
}

func (t *tx) unsupportedZone(s Subnet) bool {
	return slices.Contains(t.cloud.opts.UnsupportedZones, s.Zone)
}

// defaultSubnets leaves out what EKS would refuse by name.
func (t *tx) defaultSubnets(cl *cluster) ([]string, error) {
	var out []string
	for _, id := range cl.Subnets {
		if t.checkSubnet(cl, id) == nil {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, invalidParameter("No private subnet was found for the Fargate Profile in cluster %s", cl.Name)
	}
	return out, nil
}
