// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package progress

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// heartbeat is how often a wait without news says that it goes on, where there is no
// terminal to draw on.
const heartbeat = 30 * time.Second

// Display shows the steps of runs. It is safe for concurrent use.
type Display struct {
	w     io.Writer
	live  bool
	style output.Style
	now   func() time.Time
	width int // of the names
	done  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex // guards everything below
	rows  []*row
	drawn int // lines of the table on the terminal
}

// row is one profile.
type row struct {
	profile string
	last    lifecycle.Progress
	at      time.Time     // when the last step was made
	told    time.Duration // how long the run took when something was last told
}

// New returns a Display on w for the profiles, in their order. Close it.
func New(w io.Writer, now func() time.Time, profiles ...string) *Display {
	d := &Display{w: w, live: output.Terminal(w), style: output.StyleFor(w), now: now, done: make(chan struct{})}
	for _, p := range profiles {
		d.rows = append(d.rows, &row{profile: p})
		d.width = max(d.width, len(p))
	}
	if d.live {
		d.ended.Go(d.tick)
	}
	return d
}

// Step is told of a step: it is a lifecycle.Options.Progress.
func (d *Display) Step(_ context.Context, p lifecycle.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.row(p.Profile)
	r.last, r.at = p, d.now()
	if d.live {
		d.draw()
		return
	}
	d.line(r)
}

// Close ends the display. What it shows last stays.
func (d *Display) Close() {
	close(d.done)
	d.ended.Wait()
}

func (d *Display) row(profile string) *row {
	for _, r := range d.rows {
		if r.profile == profile {
			return r
		}
	}
	r := &row{profile: profile}
	d.rows = append(d.rows, r)
	return r
}

// tick keeps the elapsed times of the table going between the steps.
func (d *Display) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-d.done:
			return
		case <-ticker.C:
			d.mu.Lock()
			d.draw()
			d.mu.Unlock()
		}
	}
}

// line tells a step in a line, if it brings news or the last news are old.
func (d *Display) line(r *row) {
	p := r.last
	switch {
	case p.Err != nil:
		d.print(r, "retry", p.Err.Error())
	case len(p.Outcome.Events) > 0:
		d.print(r, string(p.Outcome.Action), news(p.Outcome))
	case p.Elapsed-r.told >= heartbeat && p.Outcome.Action == fargate.ActionWait:
		d.print(r, string(p.Outcome.Action), "still "+state(p.Outcome)+expectation(p.Outcome.Status, ", "))
	}
}

func (d *Display) print(r *row, action, text string) {
	r.told = r.last.Elapsed
	// A reader that went away must not stop the run.
	_, _ = fmt.Fprintf(d.w, "%7s  %-*s  %-11s  %s\n", seconds(r.last.Elapsed), d.width, r.profile, action, text)
}

func news(o lifecycle.Outcome) string {
	return fmt.Sprintf("%s: %s%s", o.Reason, o.Message, expectation(o.Status, "; "))
}

// state is what the profile is doing.
func state(o lifecycle.Outcome) string {
	if o.Status != "" && o.Status.InProgress() {
		return string(o.Status)
	}
	return string(o.Reason)
}

func seconds(d time.Duration) string { return d.Round(time.Second).String() }
