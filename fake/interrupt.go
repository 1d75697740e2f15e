// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrKilled is the cause of the end of a context that KillAt made.
var ErrKilled = errors.New("fake: the caller was killed")

// KillMoment is when, in the course of a call, its caller is killed.
type KillMoment string

// The two moments that differ for the caller's next life.
const (
	BeforeEffect KillMoment = "before" // the call did not happen
	AfterEffect  KillMoment = "after"  // it did, and nobody was told
)

type killKey struct{}

// kill is the death of one caller, who is known by the context of its calls.
type kill struct {
	left   atomic.Int64
	moment KillMoment
	cancel context.CancelCauseFunc
}

// KillAt returns a context for one life of a caller, such as a controller
// between start and crash. At the n-th call with it, counted from 1, the context
// ends with ErrKilled as its cause, before or after the effect of that call;
// later calls with it have no effect. So a test can stop a program between any
// two effects, begin again with a new context, and look at what is left. A
// caller that makes fewer calls lives on.
//
// The context reaches the Cloud through typed clients and through HTTPClient,
// not over a socket: for that, inject a Fault with LoseRequest or LoseReply.
func KillAt(ctx context.Context, n int, moment KillMoment) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	k := &kill{moment: moment, cancel: cancel}
	k.left.Store(int64(n))
	return context.WithValue(ctx, killKey{}, k)
}

// meets returns the death that a call meets, or nil. A caller that is dead
// already dies again before the effect.
func meets(ctx context.Context) *kill {
	k, ok := ctx.Value(killKey{}).(*kill)
	if !ok {
		return nil
	}
	switch left := k.left.Add(-1); {
	case left > 0:
		return nil
	case left < 0:
		return &kill{moment: BeforeEffect, cancel: k.cancel}
	default:
		return k
	}
}

func (k *kill) is(moment KillMoment) bool { return k != nil && k.moment == moment }

// strike ends the caller's life.
func (k *kill) strike() reply {
	k.cancel(ErrKilled)
	return reply{lost: true}
}

// Before runs fn right before the n-th call from now, counted from 1, takes its
// turn: a way to let something happen between two calls of the code under test.
// fn may use the Cloud; its own calls are not counted and start no other fn.
func (c *Cloud) Before(n int, fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks = append(c.hooks, &hook{left: n, fn: fn})
}

// hook is something to do before a call.
type hook struct {
	left int
	fn   func()
}

// runHooks runs what is due before a call.
func (c *Cloud) runHooks() {
	for _, fn := range c.dueHooks() {
		fn()
		c.mu.Lock()
		c.hooksRunning--
		c.mu.Unlock()
	}
}

func (c *Cloud) dueHooks() []func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hooksRunning > 0 {
		return nil
	}
	var due []func()
	waiting := c.hooks[:0]
	for _, h := range c.hooks {
		if h.left--; h.left <= 0 {
			due = append(due, h.fn)
			continue
		}
		waiting = append(waiting, h)
	}
	c.hooks = waiting
	c.hooksRunning = len(due)
	return due
}
