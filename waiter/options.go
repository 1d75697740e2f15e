// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"golang.org/x/time/rate"
)

// The defaults of [Options].
const (
	// DefaultSettle is how long a profile must have been ACTIVE to count as settled.
	DefaultSettle = 30 * time.Second
	// DefaultGrace is how long a read may still show what was before the operation.
	DefaultGrace = 30 * time.Second
	// DefaultErrorBudget is how long errors that pass by themselves may go on.
	DefaultErrorBudget = 5 * time.Minute
)

// Options changes how a wait goes. The zero value is the default.
type Options struct {
	// Since is when EKS accepted the create or the delete. It is the origin of the
	// age. When it is recent, the wait knows that the operation is still in
	// progress and saves the first call, and the time of an earlier process is not
	// lost. Zero means the profile's createdAt for a create, and the start of the
	// wait for a delete; then the first call is made at once.
	Since time.Time
	// Schedule says when to look. The zero value means what History has learned,
	// or [DefaultSchedule] without a History.
	Schedule Schedule
	// History learns how long this wait took. Nil learns nothing.
	History *History
	// Jitter changes each delay of the schedule a little, so that many waits that
	// began together do not look together. Nil adds up to 1 % and at most 0.5 s.
	// It must be safe for concurrent use if waits share it; see [SeededJitter].
	Jitter func(time.Duration) time.Duration
	// Settle is how long the profile must have been seen ACTIVE to be settled.
	// Zero means [DefaultSettle]. Only [Settled] and [GoalSettled] use it.
	Settle time.Duration
	// Grace is how long after the operation began an answer that contradicts it
	// counts as stale: not found after a create, not yet DELETING after a delete,
	// the ARN of a predecessor. Zero means [DefaultGrace]; below zero, no grace.
	Grace time.Duration
	// ErrorBudget is how long throttling, failures of AWS and broken connections
	// may go on without one good answer. Zero means [DefaultErrorBudget]; below
	// zero, the first such error ends the wait. The client's own retries come on
	// top of it.
	ErrorBudget time.Duration
	// Limiter is a budget of calls that waits may share. Nil means no limit. While
	// its burst is zero, nobody looks.
	Limiter *rate.Limiter
	// OnPoll is called after each look, by the goroutine of the wait. Nil means
	// nobody.
	OnPoll func(Progress)
	// Logger gets a debug record per look and a warning per tolerated error. Nil
	// discards them.
	Logger *slog.Logger
	// ClientOptions go to every call of the client.
	ClientOptions []func(*eks.Options)
}

func newOptions(optFns []func(*Options)) *Options {
	o := &Options{}
	for _, fn := range optFns {
		fn(o)
	}
	o.setDefaults()
	return o
}

func (o *Options) setDefaults() {
	o.Settle = orDefault(o.Settle, DefaultSettle)
	o.Grace = orDefault(o.Grace, DefaultGrace)
	o.ErrorBudget = orDefault(o.ErrorBudget, DefaultErrorBudget)
	if o.Schedule.isZero() && o.History == nil {
		o.Schedule = DefaultSchedule()
	}
	if o.Jitter == nil {
		o.Jitter = defaultJitter
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d == 0 {
		return fallback
	}
	return max(d, 0)
}

// schedule returns the schedule in force: a History changes it as it learns.
func (o *Options) schedule() Schedule {
	if o.Schedule.isZero() && o.History != nil {
		return o.History.Schedule()
	}
	return o.Schedule
}

// shortest is the least time between two looks.
const shortest = 100 * time.Millisecond

// jittered applies the jitter and keeps the delay positive, whatever the function
// returns, so that a wait never spins.
func (o *Options) jittered(d time.Duration) time.Duration {
	return max(o.Jitter(d), shortest)
}
