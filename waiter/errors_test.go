// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

func reasons() []waiter.Reason {
	return []waiter.Reason{
		waiter.ReasonBeingDeleted, waiter.ReasonDeletedMeanwhile, waiter.ReasonNeverCreated, waiter.ReasonReplaced,
		waiter.ReasonClusterNotFound, waiter.ReasonDeleteNotTaken, waiter.ReasonNeverDeleted, waiter.ReasonDenied,
		waiter.ReasonErrorBudget, waiter.ReasonCallFailed, waiter.ReasonRoleNotFound, waiter.ReasonTrustRefuses,
		waiter.ReasonTrustUndecidable, waiter.ReasonInvalidInput,
	}
}

func TestEachReasonSaysSomethingOfItsOwn(t *testing.T) {
	seen := map[string]waiter.Reason{}
	for _, r := range reasons() {
		text := (&waiter.EndedError{State: waiter.State{Ref: ref(), Goal: waiter.GoalActive}, Reason: r}).Error()
		if other, twice := seen[text]; twice {
			t.Errorf("%s and %s say the same: %s", r, other, text)
		}
		seen[text] = r
		if !strings.HasPrefix(text, "waiting for profile demo/fp-a to be active: ") || !strings.Contains(text, "; to do: ") {
			t.Errorf("%s: %q says not what, or not what to do", r, text)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	state := waiter.State{
		Ref: ref(), Goal: waiter.GoalDeleted, Status: fargate.StatusDeleteFailed,
		Age: 90*time.Second + time.Millisecond, Polls: 3,
	}
	sick := state
	sick.Issues = []fargate.Issue{{Code: fargate.IssueInternalFailure, Message: "oops"}}
	tests := map[string]struct {
		err  error
		want string
	}{
		"failed without issues": {
			&waiter.FailedError{State: state},
			"waiting for profile demo/fp-a to be deleted: EKS gave up with DELETE_FAILED: no health issue is reported; to do: ask for the delete again (status DELETE_FAILED, age 1m30s, 3 polls)",
		},
		"failed with an issue": {
			&waiter.FailedError{State: sick},
			"waiting for profile demo/fp-a to be deleted: EKS gave up with DELETE_FAILED: InternalFailure: oops; to do: try again; if it stays, ask AWS Support and give the ARN of the profile (status DELETE_FAILED, age 1m30s, 3 polls)",
		},
		"timeout": {
			&waiter.TimeoutError{State: sick, Err: context.DeadlineExceeded, Cause: errors.New("the cause"), Last: errors.New("last")},
			"waiting for profile demo/fp-a to be deleted: context deadline exceeded: the cause; the last call met: last; InternalFailure: oops (try again; if it stays, ask AWS Support and give the ARN of the profile) (status DELETE_FAILED, age 1m30s, 3 polls)",
		},
		"cluster": {
			&waiter.EndedError{State: waiter.State{Ref: waiter.Ref{Cluster: "demo"}, Goal: waiter.GoalIdle}, Reason: waiter.ReasonCallFailed, Err: errors.New("odd")},
			"waiting for cluster demo to be idle: the call failed: odd; to do: read the error of the call (age 0s, 0 polls)",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.err.Error(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAFailureIsRetryableIfEachIssueIs(t *testing.T) {
	tests := map[string]struct {
		issues []fargate.IssueCode
		want   bool
	}{
		"no issue":         {nil, true},
		"one that passes":  {[]fargate.IssueCode{fargate.IssueInternalFailure}, true},
		"one that stays":   {[]fargate.IssueCode{fargate.IssueInternalFailure, fargate.IssueAccessDenied}, false},
		"one not yet seen": {[]fargate.IssueCode{"New"}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := &waiter.FailedError{}
			for _, code := range tt.issues {
				e.Issues = append(e.Issues, fargate.Issue{Code: code})
			}
			if got := e.Retryable(); got != tt.want {
				t.Errorf("Retryable() = %t, want %t", got, tt.want)
			}
		})
	}
}

// slow answers after a while, or as soon as the context ends.
type slow struct {
	after  time.Duration
	answer answer
	onEnd  error // what it says when the context ends; nil: the context's error
}

func (s slow) DescribeFargateProfile(ctx context.Context, _ *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	select {
	case <-time.After(s.after):
		return s.answer.output(time.Now())
	case <-ctx.Done():
		if s.onEnd != nil {
			return nil, s.onEnd
		}
		return nil, ctx.Err()
	}
}

func TestTheContextEndsDuringACall(t *testing.T) {
	for name, onEnd := range map[string]error{"with its own error": nil, "with another error": throttled()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				start := time.Now()
				_, err := waiter.Active(ctx, slow{after: time.Hour, answer: says(active), onEnd: onEnd}, ref())
				e, ok := errors.AsType[*waiter.TimeoutError](err)
				if !ok || time.Since(start) != 10*time.Second || e.Polls != 1 || !errors.Is(e.Last, onEnd) {
					t.Errorf("got %v after %s", err, time.Since(start))
				}
			})
		})
	}
}

func TestTheContextEndsWhileWaitingForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limiter := range []*rate.Limiter{rate.NewLimiter(rate.Every(time.Hour), 1), rate.NewLimiter(1, 0)} {
			limiter.Allow()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			start := time.Now()
			api := newScript(says(active))
			_, err := waiter.Active(ctx, api, ref(), func(o *waiter.Options) { o.Limiter = limiter })
			if outcome(err) != "timeout " || time.Since(start) != 10*time.Second || len(api.calls) != 0 {
				t.Errorf("got %v after %s and %d calls", err, time.Since(start), len(api.calls))
			}
		}
	})
}

// empty answers without a profile.
type empty struct{ calls int }

func (e *empty) DescribeFargateProfile(context.Context, *eks.DescribeFargateProfileInput, ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	if e.calls++; e.calls%2 == 0 {
		return nil, nil //nolint:nilnil // a careless test double, which must not make the wait panic.
	}
	return &eks.DescribeFargateProfileOutput{}, nil
}

func TestAnEmptyAnswerPassesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, err := waiter.Active(hour(t), &empty{}, ref()); outcome(err) != "ended ErrorBudget" {
			t.Errorf("got %v", err)
		}
	})
}

func TestAPollerStopsWhileAllWorkersAreBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := waiter.NewPoller(slow{after: time.Hour, answer: says(active)}, func(o *waiter.PollerOptions) { o.Workers = 1 })
		for _, name := range []string{"a", "b", "c"} {
			_ = p.Watch(target(name, waiter.GoalActive), nil)
		}
		stop := run(t, p)
		time.Sleep(time.Minute)
		start := time.Now()
		stop()
		if time.Since(start) != 0 || p.Len() != 3 {
			t.Errorf("stopping took %s, %d waits left, want all 3", time.Since(start), p.Len())
		}
		stop = run(t, p)
		time.Sleep(4 * time.Hour)
		stop()
		if p.Len() != 0 {
			t.Errorf("%d waits left", p.Len())
		}
	})
}
