// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/awserr"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// observe makes the reads that the decision needs: none for a role that is used as
// it is, two where nothing is unusual.
func (c caller) observe(ctx context.Context, in *iam.RoleInput) error {
	switch in.Desired.Mode {
	case iam.ModeVerify, iam.ModeEnsure:
		return c.look(ctx, in)
	case iam.ModeDelete:
		return c.lookBeforeDeletion(ctx, in)
	default:
		return nil
	}
}

// look reads the role and what is in it. A role that vanishes on the way is an
// error, for a part of it that is not there does not prove that it is gone.
func (c caller) look(ctx context.Context, in *iam.RoleInput) error {
	o, err := c.get(ctx, in.Desired.Scope)
	if err != nil || o == nil {
		in.Observed = nil
		return err
	}
	if o.AttachedPolicies, err = c.attached(ctx); err != nil {
		return err
	}
	deleting := in.Desired.Mode == iam.ModeDelete
	if len(in.Desired.InlinePolicies) > 0 || deleting {
		if o.InlinePolicies, err = c.inline(ctx); err != nil {
			return err
		}
	}
	if deleting {
		o.InstanceProfiles, err = c.instanceProfiles(ctx)
	} else {
		o.InlineDocuments, err = c.documents(ctx, in.Desired, o.InlinePolicies)
	}
	in.Observed = o
	return err
}

// lookBeforeDeletion reads the role, the profiles that use it, and then all of the
// role: listing profiles takes a while, and whoever wants the role meanwhile takes
// the mark of the deletion off.
func (c caller) lookBeforeDeletion(ctx context.Context, in *iam.RoleInput) error {
	var err error
	if in.Observed, err = c.get(ctx, in.Desired.Scope); err != nil {
		return err
	}
	if iam.DecideRole(*in).Reason != iam.ReasonUsersUnknown {
		return nil
	}
	if in.Users, err = c.users(ctx, in.Desired); err != nil || len(in.Users.Profiles) > 0 {
		return err
	}
	return c.look(ctx, in)
}

// get reads the role without its policies; nil means that it is absent from the
// account of the scope.
func (c caller) get(ctx context.Context, scope iam.Scope) (*iam.ObservedRole, error) {
	const op = "GetRole"
	out, err := call(ctx, c, op, func() (*awsiam.GetRoleOutput, error) {
		return c.api.GetRole(ctx, &awsiam.GetRoleInput{RoleName: &c.role})
	})
	switch {
	case awserr.Is(err, awserr.NoSuchEntity):
		return nil, c.confirmAbsent(ctx, placeOf(scope))
	case err != nil:
		return nil, err
	case out.Role == nil:
		return nil, c.failed(op, awscall.ErrEmptyAnswer)
	}
	return new(sdkconv.ObservedRole(out.Role)), nil
}
