// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"cmp"
	"context"
	"errors"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// Desired is the role that a profile shall have: the one that its spec names, or
// what the options say. profile is its physical name; empty means any. It calls
// Options.Identity at most, and only where the options leave something open.
func (r *Roles) Desired(ctx context.Context, desired fargate.Desired, profile string) (iam.DesiredRole, error) {
	d := r.options.Role
	d.Mode, d.Scope.Cluster, d.Profiles = r.options.Mode, desired.Spec.ClusterName, nil
	if profile != "" {
		d.Profiles = []string{profile}
	}
	d.ARN = cmp.Or(desired.Spec.PodExecutionRoleARN, d.ARN)
	if given := desired.Spec.PodExecutionRoleARN != ""; given && d.Mode == iam.ModeEnsure {
		d.Mode = iam.ModeBringYourOwn
		if r.options.VerifyGiven {
			d.Mode = iam.ModeVerify
		}
	}
	if d.Mode == "" || d.Mode == iam.ModeBringYourOwn {
		return d, nil
	}
	if err := r.locate(ctx, &d); err != nil {
		c := r.caller(d)
		e := c.failed("asking for the identity", err)
		e.Profile = desired.Spec.Name
		return d, e
	}
	if d.Mode == iam.ModeEnsure && r.options.PerProfile {
		d.Owner = cmp.Or(d.Owner, desired.Owner.ID)
		d.Name = cmp.Or(d.Name, iam.RoleName(iam.RoleIdentity{
			Partition: placeOf(d.Scope).Partition,
			Account:   d.Scope.Account,
			Region:    d.Scope.Region,
			Cluster:   d.Scope.Cluster,
			Profile:   desired.Spec.Name,
		}))
	}
	return d, nil
}

// locate fills in where the cluster is, as far as the options leave it open.
func (r *Roles) locate(ctx context.Context, d *iam.DesiredRole) error {
	s := &d.Scope
	if (s.Account == "" || s.Region == "") && r.options.Identity != nil {
		place, err := r.options.Identity(ctx)
		if err != nil {
			return err
		}
		s.Partition = cmp.Or(s.Partition, place.Partition)
		s.Account, s.Region = cmp.Or(s.Account, place.Account), cmp.Or(s.Region, place.Region)
	}
	s.Region = cmp.Or(s.Region, sdkconv.Region(r.options.Profiles))
	if role, err := iam.ParseRoleARN(d.ARN); err == nil && s.Account == "" {
		// A pod execution role is of the account of its cluster, or EKS refuses it.
		s.Account = role.Account
	}
	if s.Account == "" || s.Region == "" {
		return errNowhere
	}
	return nil
}

// errNowhere is the cause where nobody says where the cluster is.
var errNowhere = errors.New("the account or the region of the cluster is not known: set Role.Scope or Identity in the options")
