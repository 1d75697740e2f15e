// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awscall"
)

// Options configure [Roles]. The zero value of each field is its default.
type Options struct {
	// Mode says what [Roles.Prepare] and [Roles.Retire] may do. The zero value,
	// [iam.ModeBringYourOwn], calls IAM for nothing. [iam.ModeVerify] reads the role
	// that the profile names and reports what it lacks. [iam.ModeEnsure] makes, mends
	// and deletes a role of ours for profiles that name none; what it takes to be
	// allowed that is [iam.ControllerPolicy] with [iam.ModeDelete].
	Mode iam.Mode
	// VerifyGiven lets ModeEnsure read the roles that profiles name. Without it, such
	// a role is used as it is.
	VerifyGiven bool
	// Role is what a role of ours looks like, whose it is and where. The cluster and
	// the profile come from the profile. Every mode but ModeBringYourOwn must know where
	// the cluster is, ModeVerify to know for which profiles EKS shall assume the role:
	// the region from the Scope, from Identity or from Profiles, the account from the
	// Scope, from Identity or from the ARN of a role that is given. In ModeEnsure, Owner
	// is required, too; a Name stands for every profile, so leave it empty where there
	// are several clusters. Outside of ModeEnsure, ARN is the role of profiles that name
	// none.
	Role iam.DesiredRole
	// PerProfile gives each profile a role of its own. Its owner is that of the
	// profile, unless Role has one. Without it, the profiles of a cluster share one.
	PerProfile bool
	// Identity says where the calls land, for what the Scope of Role leaves empty. It
	// is asked, too, before an absence is believed, for in the wrong account or region
	// everything is absent: that of a role, that of profiles that use it, unless the ARN
	// of a profile tells the place, and that of their cluster. Nil takes the region from
	// Profiles, where it tells it, and leaves the account unchecked: set it where the
	// credentials can be those of another account.
	Identity func(context.Context) (fargate.Place, error)
	// Profiles finds the profiles that still use a role. Nil means that no role is
	// ever deleted.
	Profiles Profiles
	// Rate is how many calls per second all users share. Nil means no limit of ours;
	// AWS has its own.
	Rate *rate.Limiter
	// Logger gets a record for each decision and its warnings, and one for each call at
	// level debug. To decide the same again without a call is at level debug, too. Nil
	// discards them.
	Logger *slog.Logger
	// Hooks are told of calls and decisions, for metrics.
	Hooks Hooks
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Sleep waits between the steps of Ensure and Delete, until d has passed on the
	// clock of Now or the context ends, whose error it then returns. Nil means a timer
	// of real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Patience is for how long Ensure and Delete try again when IAM contradicts
	// itself. Zero means 2 minutes.
	Patience time.Duration
}

// Hooks are functions for metrics. A nil function is not called. They must not
// block, and several goroutines may call them.
type Hooks struct {
	// Call is told of each call to AWS after it ended.
	Call func(context.Context, CallInfo)
	// Decision is told of each decision before its call.
	Decision func(context.Context, iam.DesiredRole, iam.RoleDecision)
}

// CallInfo is one call to AWS.
type CallInfo struct {
	Operation string
	// Role and Cluster are the names that the call was about.
	Role, Cluster string
	Duration      time.Duration
	// Err is nil for a call that succeeded.
	Err error
}

const defaultPatience = 2 * time.Minute

func (o *Options) setDefaults() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // the default of the clock that callers can set
	}
	if o.Sleep == nil {
		o.Sleep = awscall.Sleep
	}
	if o.Patience <= 0 {
		o.Patience = defaultPatience
	}
}
