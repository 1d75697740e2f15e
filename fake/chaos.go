// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"math/rand/v2"
	"strings"
	"time"
)

// ChaosOptions say how often things go wrong at random. Each share is the
// chance, from 0 to 1, that a call meets the fault; a call meets one at most.
// When all shares are zero, each is a twentieth.
type ChaosOptions struct {
	// Seed repeats a run in which the calls come in the same order; 0 draws one.
	Seed uint64 `json:"seed,omitempty"`
	// Faults ends the chaos after so many faults; 0 means never.
	Faults int `json:"faults,omitempty"`
	// Log tells the seed; nil tells nobody. It fits testing.T.Logf.
	Log func(format string, args ...any) `json:"-"`

	// Throttle refuses with ThrottlingException.
	Throttle float64 `json:"throttle,omitempty"`
	// ServerError refuses with a status of 500 or 503.
	ServerError float64 `json:"serverError,omitempty"`
	// LoseRequest cuts the connection before the effect.
	LoseRequest float64 `json:"loseRequest,omitempty"`
	// LoseReply cuts the connection after the effect.
	LoseReply float64 `json:"loseReply,omitempty"`
	// Stale makes reads answer as things were up to 30 s ago.
	Stale float64 `json:"stale,omitempty"`
	// FailChange makes a create or a delete of a profile end in CREATE_FAILED or
	// DELETE_FAILED.
	FailChange float64 `json:"failChange,omitempty"`
	// Slow holds a reply back for up to 5 s.
	Slow float64 `json:"slow,omitempty"`
}

const (
	chaosStaleness = 30 * time.Second
	chaosSlowness  = 5 * time.Second
)

// Chaos makes calls go wrong at random until ClearFaults, and returns the seed
// that repeats it. Faults that were injected come first. A second Chaos takes
// the place of the first.
func (c *Cloud) Chaos(opts ChaosOptions) uint64 {
	if opts.Seed == 0 {
		opts.Seed = rand.Uint64()
	}
	if opts.Log != nil {
		opts.Log("fake: chaos with seed %d", opts.Seed)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chaos = &chaos{ChaosOptions: opts.withDefaults(), rand: newRand(opts.Seed)}
	if c.chaos.Stale > 0 {
		c.remember(chaosStaleness)
	}
	return opts.Seed
}

func (o ChaosOptions) withDefaults() ChaosOptions {
	const share = 0.05
	if o.Throttle+o.ServerError+o.LoseRequest+o.LoseReply+o.Stale+o.FailChange+o.Slow > 0 {
		return o
	}
	o.Throttle, o.ServerError, o.LoseRequest, o.LoseReply = share, share, share, share
	o.Stale, o.FailChange, o.Slow = share, share, share
	return o
}

// chaos is the chaos at work; nil is calm.
type chaos struct {
	ChaosOptions
	rand   *rand.Rand
	struck int
}

// strike draws what a call meets. It takes the same number of draws from the
// seed whatever the answer is.
func (x *chaos) strike(op *operation) Fault {
	if x == nil {
		return Fault{}
	}
	draw, extent := x.rand.Float64(), x.rand.Float64()
	if x.Faults > 0 && x.struck >= x.Faults {
		return Fault{}
	}
	for _, kind := range x.kinds(op, extent) {
		if draw -= kind.share; draw < 0 {
			x.struck++
			return kind.fault
		}
	}
	return Fault{}
}

// chaosKind is one way of going wrong.
type chaosKind struct {
	share float64
	fault Fault
}

// kinds lists the ways in which an operation can go wrong; extent, from 0 to 1,
// says how badly.
func (x *chaos) kinds(op *operation, extent float64) []chaosKind {
	part := func(d time.Duration) time.Duration { return time.Duration(extent * float64(d)) }
	kinds := []chaosKind{
		{x.Throttle, Throttle("", 1)},
		{x.ServerError, serverError(extent)},
		{x.LoseRequest, Fault{LoseRequest: true}},
		{x.LoseReply, Fault{LoseReply: true}},
		{x.Slow, Fault{Delay: part(chaosSlowness)}},
	}
	switch {
	case op.reads():
		kinds = append(kinds, chaosKind{x.Stale, Fault{Stale: part(chaosStaleness)}})
	case strings.HasSuffix(op.name, "FargateProfile"):
		outcome := FailAfter(part(time.Minute), "InternalFailure", "An internal error occurred.")
		kinds = append(kinds, chaosKind{x.FailChange, Fault{Outcome: outcome}})
	}
	return kinds
}

func serverError(extent float64) Fault {
	if extent < 0.5 {
		return Fault{Code: codeServer, Message: "An internal error occurred."}
	}
	return Fault{Code: "ServiceUnavailableException", Message: "The service is unavailable."}
}
