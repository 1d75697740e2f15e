// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

// anyPolls leaves the number of polls to the schedule.
const anyPolls = -1

type outcomeCase struct {
	answers []answer
	want    string
	polls   int
}

func TestActiveOutcomes(t *testing.T) {
	checkOutcomes(t, waiter.Active, map[string]outcomeCase{
		"active at the first look":                  {[]answer{says(active)}, "done", 1},
		"active after a while":                      {[]answer{says(creating), says(creating), says(active)}, "done", 3},
		"active with a health issue is active":      {[]answer{{status: active, issue: types.FargateProfileIssueCodeAccessDenied}}, "done", 1},
		"failed to be created":                      {[]answer{says(creating), says(createFailed)}, "failed CREATE_FAILED", 2},
		"a delete of it failed":                     {[]answer{says(deleteFailed)}, "failed DELETE_FAILED", 1},
		"somebody deletes it":                       {[]answer{says(creating), says(deleting)}, "ended BeingDeleted", 2},
		"gone while it was young is stale at first": {[]answer{says(creating), fails(notFound()), says(active)}, "done", 3},
		"gone when it is no longer young":           {[]answer{says(creating), says(creating), says(creating), fails(notFound())}, "ended DeletedMeanwhile", 4},
		"not found right after the create":          {[]answer{fails(notFound()), fails(notFound()), says(creating), says(active)}, "done", 4},
		"never found":                               {[]answer{fails(notFound())}, "ended NeverCreated", 6},
		"the cluster is gone":                       {[]answer{says(creating), fails(clusterNotFound())}, "ended ClusterNotFound", 2},
		"throttled in between":                      {[]answer{says(creating), fails(throttled()), says(active)}, "done", 3},
		"a failure of AWS in between":               {[]answer{says(creating), fails(serverError()), says(active)}, "done", 3},
		"no connection in between":                  {[]answer{says(creating), fails(noConnection()), says(active)}, "done", 3},
		"a time limit inside the client":            {[]answer{fails(context.DeadlineExceeded), says(active)}, "done", 2},
		"throttled for too long":                    {[]answer{says(creating), fails(throttled())}, "ended ErrorBudget", 16},
		"denied":                                    {[]answer{fails(denied())}, "ended Denied", 1},
		"an error that nobody knows":                {[]answer{fails(errors.New("odd"))}, "ended CallFailed", 1},
		"a state of the future is waited on":        {[]answer{says("UPDATING"), says(active)}, "done", 2},
		"a state of the future that stays":          {[]answer{says("UPDATING")}, "timeout UPDATING", anyPolls},
		"another profile of that name":              {[]answer{{status: creating, arn: "a"}, {status: active, arn: "b"}}, "ended Replaced", 6},
		"another profile is stale for a moment":     {[]answer{{status: creating, arn: "a"}, {status: active, arn: "b"}, {status: active, arn: "a"}}, "done", 3},
		"creating until the deadline":               {[]answer{says(creating)}, "timeout CREATING", anyPolls},
	})
}

