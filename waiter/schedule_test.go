// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

func TestTheDefaultScheduleIsTheBestForTheModel(t *testing.T) {
	prices := waiter.DefaultPrices()
	for kind, best := range map[fargate.Status][]time.Duration{
		fargate.StatusCreating: waiter.BestPolls(waiter.CreateDurations(), prices.Create),
		fargate.StatusDeleting: waiter.BestPolls(waiter.DeleteDurations(), prices.Delete),
	} {
		if diff := cmp.Diff(best, waiter.DefaultSchedule().Polls(kind)); diff != "" {
			t.Errorf("%s: the table is not what the program computes (-computed +table):\n%s", kind, diff)
		}
	}
}

func TestTheZeroScheduleIsTheDefault(t *testing.T) {
	for _, status := range []fargate.Status{fargate.StatusCreating, fargate.StatusDeleting, fargate.StatusActive, ""} {
		for age := range 40 {
			at := time.Duration(age) * time.Minute
			if got, want := (waiter.Schedule{}).Next(status, at), waiter.DefaultSchedule().Next(status, at); got != want {
				t.Errorf("%s at %s: %s, want %s", status, at, got, want)
			}
		}
	}
}

func TestNextFollowsThePlan(t *testing.T) {
	tests := map[string]struct {
		age  time.Duration
		want time.Duration
	}{
		"at the start":                        {0, 15 * time.Second},
		"on a planned look":                   {15 * time.Second, 16 * time.Second},
		"between two looks":                   {40 * time.Second, 45 * time.Second},
		"just before a look, which is spared": {84 * time.Second, 24 * time.Second},
		"before time began":                   {-time.Hour, 15 * time.Second},
		"after the plan":                      {400 * time.Second, 40 * time.Second},
		"long after the plan":                 {5 * time.Hour, 2 * time.Minute},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := waiter.DefaultSchedule().Next(fargate.StatusCreating, tt.age); got != tt.want {
				t.Errorf("Next(CREATING, %s) = %s, want %s", tt.age, got, tt.want)
			}
		})
	}
}

func TestEveryLooksAtOnePace(t *testing.T) {
	for _, status := range []fargate.Status{fargate.StatusCreating, fargate.StatusDeleting, fargate.StatusActive} {
		if got := waiter.Every(2*time.Second).Next(status, time.Hour); got != 2*time.Second {
			t.Errorf("%s: %s, want 2s", status, got)
		}
	}
	if got := waiter.Every(2*time.Second).Expected(fargate.StatusCreating, time.Hour); got != 0 {
		t.Errorf("Every knows no durations, and expects %v", got)
	}
}

func drawDurations(t *rapid.T) waiter.Durations {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) waiter.Span {
		from := rapid.IntRange(-5, 200).Draw(t, "from")
		return waiter.Span{
			From:   time.Duration(from) * time.Second,
			To:     time.Duration(from+rapid.IntRange(-1, 60).Draw(t, "length")) * time.Second,
			Weight: rapid.Float64Range(-0.1, 5).Draw(t, "weight"),
		}
	}), 0, 5).Draw(t, "durations")
}

func TestPropertiesOfNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := waiter.NewSchedule(drawDurations(t), drawDurations(t), waiter.DefaultPrices())
		status := rapid.SampledFrom([]fargate.Status{fargate.StatusCreating, fargate.StatusDeleting, "NEW"}).Draw(t, "status")
		age := time.Duration(rapid.Int64Range(-1, int64(2*time.Hour)).Draw(t, "age"))
		if d := s.Next(status, age); d < 500*time.Millisecond || d > 5*time.Minute {
			t.Fatalf("Next(%s, %s) = %s, out of bounds", status, age, d)
		}
		if p, q := s.Expected(status, age), s.Expected(status, age+time.Second); p < 0 || q > 1 || q < p {
			t.Fatalf("Expected(%s, %s) goes from %v to %v", status, age, p, q)
		}
	})
}

