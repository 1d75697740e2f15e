// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
)

// The defaults of [PollerOptions].
const (
	// DefaultRate is how many calls per second a Poller makes at most.
	DefaultRate = 10
	// DefaultWorkers is how many calls of a Poller may be under way at once.
	DefaultWorkers = 4
)

// PollerOptions changes how a [Poller] works. The zero value is the default.
type PollerOptions struct {
	// Options hold for every wait, but for Since, which each target has of its own.
	// Limiter is the budget that the waits share; nil means [DefaultRate] calls per
	// second, one at a time. OnPoll and Jitter are called by several goroutines.
	Options
	// Workers is how many calls may be under way at once. Zero or less means
	// [DefaultWorkers].
	Workers int
}

// Target is a profile and what is waited for.
type Target struct {
	Ref  Ref
	Goal Goal
	// Since is when EKS accepted the operation; see [Options.Since].
	Since time.Time
}

// Result is the end of a wait. Err is nil if the goal was reached, and otherwise
// the error that [Active], [Settled] or [Deleted] would return, but never a
// *[TimeoutError]: a Poller knows no deadline. Use [Poller.Forget] for that.
type Result struct {
	Target   Target
	Observed fargate.Observed
	Err      error
}

// Poller follows many profiles at once under one budget of calls, without a
// goroutine for each. Where more looks are due than the budget allows, the one
// that has been due for longest comes first, so that nobody starves.
//
// A wait takes about 600 bytes, plus the profile as it was seen last. A Poller is
// safe for concurrent use.
type Poller struct {
	api     eks.DescribeFargateProfileAPIClient
	o       *Options
	workers int

	mu    sync.Mutex
	queue dueQueue
	known map[key]*entry
	wake  chan struct{} // holds a token when the queue has a new head
}

// key tells waits apart. One profile may be waited for with several goals.
type key struct {
	cluster, profile string
	goal             Goal
}

func (t Target) key() key { return key{t.Ref.Cluster, t.Ref.Profile, t.Goal} }

// NewPoller returns a Poller that does nothing until [Poller.Run] is called.
func NewPoller(api eks.DescribeFargateProfileAPIClient, optFns ...func(*PollerOptions)) *Poller {
	var o PollerOptions
	for _, fn := range optFns {
		fn(&o)
	}
	o.setDefaults()
	if o.Limiter == nil {
		o.Limiter = rate.NewLimiter(DefaultRate, 1)
	}
	if o.Workers <= 0 {
		o.Workers = DefaultWorkers
	}
	return &Poller{api: api, o: &o.Options, workers: o.Workers, known: map[key]*entry{}, wake: make(chan struct{}, 1)}
}

// Watch starts to follow a target; it replaces a wait for the same profile and
// goal. When the wait ends, done is called once, by a goroutine of [Poller.Run]; nil
// is allowed. It may call Watch and Forget and should return soon; calls for
// several targets may overlap. A target without a name or
// with an unknown goal is refused with an *[EndedError], and done is not called.
func (p *Poller) Watch(target Target, done func(Result)) error {
	at := now()
	w := newWatch(target.Ref, target.Goal, target.Since, p.o, at)
	if err := w.check(); err != nil {
		return err
	}
	e := &entry{watch: w, done: done, due: at.Add(w.first())}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(target.key())
	p.known[target.key()] = e
	p.enqueue(e)
	return nil
}

// Forget stops to follow the target and reports whether it was followed. If so, its
// done is not called any more.
func (p *Poller) Forget(target Target) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.forget(target.key())
}

func (p *Poller) forget(k key) bool {
	e, ok := p.known[k]
	if ok {
		delete(p.known, k)
		p.queue.remove(e)
	}
	return ok
}

// Len returns how many waits are followed.
func (p *Poller) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.known)
}

// enqueue puts e into the queue and wakes Run if e is the new head.
func (p *Poller) enqueue(e *entry) {
	p.queue.add(e)
	if p.queue.head() != e {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Run looks at the profiles until ctx ends, and returns when the last call that
// was under way has ended. Waits that have not ended stay; a later Run goes on
// with them. Only one Run may be active at a time.
func (p *Poller) Run(ctx context.Context) {
	var workers sync.WaitGroup
	jobs := make(chan *entry)
	for range p.workers {
		workers.Go(func() {
			for e := range jobs {
				p.look(ctx, e)
			}
		})
	}
	for p.dispatch(ctx, jobs) {
	}
	close(jobs)
	workers.Wait()
}

// dispatch hands the wait that is due for longest to a worker. It takes the token
// first, so that the choice is made when the call can be made.
func (p *Poller) dispatch(ctx context.Context, jobs chan<- *entry) bool {
	if !p.awaitDue(ctx) || takeToken(ctx, p.o.Limiter) != nil {
		return false
	}
	e := p.pop()
	if e == nil {
		return true // It was forgotten in the meantime.
	}
	select {
	case jobs <- e:
		return true
	case <-ctx.Done():
		p.putBack(e)
		return false
	}
}

// awaitDue returns when a wait is due, or false when ctx ends.
func (p *Poller) awaitDue(ctx context.Context) bool {
	for ctx.Err() == nil {
		due, ok := p.nextDue()
		left := due.Sub(now())
		if ok && left <= 0 {
			return true
		}
		p.idle(ctx, left, ok)
	}
	return false
}

func (p *Poller) nextDue() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if head := p.queue.head(); head != nil {
		return head.due, true
	}
	return time.Time{}, false
}

// idle waits for d, if timed, or until the queue has a new head or ctx ends.
func (p *Poller) idle(ctx context.Context, d time.Duration, timed bool) {
	var after <-chan time.Time
	if timed {
		t := time.NewTimer(d)
		defer t.Stop()
		after = t.C
	}
	select {
	case <-after:
	case <-p.wake:
	case <-ctx.Done():
	}
}

// pop takes the head of the queue if it is due.
func (p *Poller) pop() *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	head := p.queue.head()
	if head == nil || head.due.After(now()) {
		return nil
	}
	p.queue.remove(head)
	return head
}

// putBack returns an entry that was taken out, unless it was forgotten or replaced
// in the meantime.
func (p *Poller) putBack(e *entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known[e.key()] == e {
		p.enqueue(e)
	}
}

// look makes one call and either ends the wait or puts it back.
func (p *Poller) look(ctx context.Context, e *entry) {
	observed, err := describe(ctx, p.api, e.watch.ref, p.o)
	if ctx.Err() != nil {
		p.putBack(e) // The answer was cut short; it counts for nothing.
		return
	}
	at := now()
	s := e.watch.take(at, observed, err)
	e.watch.report(ctx, at, s)
	if !s.done {
		e.due = at.Add(s.delay)
		p.putBack(e)
		return
	}
	if p.finish(e) && e.done != nil {
		e.done(Result{Target: e.target(), Observed: e.watch.last, Err: s.err})
	}
}

// finish removes e and reports whether its end is still of interest.
func (p *Poller) finish(e *entry) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known[e.key()] != e {
		return false
	}
	delete(p.known, e.key())
	return true
}
