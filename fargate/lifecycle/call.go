// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"log/slog"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// caller makes the calls about one profile.
type caller struct {
	*Reconciler
	cluster, profile string
}

func (r *Reconciler) caller(s fargate.Spec) caller {
	return caller{Reconciler: r, cluster: s.ClusterName, profile: s.Name}
}

// call makes one call to AWS, within the shared rate, tells the hooks and the log
// of it, and wraps its error.
func call[T any](ctx context.Context, c caller, op, profile string, do func() (T, error)) (T, error) {
	var zero T
	if limit := c.options.Rate; limit != nil {
		if err := limit.Wait(ctx); err != nil {
			return zero, c.failed(op, profile, err)
		}
	}
	start := c.options.Now()
	out, err := do()
	took := c.options.Now().Sub(start)
	if hook := c.options.Hooks.Call; hook != nil {
		hook(ctx, CallInfo{Operation: op, Cluster: c.cluster, Profile: profile, Duration: took, Err: err})
	}
	c.options.Logger.LogAttrs(ctx, slog.LevelDebug, "called AWS",
		slog.String("operation", op), slog.String("cluster", c.cluster), slog.String("profile", profile), slog.Duration("took", took), slog.Any("error", err))
	if err != nil {
		return zero, c.failed(op, profile, err)
	}
	return out, nil
}

func (c caller) failed(op, profile string, err error) error {
	return &Error{Op: op, Cluster: c.cluster, Profile: profile, Fault: awserr.Classify(err), Err: err}
}

func (r *Reconciler) fail(op string, s fargate.Spec, err error) error {
	return r.caller(s).failed(op, s.Name, err)
}
