// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"log/slog"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awscall"
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
func call[T any](ctx context.Context, c caller, op, profile string, do func() (*T, error)) (*T, error) {
	out, err := awscall.Do(ctx, c.frame(ctx, op, profile), op, do)
	if err != nil {
		return nil, c.failed(op, profile, err)
	}
	return out, nil
}

func (c caller) frame(ctx context.Context, op, profile string) awscall.Frame {
	return awscall.Frame{
		Rate:   c.options.Rate,
		Logger: c.options.Logger,
		Now:    c.options.Now,
		Attrs:  []slog.Attr{slog.String("cluster", c.cluster), slog.String("profile", profile)},
		Ended: func(took time.Duration, err error) {
			if hook := c.options.Hooks.Call; hook != nil {
				hook(ctx, CallInfo{Operation: op, Cluster: c.cluster, Profile: profile, Duration: took, Err: err})
			}
		},
	}
}

func (c caller) failed(op, profile string, err error) error {
	return &Error{Op: op, Cluster: c.cluster, Profile: profile, Fault: awserr.Classify(err), Err: err}
}

func (r *Reconciler) fail(op string, s fargate.Spec, err error) error {
	return r.caller(s).failed(op, s.Name, err)
}
