// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"math/rand/v2"
	"time"
)

// Span is a share of operations that took longer than From and at most To, with
// nothing known of where between the two.
type Span struct {
	From, To time.Duration
	// Weight is the share, in any unit: only the ratio of weights counts.
	Weight float64
}

// Durations says how long operations of one kind take, as the spans in which they
// ended. Nobody outside AWS sees when a profile turns; every observation lies
// between a look that was too early and one that was not.
type Durations []Span

// clean returns the spans that mean something: no empty or negative ones.
func (d Durations) clean() Durations {
	var out Durations
	for _, s := range d {
		s.From = max(s.From, 0)
		if s.Weight > 0 && s.To > s.From {
			out = append(out, s)
		}
	}
	return out
}

func (d Durations) weight() float64 {
	var sum float64
	for _, s := range d {
		sum += s.Weight
	}
	return sum
}

// Done returns the share, from 0 to 1, of operations that are done at the age.
// Without any span it is 1: nothing is known to take time.
func (d Durations) Done(age time.Duration) float64 {
	d = d.clean()
	return d.doneOf(d.weight(), age)
}

// doneOf is Done for clean spans whose weights sum up to total.
func (d Durations) doneOf(total float64, age time.Duration) float64 {
	if total == 0 {
		return 1
	}
	var sum float64
	for _, s := range d {
		passed := min(max(age-s.From, 0), s.To-s.From)
		sum += s.Weight * float64(passed) / float64(s.To-s.From)
	}
	return min(sum/total, 1)
}

// Longest returns the time by which all operations are done.
func (d Durations) Longest() time.Duration {
	var longest time.Duration
	for _, s := range d.clean() {
		longest = max(longest, s.To)
	}
	return longest
}

// Sample draws a duration. Without any span it returns zero. The same state of r
// draws the same.
func (d Durations) Sample(r *rand.Rand) time.Duration {
	d = d.clean()
	left := r.Float64() * d.weight()
	for i, s := range d {
		if left -= s.Weight; left < 0 || i == len(d)-1 {
			return s.From + time.Duration(r.Float64()*float64(s.To-s.From))
		}
	}
	return 0
}
