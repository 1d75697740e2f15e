// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package waiter waits for Fargate profiles: it notices a change sooner than a
// fixed backoff does, asks EKS less often, and says why a wait ended.
//
// [Active], [Settled] and [Deleted] block until the profile got there, until it
// cannot get there any more, or until the context ends. There is no other limit:
// a create has taken six minutes and a delete half an hour, so the deadline is
// the caller's. A wait that cannot succeed ends at once with a typed error:
// [FailedError] carries the health issues of EKS, [EndedError] the reason, and
// [TimeoutError] what was seen last.
//
// When to look is the decision of a [Schedule], a pure function of the status
// and the age of an operation. The default one follows the durations that people
// have reported; a [History] shared by many waits makes it follow the caller's
// own. A controller that must not block uses the schedule alone:
//
//	requeueAfter := waiter.DefaultSchedule().Next(observed.Status, age)
//
// or hands its waits to a [Poller], which follows thousands of profiles with a
// few goroutines and one budget of calls per second.
//
// Everything here uses package time and the context, and so runs on virtual time
// inside a testing/synctest bubble. No goroutine outlives the call that made it.
package waiter