func TestDeletedOutcomes(t *testing.T) {
	checkOutcomes(t, waiter.Deleted, map[string]outcomeCase{
		"gone at the first look":                        {[]answer{fails(notFound())}, "done", 1},
		"gone after a while":                            {[]answer{says(deleting), says(deleting), fails(notFound())}, "done", 3},
		"not yet deleting is stale at first":            {[]answer{says(active), says(active), says(deleting), fails(notFound())}, "done", 4},
		"never deleting":                                {[]answer{says(active)}, "ended NeverDeleted", 6},
		"never deleting, still creating":                {[]answer{says(creating)}, "ended NeverDeleted", 6},
		"never deleting, failed to be created":          {[]answer{says(createFailed)}, "ended NeverDeleted", 6},
		"the delete did not take":                       {[]answer{says(deleting), says(active)}, "ended DeleteNotTaken", 2},
		"failed to be deleted":                          {[]answer{says(deleting), says(deleteFailed)}, "failed DELETE_FAILED", 2},
		"the cluster is gone":                           {[]answer{says(deleting), fails(clusterNotFound())}, "ended ClusterNotFound", 2},
		"throttled in between":                          {[]answer{says(deleting), fails(throttled()), fails(notFound())}, "done", 3},
		"denied":                                        {[]answer{says(deleting), fails(denied())}, "ended Denied", 2},
		"the name was taken again":                      {[]answer{{status: deleting, arn: "a"}, {status: creating, arn: "b"}}, "ended Replaced", 2},
		"a state of the future is waited on":            {[]answer{says("UPDATING"), fails(notFound())}, "done", 2},
		"deleting until the deadline":                   {[]answer{says(deleting)}, "timeout DELETING", anyPolls},
		"an answer without a status is waited on":       {[]answer{says(""), fails(notFound())}, "done", 2},
		"failures of AWS for too long":                  {[]answer{fails(serverError())}, "ended ErrorBudget", 15},
		"not found passes for an answer between errors": {[]answer{fails(serverError()), fails(notFound())}, "done", 2},
	})
}

func checkOutcomes(t *testing.T, wait waitFunc, cases map[string]outcomeCase) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := hour(t)
				api := newScript(tt.answers...)
				_, err := wait(ctx, api, ref(), noJitter)
				if got := outcome(err); got != tt.want || tt.polls != anyPolls && len(api.calls) != tt.polls {
					t.Errorf("got %q after %d polls at %v, want %q after %d", got, len(api.calls), api.calls, tt.want, tt.polls)
				}
			})
		})
	}
}

func TestActiveReturnsTheProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		got, err := waiter.Active(ctx, newScript(says(creating), answer{status: active, arn: "the-arn"}), ref())
		if err != nil || got.Status != fargate.StatusActive || got.ARN != "the-arn" {
			t.Errorf("Active() = %+v, %v", got, err)
		}
	})
}

func TestDeletedReturnsWhatWasSeenLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		got, err := waiter.Deleted(ctx, newScript(says(deleting), fails(notFound())), ref())
		if err != nil || got.Status != fargate.StatusDeleting {
			t.Errorf("Deleted() = %+v, %v", got, err)
		}
	})
}

func TestScenario_B75_AFailureEndsTheWaitAtOnceWithItsIssues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		issue := answer{status: createFailed, issue: types.FargateProfileIssueCodePodExecutionRoleAlreadyInUse}
		api := newScript(says(creating), fails(throttled()), says(creating), issue)
		_, err := waiter.Active(ctx, api, ref())
		e, ok := errors.AsType[*waiter.FailedError](err)
		if !ok || len(api.calls) != 4 || e.Polls != 4 {
			t.Fatalf("got %v after %d calls, want *FailedError after 4", err, len(api.calls))
		}
		if len(e.Issues) != 1 || e.Issues[0].Code != fargate.IssueRoleAlreadyInUse || e.Retryable() {
			t.Errorf("issues %+v, retryable %t", e.Issues, e.Retryable())
		}
		for _, part := range []string{"demo/fp-a", "CREATE_FAILED", "PodExecutionRoleAlreadyInUse: the text of EKS", "role of its own"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
	})
}

func TestScenario_B14_ADeleteOf25MinutesTakesFewCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
		defer cancel()
		api := newTimeline(deleting, fails(notFound()), 25*time.Minute)
		if _, err := waiter.Deleted(ctx, api, ref()); err != nil || len(api.calls) >= 100 {
			t.Errorf("Deleted() = %v after %d calls, want none after fewer than 100", err, len(api.calls))
		}
	})
}

func TestScenario_B68_SettledWaitsOnAfterActive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		api := newScript(says(creating), says(active))
		if _, err := waiter.Settled(ctx, api, ref(), noJitter); err != nil {
			t.Fatal(err)
		}
		if n := len(api.calls); n != 3 || api.calls[2]-api.calls[1] != 30*time.Second {
			t.Errorf("looked at %v, want a last look 30 s after the first ACTIVE", api.calls)
		}
	})
}

func TestSettledNoticesADeleteWhileItSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		_, err := waiter.Settled(ctx, newScript(says(active), says(deleting)), ref(), func(o *waiter.Options) { o.Settle = time.Minute })
		if got := outcome(err); got != "ended BeingDeleted" {
			t.Errorf("got %q", got)
		}
	})
}

func TestSettledStartsOverWhenActiveIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		api := newScript(says(active), says(creating), says(active), says(active))
		if _, err := waiter.Settled(ctx, api, ref(), noJitter); err != nil || len(api.calls) != 4 {
			t.Errorf("Settled() = %v after %v", err, api.calls)
		}
	})
}

func TestCancelEndsTheWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		ctx, cancel := context.WithCancelCause(ctx)
		stop := errors.New("the user pressed Ctrl-C")
		time.AfterFunc(50*time.Second, func() { cancel(stop) })
		start := time.Now()
		_, err := waiter.Active(ctx, newScript(says(creating)), ref())
		if took := time.Since(start); took != 50*time.Second {
			t.Errorf("returned after %s, want 50s", took)
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, stop) {
			t.Errorf("%v wraps neither the cancel nor its cause", err)
		}
	})
}

func TestAContextThatIsOverMakesNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		api := newScript(says(active))
		_, err := waiter.Active(ctx, api, ref())
		if outcome(err) != "timeout " || len(api.calls) != 0 {
			t.Errorf("got %v after %d calls", err, len(api.calls))
		}
	})
}

func TestATimeoutSaysWhatWasSeenLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
		defer cancel()
		api := newScript(answer{status: creating, issue: types.FargateProfileIssueCodeClusterUnreachable}, fails(throttled()))
		_, err := waiter.Active(ctx, api, ref())
		e, ok := errors.AsType[*waiter.TimeoutError](err)
		if !ok || e.Status != fargate.StatusCreating || e.Age != 40*time.Second || len(e.Issues) != 1 || e.Polls != len(api.calls) {
			t.Fatalf("got %+v", err)
		}
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "Rate exceeded") {
			t.Errorf("%v does not wrap the deadline and the last error", err)
		}
	})
}

func TestTheLastLookComesJustBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
		defer cancel()
		api := newTimeline(creating, says(active), 50*time.Second)
		if _, err := waiter.Active(ctx, api, ref()); err != nil {
			t.Errorf("the profile was ACTIVE 10 s before the deadline, yet: %v", err)
		}
	})
}

func TestSinceSavesTheFirstCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		api := newTimeline(creating, says(active), 20*time.Second)
		_, err := waiter.Active(ctx, api, ref(), noJitter, func(o *waiter.Options) { o.Since = time.Now() })
		first := waiter.DefaultSchedule().Polls(fargate.StatusCreating)[0]
		if err != nil || api.calls[0] != first {
			t.Errorf("err %v, looked at %v, want the first look at %s", err, api.calls, first)
		}
	})
}

func TestSinceLongAgoLooksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		api := newScript(says(deleting), fails(notFound()))
		_, err := waiter.Deleted(ctx, api, ref(), func(o *waiter.Options) { o.Since = time.Now().Add(-2 * time.Minute) })
		if err != nil || api.calls[0] != 0 || api.calls[1] > 15*time.Second {
			t.Errorf("err %v, looked at %v, want one look at once and one at the age of 130 s", err, api.calls)
		}
	})
}

func TestInvalidInputMakesNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		for _, r := range []waiter.Ref{{}, {Cluster: "demo"}, {Profile: "fp-a"}} {
			api := newScript(says(active))
			_, err := waiter.Active(ctx, api, r)
			if outcome(err) != "ended InvalidInput" || len(api.calls) != 0 {
				t.Errorf("%q: got %v after %d calls", r, err, len(api.calls))
			}
			if text := fmt.Sprint(err); strings.HasPrefix(text, "waiting for cluster") || !strings.Contains(text, "a name is missing") {
				t.Errorf("%q: %s", r, text)
			}
		}
	})
}

func TestAPinnedARNRefusesAnotherProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		pinned := waiter.Ref{Cluster: "demo", Profile: "fp-a", ARN: "mine"}
		_, err := waiter.Active(ctx, newScript(answer{status: active, arn: "other"}), pinned)
		if outcome(err) != "ended Replaced" {
			t.Errorf("got %v", err)
		}
	})
}

func TestNegativeBudgetsTolerateNothing(t *testing.T) {
	strict := func(o *waiter.Options) { o.Grace, o.ErrorBudget = -1, -1 }
	for want, a := range map[string]answer{"ended NeverCreated": fails(notFound()), "ended ErrorBudget": fails(throttled())} {
		synctest.Test(t, func(t *testing.T) {
			ctx := hour(t)
			api := newScript(a)
			if _, err := waiter.Active(ctx, api, ref(), strict); outcome(err) != want || len(api.calls) != 1 {
				t.Errorf("got %v after %d calls, want %s after 1", err, len(api.calls), want)
			}
		})
	}
}

func TestWaitsShareALimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		limiter := rate.NewLimiter(rate.Every(20*time.Second), 1)
		api := newTimeline(creating, says(active), 59*time.Second)
		_, err := waiter.Active(ctx, api, ref(), func(o *waiter.Options) {
			o.Limiter, o.Schedule = limiter, waiter.Every(time.Second)
		})
		if err != nil || len(api.calls) != 4 {
			t.Errorf("err %v, looked at %v, want every 20 s", err, api.calls)
		}
	})
}

func TestALimiterWithoutBurstPausesTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		limiter := rate.NewLimiter(1, 0)
		time.AfterFunc(10*time.Second, func() { limiter.SetBurst(1) })
		api := newScript(says(active))
		_, err := waiter.Active(ctx, api, ref(), func(o *waiter.Options) { o.Limiter = limiter })
		if err != nil || api.calls[0] < 10*time.Second {
			t.Errorf("err %v, looked at %v, want no look in the first 10 s", err, api.calls)
		}
	})
}

func TestProgressTellsEachLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		var seen []waiter.Progress
		api := newScript(says(creating), fails(throttled()), says(creating), says(active))
		_, err := waiter.Active(ctx, api, ref(), func(o *waiter.Options) {
			o.OnPoll = func(p waiter.Progress) { seen = append(seen, p) }
		})
		if err != nil || len(seen) != 4 {
			t.Fatalf("err %v, %d reports", err, len(seen))
		}
		for i, p := range seen {
			last := i == 3
			if p.Polls != i+1 || (p.Next > 0) == last || (p.Err != nil) != (i == 1) || p.Expected < 0 || p.Expected > 1 {
				t.Errorf("report %d: %+v", i, p)
			}
		}
		if seen[2].Expected <= seen[0].Expected || seen[3].Expected != 1 || seen[3].Status != fargate.StatusActive {
			t.Errorf("expected shares %v, %v and %v do not grow to 1", seen[0].Expected, seen[2].Expected, seen[3].Expected)
		}
	})
}

func TestAHistoryLearnsFromWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hour(t)
		var h waiter.History
		share := func(o *waiter.Options) { o.History, o.Since = &h, time.Now() }
		for range 20 {
			if _, err := waiter.Deleted(ctx, newTimeline(deleting, fails(notFound()), 40*time.Second), ref(), share); err != nil {
				t.Fatal(err)
			}
		}
		api := newTimeline(deleting, fails(notFound()), 40*time.Second)
		if _, err := waiter.Deleted(ctx, api, ref(), share); err != nil {
			t.Fatal(err)
		}
		if lag := api.calls[len(api.calls)-1] - 40*time.Second; lag > 10*time.Second {
			t.Errorf("after 20 deletes of 40 s the next is noticed %s late, looking at %v", lag, api.calls)
		}
	})
}
