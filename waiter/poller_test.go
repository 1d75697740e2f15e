// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

func target(profile string, goal waiter.Goal) waiter.Target {
	return waiter.Target{Ref: waiter.Ref{Cluster: "demo", Profile: profile}, Goal: goal}
}

// run starts p and returns what stops it and waits until it has stopped.
func run(t *testing.T, p *waiter.Poller) func() {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() {
		p.Run(ctx)
		close(stopped)
	}()
	return func() {
		cancel()
		<-stopped
	}
}

// TestFiveThousandWaitsShareTenCallsPerSecond checks the promises of a Poller under
// a load of which each round of looks takes more than eight minutes.
func TestFiveThousandWaitsShareTenCallsPerSecond(t *testing.T) {
	const waits, perSecond = 5_000, 10
	synctest.Test(t, func(t *testing.T) {
		api := newTimeline(creating, says(active), 0)
		api.latency = 80 * time.Millisecond
		p := waiter.NewPoller(api, func(o *waiter.PollerOptions) { o.Limiter = rate.NewLimiter(perSecond, 1) })
		results := make(chan waiter.Result, waits)
		r := rand.New(rand.NewPCG(5, 5))
		for i := range waits {
			name := fmt.Sprint("fp-", i)
			api.turns[name] = waiter.CreateDurations().Sample(r)
			if err := p.Watch(target(name, waiter.GoalActive), func(r waiter.Result) { results <- r }); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, p)
		for range waits {
			if r := <-results; r.Err != nil || r.Observed.Status != fargate.StatusActive {
				t.Fatalf("%+v", r)
			}
		}
		stop()
		if p.Len() != 0 {
			t.Errorf("%d waits are left", p.Len())
		}
		checkBudget(t, api, perSecond)
		checkFairness(t, api, (waits/perSecond+3*60)*time.Second)
		t.Logf("%d calls in %s", len(api.calls), time.Since(api.start).Round(time.Second))
	})
}

func checkBudget(t *testing.T, api *timeline, perSecond int) {
	t.Helper()
	for i := range len(api.calls) - perSecond {
		// The limiter counts in floating point, hence the millisecond.
		if took := api.calls[i+perSecond] - api.calls[i]; took < time.Second-time.Millisecond {
			t.Fatalf("%d calls within %s", perSecond+1, took)
		}
	}
}

func checkFairness(t *testing.T, api *timeline, most time.Duration) {
	t.Helper()
	for name, looks := range api.asked {
		before := time.Duration(0)
		for _, at := range looks {
			if at-before > most {
				t.Fatalf("%s was not looked at between %s and %s", name, before, at)
			}
			before = at
		}
	}
}

func TestPollerReportsEachEndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(newScript(says(creating), says(createFailed)))
		var got []waiter.Result
		if err := p.Watch(target("fp-a", waiter.GoalActive), func(r waiter.Result) { got = append(got, r) }); err != nil {
			t.Fatal(err)
		}
		stop := run(t, p)
		time.Sleep(time.Hour)
		stop()
		if len(got) != 1 || outcome(got[0].Err) != "failed CREATE_FAILED" || got[0].Target != target("fp-a", waiter.GoalActive) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestPollerFollowsSeveralGoalsOfOneProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(newTimeline(creating, says(active), 40*time.Second), func(o *waiter.PollerOptions) { o.Workers = 1 })
		ends := map[waiter.Goal]time.Duration{}
		start := time.Now()
		for _, goal := range []waiter.Goal{waiter.GoalSettled, waiter.GoalActive, waiter.GoalIdle} {
			if err := p.Watch(target("fp-a", goal), func(r waiter.Result) { ends[r.Target.Goal] = time.Since(start) }); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, p)
		time.Sleep(time.Hour)
		stop()
		if len(ends) != 3 || ends[waiter.GoalActive] < 40*time.Second || ends[waiter.GoalSettled] < 70*time.Second {
			t.Errorf("ended at %v", ends)
		}
	})
}

func TestPollerWakesForANewWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newScript(says(active))
		p := waiter.NewPoller(api)
		stop := run(t, p)
		time.Sleep(time.Minute) // Nothing to do.
		again := 0
		var watch func(waiter.Result)
		watch = func(waiter.Result) {
			if again++; again < 3 {
				_ = p.Watch(target("fp-a", waiter.GoalActive), watch)
			}
		}
		_ = p.Watch(target("fp-a", waiter.GoalActive), watch)
		time.Sleep(time.Second)
		stop()
		if again != 3 || api.calls[0] != time.Minute {
			t.Errorf("done was called %d times, looks at %v", again, api.calls)
		}
	})
}

func TestPollerForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newTimeline(creating, says(active), 20*time.Second)
		p := waiter.NewPoller(api)
		for _, profile := range []string{"fp-a", "fp-b"} {
			_ = p.Watch(target(profile, waiter.GoalActive), func(r waiter.Result) {
				if r.Target.Ref.Profile == "fp-a" {
					t.Error("a forgotten wait ended")
				}
			})
		}
		api.turns["fp-b"] = 10 * time.Second
		stop := run(t, p)
		time.Sleep(time.Second)
		if !p.Forget(target("fp-a", waiter.GoalActive)) || p.Forget(target("fp-a", waiter.GoalActive)) || p.Len() != 1 {
			t.Error("Forget does not say what it did")
		}
		time.Sleep(time.Hour)
		stop()
		if len(api.asked["fp-a"]) != 1 || p.Len() != 0 {
			t.Errorf("looked at the forgotten one at %v, %d waits left", api.asked["fp-a"], p.Len())
		}
	})
}

func TestPollerForgetsWhileACallIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newTimeline(creating, says(active), 0)
		api.latency = 10 * time.Second
		p := waiter.NewPoller(api)
		_ = p.Watch(target("fp-a", waiter.GoalActive), func(waiter.Result) { t.Error("a forgotten wait ended") })
		stop := run(t, p)
		time.Sleep(5 * time.Second)
		p.Forget(target("fp-a", waiter.GoalActive))
		time.Sleep(time.Minute)
		stop()
	})
}

func TestWatchReplacesAnEarlierWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(newScript(says(active)))
		ends := 0
		_ = p.Watch(target("fp-a", waiter.GoalActive), func(waiter.Result) { t.Error("the replaced wait ended") })
		_ = p.Watch(target("fp-a", waiter.GoalActive), func(waiter.Result) { ends++ })
		stop := run(t, p)
		time.Sleep(time.Minute)
		stop()
		if ends != 1 {
			t.Errorf("the second wait ended %d times", ends)
		}
	})
}

func TestRunStopsAtOnceAndCanGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(newTimeline(creating, says(active), 40*time.Second))
		ended := false
		_ = p.Watch(target("fp-a", waiter.GoalActive), func(waiter.Result) { ended = true })
		stop := run(t, p)
		time.Sleep(35 * time.Second)
		before := time.Now()
		stop()
		if time.Since(before) != 0 || ended || p.Len() != 1 {
			t.Errorf("stopping took %s; ended %t, %d waits left", time.Since(before), ended, p.Len())
		}
		stop = run(t, p)
		time.Sleep(time.Hour)
		stop()
		if !ended {
			t.Error("the wait did not end in the second run")
		}
	})
}

func TestPollerToleratesWhatPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(newScript(fails(throttled()), fails(notFound()), fails(serverError()), says(deleting), fails(notFound())))
		var got []waiter.Result
		_ = p.Watch(target("fp-a", waiter.GoalIdle), func(r waiter.Result) { got = append(got, r) })
		stop := run(t, p)
		time.Sleep(time.Hour)
		stop()
		if len(got) != 1 || got[0].Err != nil {
			t.Errorf("got %+v", got)
		}
	})
}

func TestWatchRefusesWhatCannotBeMeant(t *testing.T) {
	p := waiter.NewPoller(newScript(says(active)))
	for _, bad := range []waiter.Target{{}, target("", waiter.GoalActive), target("fp-a", ""), target("fp-a", "gone")} {
		if err := p.Watch(bad, nil); outcome(err) != "ended InvalidInput" || p.Len() != 0 {
			t.Errorf("Watch(%+v) = %v, %d waits", bad, err, p.Len())
		}
	}
}

func TestAWaitTakesLittleMemory(t *testing.T) {
	const waits, most = 5_000, 1_000
	p := waiter.NewPoller(newScript(says(active)))
	before := heap()
	for i := range waits {
		if err := p.Watch(target(fmt.Sprint("fp-", i), waiter.GoalActive), nil); err != nil {
			t.Fatal(err)
		}
	}
	each := (heap() - before) / waits
	t.Logf("%d bytes per wait", each)
	if each > most || p.Len() != waits {
		t.Errorf("%d bytes per wait, want at most %d", each, most)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
