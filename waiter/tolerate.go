// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"errors"
	"time"

	"github.com/eksfargate/eksfargate/internal/awserr"
)

// patience counts the bad answers in a row.
type patience struct {
	bad   int
	since time.Time // when the first of the errors in a row came
}

// exhausted notes an error and reports whether errors have gone on for the budget.
func (p *patience) exhausted(at time.Time, budget time.Duration) bool {
	if p.since.IsZero() {
		p.since = at
	}
	return at.Sub(p.since) >= budget
}

const (
	backoffFirst = time.Second
	backoffMost  = 30 * time.Second
)

// backoff returns the delay after one more bad answer: 1 s, doubled each time, up
// to 30 s.
func (p *patience) backoff() time.Duration {
	d := backoffMost
	if p.bad < 5 {
		d = backoffFirst << p.bad
	}
	p.bad++
	return d
}

// takeError judges an answer that is an error.
func (w *watch) takeError(at time.Time, err error) step {
	switch kindOf(err) {
	case awserr.ProfileNotFound:
		w.errors.since = time.Time{} // EKS answered, so that nothing is broken.
		return w.notFound(at, err)
	case awserr.ClusterNotFound:
		return w.end(at, ReasonClusterNotFound, err)
	case awserr.Denied:
		return w.end(at, ReasonDenied, err)
	case awserr.Throttled, awserr.Transient:
		return w.tolerate(at, err)
	default:
		return w.end(at, ReasonCallFailed, err)
	}
}

// tolerate waits an error out while the budget lasts.
func (w *watch) tolerate(at time.Time, err error) step {
	if w.errors.exhausted(at, w.o.ErrorBudget) {
		return w.end(at, ReasonErrorBudget, err)
	}
	return step{delay: w.o.jittered(w.errors.backoff())}
}

// kindOf classifies an error of a call that was not cut short by the caller's
// context: a deadline that shows up then is one inside the client, such as the
// time limit of an HTTP client, and passes by itself.
func kindOf(err error) awserr.Kind {
	kind := awserr.Classify(err).Kind
	inside := kind == awserr.Canceled && errors.Is(err, context.DeadlineExceeded)
	if inside || errors.Is(err, errEmptyAnswer) {
		return awserr.Transient
	}
	return kind
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
