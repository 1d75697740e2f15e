// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awscall

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// Frame is what surrounds a call.
type Frame struct {
	// Rate is how many calls per second are made; nil means no limit.
	Rate *rate.Limiter
	// Logger gets a record after each call.
	Logger *slog.Logger
	// Now is the clock.
	Now func() time.Time
	// Attrs say in the record what the call was about.
	Attrs []slog.Attr
	// Ended is told how long the call took and how it ended; nil means nobody.
	Ended func(took time.Duration, err error)
}

// Do makes one call within its frame. It returns the error as it is, and
// [ErrEmptyAnswer] where there is neither an error nor an output.
func Do[T any](ctx context.Context, f Frame, operation string, do func() (*T, error)) (*T, error) {
	if f.Rate != nil {
		if err := f.Rate.Wait(ctx); err != nil {
			return nil, err
		}
	}
	start := f.Now()
	out, err := do()
	if err == nil && out == nil {
		err = ErrEmptyAnswer
	}
	took := f.Now().Sub(start)
	if f.Ended != nil {
		f.Ended(took, err)
	}
	attrs := append([]slog.Attr{slog.String("operation", operation)}, f.Attrs...)
	f.Logger.LogAttrs(ctx, slog.LevelDebug, "called AWS", append(attrs, slog.Duration("took", took), slog.Any("error", err))...)
	return out, err
}

// Sleep waits for the duration or for the end of the context, whose error it
// returns.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
