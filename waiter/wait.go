// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
)

// Active waits until the profile is ACTIVE and returns it; it may carry health
// issues even then. Use [Settled] if pods are to be created next.
//
// With an error it returns what was seen last, or the zero value. The error is a
// *[FailedError] for CREATE_FAILED and DELETE_FAILED, an *[EndedError] if the
// profile is being deleted, is gone, was never there or cannot be read, and a
// *[TimeoutError] when ctx ends. A status that EKS does not document is waited on.
func Active(ctx context.Context, api eks.DescribeFargateProfileAPIClient, ref Ref, optFns ...func(*Options)) (fargate.Observed, error) {
	return waitFor(ctx, api, ref, GoalActive, optFns)
}

// Settled waits like [Active], then for [Options.Settle], and looks once more: EKS
// reports ACTIVE some seconds before its scheduler knows the profile, and a pod
// that is created too early is never moved to Fargate.
//
// The errors are those of Active.
func Settled(ctx context.Context, api eks.DescribeFargateProfileAPIClient, ref Ref, optFns ...func(*Options)) (fargate.Observed, error) {
	return waitFor(ctx, api, ref, GoalSettled, optFns)
}

// Deleted waits until EKS says that it has no such profile, and returns the profile
// as it was seen last; the zero value if it was gone at the first look. Call it
// after DeleteFargateProfile was accepted.
//
// The error is a *[FailedError] for DELETE_FAILED, an *[EndedError] if nobody
// deletes the profile, if it stopped being deleted, if another profile took its
// name or if the whole cluster is unknown, and a *[TimeoutError] when ctx ends.
func Deleted(ctx context.Context, api eks.DescribeFargateProfileAPIClient, ref Ref, optFns ...func(*Options)) (fargate.Observed, error) {
	return waitFor(ctx, api, ref, GoalDeleted, optFns)
}

func waitFor(ctx context.Context, api eks.DescribeFargateProfileAPIClient, ref Ref, goal Goal, optFns []func(*Options)) (fargate.Observed, error) {
	o := newOptions(optFns)
	w := newWatch(ref, goal, o.Since, o, now())
	if err := w.check(); err != nil {
		return fargate.Observed{}, err
	}
	return w.follow(ctx, api)
}

// follow looks until the wait is over.
func (w *watch) follow(ctx context.Context, api eks.DescribeFargateProfileAPIClient) (fargate.Observed, error) {
	delay := w.first()
	for {
		if err := w.pause(ctx, delay); err != nil {
			return w.last, w.timeout(ctx, now())
		}
		observed, err := describe(ctx, api, w.ref, w.o)
		if ctx.Err() != nil {
			w.polls++
			w.noteLast(err)
			return w.last, w.timeout(ctx, now())
		}
		s := w.take(now(), observed, err)
		w.report(ctx, now(), s)
		if s.done {
			return w.last, s.err
		}
		delay = s.delay
	}
}

// pause waits until the next look is due and the budget allows it.
func (w *watch) pause(ctx context.Context, delay time.Duration) error {
	if err := sleep(ctx, beforeDeadline(ctx, delay, now())); err != nil {
		return err
	}
	return takeToken(ctx, w.o.Limiter)
}

// lastLook is how long before the deadline a wait looks once more: the profile may
// have got there since the look before.
const lastLook = time.Second

// beforeDeadline shortens a delay that would miss the deadline, so that the last
// look is made while its answer still counts.
func beforeDeadline(ctx context.Context, delay time.Duration, at time.Time) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return delay
	}
	left := deadline.Sub(at) - lastLook
	if delay > left && left > lastLook {
		return left
	}
	return delay
}
