// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// An absence is not believed in another account or, of what EKS knows, in another
// region: there everything is absent. Where nobody tells the place, as with a client
// that does not say its region and without an identity, it is taken for the right one,
// as package lifecycle does with a profile.

// placeOf is where the cluster of a scope is.
func placeOf(s iam.Scope) fargate.Place {
	return fargate.Place{Partition: cmp.Or(s.Partition, iam.PartitionOf(s.Region)), Account: s.Account, Region: s.Region}
}

// clientPlace is where the calls about profiles land, as far as the client tells.
func (c caller) clientPlace() fargate.Place {
	return fargate.Place{Region: sdkconv.Region(c.options.Profiles)}
}

// place is where the calls land, as far as anybody tells.
func (c caller) place(ctx context.Context) (fargate.Place, error) {
	here := c.clientPlace()
	if c.options.Identity == nil {
		return here, nil
	}
	told, err := c.options.Identity(ctx)
	if err != nil {
		return here, c.failed("asking for the identity", err)
	}
	told.Region = cmp.Or(here.Region, told.Region)
	return told, nil
}

// confirmUnused makes sure that the calls land where the cluster is, before it is
// believed that none of its profiles uses the role.
func (c caller) confirmUnused(ctx context.Context, want fargate.Place) error {
	here, err := c.place(ctx)
	if err != nil {
		return err
	}
	return c.agree("the calls land", here, want)
}

// confirmAbsent makes sure that the calls land where the role is, before it is
// believed that there is none. A role is of no region.
func (c caller) confirmAbsent(ctx context.Context, want fargate.Place) error {
	here, err := c.place(ctx)
	if err != nil {
		return err
	}
	here.Region = ""
	return c.agree("the calls land", here, want)
}

const checkingPlace = "checking the place"

// agree refuses a place that is not that of the cluster.
func (c caller) agree(what string, here, want fargate.Place) error {
	if !here.Contradicts(want) {
		return nil
	}
	return c.failed(checkingPlace,
		fmt.Errorf("%s in partition %s, %s, and the cluster is in partition %s, %s: use clients of the account and the region of the cluster",
			what, cmp.Or(here.Partition, "unknown"), here, want.Partition, want))
}
