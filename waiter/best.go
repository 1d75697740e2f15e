// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"slices"
	"time"
)

// Price is what one call costs, as the lag that it must save to be worth it.
type Price struct {
	// Call is the price of a call at age zero. Zero means 3 s.
	Call time.Duration
	// Growth is by how much the price grows for each second of age, for those to whom
	// ten seconds late matter less after five minutes than after one. With zero, no
	// plan that makes as few calls has less lag, on the mean of all operations.
	Growth float64
}

func (p Price) at(second int) float64 {
	return orDefault(p.Call, defaultCallPrice).Seconds() + max(p.Growth, 0)*float64(second)
}

const (
	defaultCallPrice = 3 * time.Second
	// longestGap bounds the time between two looks, for the model may be wrong. From
	// longAge on the bound is longAge itself: what has taken that long may be noticed
	// that late, and most durations do not reach it.
	longestGap = 2 * time.Minute
	longAge    = 5 * time.Minute
	// longestShare bounds it by the age for the same reason, so that a profile which
	// turns where none did before is not noticed at several times its own duration.
	longestShare = 1.75
	// horizon bounds the ages that are planned for; after it the tail rule holds.
	horizon = time.Hour
)

// BestPolls returns the ages at which to look at an operation that takes as long
// as d says, so that the mean lag plus the price of the calls is least. Ages are
// whole seconds and ascending. The next look is at most 1.75 times the age away, two
// minutes during the first five and five minutes after that; only the first may be
// at any age up to two minutes. They end where d does.
//
// It is a dynamic program over seconds, from the last to the first. From a look
// at age s that found nothing, the cost of looking next at age t is
//
//	the lag of those that end between s and t
//	+ the share still in progress at s, each paying the price of the call at t
//	+ the cost of what follows t
//
// and each s keeps the t that costs least.
func BestPolls(d Durations, p Price) []time.Duration {
	end := int(min(d.Longest(), horizon).Seconds() + 0.999)
	plan := newPlan(d, p, end)
	for s := end - 1; s >= 0; s-- {
		plan.choose(s)
	}
	return plan.polls()
}

// plan is the table of the dynamic program.
type plan struct {
	price Price
	done  []float64 // done[s] is the share that is done at second s
	area  []float64 // area[s] is the integral of done up to s
	cost  []float64 // cost[s] is the least cost of what follows a look at s
	next  []int     // next[s] is when to look after a look at s
}

func newPlan(d Durations, p Price, end int) *plan {
	t := &plan{
		price: p,
		done:  make([]float64, end+1),
		area:  make([]float64, end+1),
		cost:  make([]float64, end+1),
		next:  make([]int, end+1),
	}
	d = d.clean()
	total := d.weight()
	for s := range t.done {
		t.done[s] = d.doneOf(total, time.Duration(s)*time.Second)
		if s > 0 {
			t.area[s] = t.area[s-1] + (t.done[s-1]+t.done[s])/2
		}
	}
	return t
}

func (t *plan) choose(s int) {
	end := len(t.done) - 1
	first := min(s+shortestGap(s), end)
	last := min(s+longestGapAt(s), end)
	for at := first; at <= last; at++ {
		lag := t.area[at] - t.area[s] - t.done[s]*float64(at-s)
		cost := lag + (1-t.done[s])*t.price.at(s) + t.cost[at]
		// A gain that is only rounding must not decide.
		if at == first || cost < t.cost[s]-1e-9 {
			t.cost[s], t.next[s] = cost, at
		}
	}
}

// longestGapAt is how far the next look may be at second s. Nothing is known at the
// start, where the first look is wherever the durations say.
func longestGapAt(s int) int {
	most := gapBound(time.Duration(s) * time.Second).Seconds()
	if s < 15 {
		return int(most)
	}
	return int(min(most, longestShare*float64(s)))
}

func gapBound(age time.Duration) time.Duration {
	if age < longAge {
		return longestGap
	}
	return longAge
}

// shortestGap keeps looks apart, the more so the older the operation is.
func shortestGap(s int) int { return max(2, s/30) }

func (t *plan) polls() []time.Duration {
	var out []time.Duration
	for s := 0; s < len(t.done)-1; {
		s = t.next[s]
		out = append(out, time.Duration(s)*time.Second)
		if t.done[s] > 1-1e-9 {
			break
		}
	}
	return slices.Clip(out)
}
