// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

// judge says what the status that was just seen means for the goal.
func (w *watch) judge(at time.Time) step {
	switch w.goal {
	case GoalDeleted:
		return w.judgeDeleted(at)
	case GoalIdle:
		return w.judgeIdle(at)
	default:
		return w.judgeActive(at)
	}
}

func (w *watch) judgeActive(at time.Time) step {
	status := w.last.Status
	if status != fargate.StatusActive {
		w.activeAt = time.Time{}
	}
	switch status {
	case fargate.StatusActive:
		return w.reachedActive(at)
	case fargate.StatusCreateFailed, fargate.StatusDeleteFailed:
		return ended(&FailedError{State: w.state(at)})
	case fargate.StatusDeleting:
		w.deleting = true
		return w.end(at, ReasonBeingDeleted, nil)
	default: // CREATING, and what EKS may add.
		return w.again(at)
	}
}

func (w *watch) reachedActive(at time.Time) step {
	if w.activeAt.IsZero() {
		w.activeAt = at
		w.learn(fargate.StatusCreating, at)
	}
	if left := w.o.Settle - at.Sub(w.activeAt); w.goal == GoalSettled && left > 0 {
		return step{delay: left}
	}
	return ended(nil)
}

func (w *watch) judgeDeleted(at time.Time) step {
	switch w.last.Status {
	case fargate.StatusDeleting:
		w.deleting = true
		return w.again(at)
	case fargate.StatusDeleteFailed:
		return ended(&FailedError{State: w.state(at)})
	case fargate.StatusActive, fargate.StatusCreating, fargate.StatusCreateFailed:
		if w.deleting {
			return w.staleOr(at, ReasonDeleteNotTaken, nil)
		}
		return w.staleOr(at, ReasonNeverDeleted, nil)
	default: // What EKS may add.
		return w.again(at)
	}
}

func (w *watch) judgeIdle(at time.Time) step {
	if w.last.Status.Known() && !w.last.Status.InProgress() {
		return ended(nil)
	}
	return w.again(at)
}

// notFound says what the absence of the profile means for the goal.
func (w *watch) notFound(at time.Time, err error) step {
	switch {
	case w.goal == GoalDeleted:
		w.learn(fargate.StatusDeleting, at)
		w.lastErr = nil
		return ended(nil)
	case w.goal == GoalIdle:
		w.lastErr = nil
		return ended(nil)
	case w.deleting || w.seen:
		return w.staleOr(at, ReasonDeletedMeanwhile, err)
	default:
		return w.staleOr(at, ReasonNeverCreated, err)
	}
}