// costOf is the meaning of a plan, computed the slow way: sum over the seconds in
// which operations end.
func costOf(d waiter.Durations, price waiter.Price, polls []time.Duration) float64 {
	var cost float64
	before := time.Duration(0)
	for _, at := range polls {
		open := 1 - d.Done(before)
		cost += open * (price.Call.Seconds() + price.Growth*before.Seconds())
		for s := before; s < at; s += time.Second {
			ends := d.Done(s+time.Second) - d.Done(s)
			cost += ends * (at - s - time.Second/2).Seconds()
		}
		before = at
	}
	return cost
}

func TestNoChangeOfAPlanMakesItBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDurations(t)
		price := waiter.Price{Call: time.Duration(rapid.IntRange(1, 20).Draw(t, "price")) * time.Second, Growth: 0.01}
		polls := waiter.BestPolls(d, price)
		if len(polls) == 0 {
			return
		}
		best := costOf(d, price, polls)
		other := slices.Clone(polls)
		i := rapid.IntRange(0, len(other)-1).Draw(t, "which")
		if rapid.Bool().Draw(t, "drop") && i < len(other)-1 {
			other = slices.Delete(other, i, i+1)
		} else if i < len(other)-1 {
			other[i] += time.Duration(rapid.IntRange(-20, 20).Draw(t, "by")) * time.Second
		}
		if allowed(other) && costOf(d, price, other) < best-1e-6 {
			t.Fatalf("%v costs %v, less than the plan %v with %v", other, costOf(d, price, other), polls, best)
		}
	})
}

// allowed reports whether a plan keeps the bounds that BestPolls keeps.
func allowed(polls []time.Duration) bool {
	before := time.Duration(0)
	for _, at := range polls {
		most := 2 * time.Minute
		switch {
		case before >= 5*time.Minute:
			most = 5 * time.Minute
		case before >= 15*time.Second:
			most = min(most, time.Duration(1.75*before.Seconds())*time.Second)
		}
		least := max(2, int(before.Seconds())/30)
		if at-before < time.Duration(least)*time.Second || at-before > most {
			return false
		}
		before = at
	}
	return true
}

func TestAPriceWithoutACallHasADefault(t *testing.T) {
	d := waiter.CreateDurations()
	if diff := cmp.Diff(waiter.BestPolls(d, waiter.Price{Call: 3 * time.Second}), waiter.BestPolls(d, waiter.Price{})); diff != "" {
		t.Error(diff)
	}
}

func TestADearerCallMakesFewerLooks(t *testing.T) {
	cheap := waiter.BestPolls(waiter.CreateDurations(), waiter.Price{Call: time.Second})
	dear := waiter.BestPolls(waiter.CreateDurations(), waiter.Price{Call: 10 * time.Second})
	if len(dear) >= len(cheap) {
		t.Errorf("%d looks at 10 s a call, %d at 1 s", len(dear), len(cheap))
	}
}

func TestSamplesFollowTheDurations(t *testing.T) {
	d, r := waiter.CreateDurations(), rand.New(rand.NewPCG(1, 2))
	const n = 20_000
	for _, age := range []time.Duration{10 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 6 * time.Minute} {
		done := 0
		for range n {
			if d.Sample(r) <= age {
				done++
			}
		}
		if got, want := float64(done)/n, d.Done(age); got < want-0.02 || got > want+0.02 {
			t.Errorf("%.3f of the samples are done at %s, want about %.3f", got, age, want)
		}
	}
}

func TestNoDurationsAreHarmless(t *testing.T) {
	var d waiter.Durations
	if d.Done(0) != 1 || d.Longest() != 0 || d.Sample(rand.New(rand.NewPCG(1, 1))) != 0 || waiter.BestPolls(d, waiter.Price{}) != nil {
		t.Error("empty durations take time")
	}
}
