// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

// byTime answers by the time since it was made.
type byTime struct {
	start, created time.Time
	answer         func(at time.Duration) answer
	calls          []time.Duration
	names          []string
}

func newByTime(created time.Duration, f func(at time.Duration) answer) *byTime {
	return &byTime{start: time.Now(), created: time.Now().Add(created), answer: f}
}

func (s *byTime) DescribeFargateProfile(_ context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	at := time.Since(s.start)
	s.calls, s.names = append(s.calls, at), append(s.names, *in.FargateProfileName)
	return s.answer(at).output(s.created)
}

func activeAt(turn time.Duration) func(time.Duration) answer {
	return func(at time.Duration) answer {
		if at < turn {
			return says(creating)
		}
		return says(active)
	}
}

func TestTheAgeComesFromTheProfile(t *testing.T) {
	tests := map[string]struct {
		created time.Duration
		looks   []time.Duration // when the first three come
	}{
		"created 100 s ago":                         {-100 * time.Second, []time.Duration{0, 8 * time.Second, 27 * time.Second}},
		"created just now":                          {0, []time.Duration{0, 15 * time.Second, 31 * time.Second}},
		"created in the future, by an unlike clock": {time.Hour, []time.Duration{0, 15 * time.Second, 31 * time.Second}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := newByTime(tt.created, activeAt(time.Minute))
				if _, err := waiter.Active(hour(t), api, ref(), noJitter); err != nil {
					t.Fatal(err)
				}
				if got := api.calls[:3]; !slices.Equal(got, tt.looks) {
					t.Errorf("looked at %v, want %v", got, tt.looks)
				}
			})
		})
	}
}

func TestAnAnswerEndsARunOfErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newByTime(0, func(at time.Duration) answer {
			switch {
			case at > 400*time.Second:
				return says(active)
			case at > 180*time.Second && at < 220*time.Second:
				return fails(notFound())
			}
			return fails(throttled())
		})
		_, err := waiter.Active(hour(t), api, ref(), func(o *waiter.Options) { o.Grace = time.Hour })
		if err != nil {
			t.Errorf("no error went on for five minutes, yet: %v", err)
		}
	})
}

func TestAJitterThatTakesAllDoesNotSpin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newByTime(0, activeAt(5*time.Second))
		_, err := waiter.Active(hour(t), api, ref(), func(o *waiter.Options) {
			o.Jitter = func(time.Duration) time.Duration { return -1 }
		})
		if err != nil || len(api.calls) != 51 {
			t.Errorf("%d looks within 5 s, want ten per second (%v)", len(api.calls), err)
		}
	})
}

func TestAWaitThatGivesUpReturnsItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := rate.NewLimiter(rate.Every(time.Hour), 1)
		limiter.Allow()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, _ = waiter.Active(ctx, newScript(says(active)), ref(), func(o *waiter.Options) { o.Limiter = limiter })
		time.Sleep(time.Hour)
		if !limiter.Allow() {
			t.Error("the token of the wait that gave up is lost")
		}
	})
}

func TestALookThatIsSparedKeepsTheBound(t *testing.T) {
	late := waiter.Durations{
		{From: 293 * time.Second, To: 338 * time.Second, Weight: 1},
		{From: 1400 * time.Second, To: 1500 * time.Second, Weight: 1},
	}
	s := waiter.NewSchedule(nil, late, waiter.DefaultPrices())
	for age := range 1500 {
		most := 2 * time.Minute
		if age >= 300 {
			most = 5 * time.Minute
		}
		if d := s.Next(fargate.StatusDeleting, time.Duration(age)*time.Second); d > most {
			t.Errorf("Next at %d s is %s", age, d)
		}
	}
}

func TestWaitsThatAreDueTogetherKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newByTime(0, func(time.Duration) answer { return says(active) })
		p := waiter.NewPoller(api, func(o *waiter.PollerOptions) { o.Workers = 1 })
		want := []string{"d", "b", "e", "a", "c"}
		for _, name := range want {
			_ = p.Watch(target(name, waiter.GoalActive), nil)
		}
		stop := run(t, p)
		time.Sleep(time.Minute)
		stop()
		if !slices.Equal(api.names, want) {
			t.Errorf("looked at %v, want %v", api.names, want)
		}
	})
}

func TestAForgottenWaitIsNotPutBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newTimeline(creating, says(active), time.Hour)
		api.latency = 10 * time.Second
		p := waiter.NewPoller(api)
		_ = p.Watch(target("fp-a", waiter.GoalActive), nil)
		stop := run(t, p)
		time.Sleep(5 * time.Second)
		p.Forget(target("fp-a", waiter.GoalActive))
		time.Sleep(2 * time.Hour)
		stop()
		if len(api.calls) != 1 {
			t.Errorf("%d looks, want 1", len(api.calls))
		}
	})
}
