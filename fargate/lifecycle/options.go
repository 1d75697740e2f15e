// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// Options configure a [Reconciler]. The zero value of each field is its default.
type Options struct {
	// Roles runs the phases of the pod execution role inside Step: before a create
	// and after the profile is gone. Nil means that you bring your own role: no IAM
	// call is made, and the spec must name the role.
	Roles Roles
	// Logger gets a record for each decision and each refusal, and one for each call
	// at level debug. To decide the same again without a call is at level debug, too.
	// Nil discards them.
	Logger *slog.Logger
	// Hooks are told of calls and decisions, for metrics.
	Hooks Hooks
	// Limits are the quotas that are known. See [fargate.Limits].
	Limits fargate.Limits
	// Identity says in which account and region the API calls land. It is asked only
	// where an absence must be believed although the memory knows the profile. Nil
	// takes the region from the client, where it tells it, and leaves the account
	// unknown.
	Identity func(context.Context) (fargate.Place, error)
	// Pods lists the running pods of the cluster, for the costs of a replacement and
	// for the drain gate. It is asked only where one of them is at stake. Its error
	// ends Run, unless it is one of AWS that can be tried again. Nil means that nobody
	// looks.
	Pods func(ctx context.Context, cluster string) ([]selector.Placed, error)
	// Rate is how many calls per second all users of this Reconciler share. Nil
	// means no limit of ours; AWS has its own.
	Rate *rate.Limiter
	// Poll is the least time between two looks of Run, Delete and RunAll at a profile
	// that is in progress. What takes long is looked at less often: after a fifteenth of
	// the time that it has taken, at most 30 seconds. Zero means 2 seconds.
	Poll time.Duration
	// TrustBudget is for how long Run tries again when EKS cannot assume the role,
	// which happens for a while after the role was made. Zero means 2 minutes.
	TrustBudget time.Duration
	// Clusters is how many clusters RunAll works on at once. Zero means 64.
	Clusters int
	// Progress is told of each step of Run, Delete, RunAll and Teardown. RunAll calls
	// it from several goroutines at once.
	Progress func(context.Context, Progress)
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Sleep waits between the steps of Run, Delete, RunAll and Teardown, until d has
	// passed on the clock of Now or the context ends, whose error it then returns. A
	// fake whose clock stands still can be advanced here. RunAll calls it from several
	// goroutines at once. Nil means a timer of real time.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Progress is one step of a run.
type Progress struct {
	// Cluster and Profile are the EKS name of the cluster and the logical name.
	Cluster, Profile string
	// Outcome is what the step did.
	Outcome Outcome
	// Elapsed is the time since the run of this profile began.
	Elapsed time.Duration
	// Err is the error of the step, if it failed and is tried again.
	Err error
}

// Hooks are functions for metrics. A nil function is not called. They must not
// block, and RunAll calls them from several goroutines.
type Hooks struct {
	// Call is told of each call to AWS after it ended.
	Call func(context.Context, CallInfo)
	// Decision is told of each decision, before its call is made, with the time for
	// which the profile has had its status; zero where it has none. Where AWS refuses
	// the call, it is told once more, of the wait or the block that this leads to.
	Decision func(context.Context, fargate.Decision, time.Duration)
}

// CallInfo is one call to AWS.
type CallInfo struct {
	Operation        string
	Cluster, Profile string
	Duration         time.Duration
	// Err is nil for a call that succeeded. That a profile is not there is an error,
	// too, though not for the step: see [Classify].
	Err error
}

const (
	defaultPoll        = 2 * time.Second
	defaultTrustBudget = 2 * time.Minute
	defaultClusters    = 64
)

func (o *Options) setDefaults() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.TrustBudget <= 0 {
		o.TrustBudget = defaultTrustBudget
	}
	if o.Clusters <= 0 {
		o.Clusters = defaultClusters
	}
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // the default of the clock that callers can set
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	o.Limits.RoleOptional = o.Roles != nil
}
