// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"context"
	"log/slog"
	"time"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// caller makes the calls about one role.
type caller struct {
	*Roles
	role, cluster string
}

func (r *Roles) caller(d iam.DesiredRole) caller {
	return caller{Roles: r, role: d.RoleName(), cluster: d.Scope.Cluster}
}

// call makes one call to AWS, within the shared rate, tells the hooks and the log
// of it, and wraps its error.
func call[T any](ctx context.Context, c caller, op string, do func() (*T, error)) (*T, error) {
	out, err := awscall.Do(ctx, awscall.Frame{
		Rate:   c.options.Rate,
		Logger: c.options.Logger,
		Now:    c.options.Now,
		Attrs:  []slog.Attr{slog.String("role", c.role), slog.String("cluster", c.cluster)},
		Ended: func(took time.Duration, err error) {
			if hook := c.options.Hooks.Call; hook != nil {
				hook(ctx, CallInfo{Operation: op, Role: c.role, Cluster: c.cluster, Duration: took, Err: err})
			}
		},
	}, op, do)
	if err != nil {
		return nil, c.failed(op, err)
	}
	return out, nil
}

func (c caller) failed(op string, err error) *Error {
	return &Error{Op: op, Role: c.role, Cluster: c.cluster, Fault: awserr.Classify(err), Err: err}
}
