// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

// recoveries counts how often a profile that fails for ever is recovered, when the
// caller comes back whenever it is told to.
func recoveries(t *testing.T, attempts int, s fargate.Status) (int, fargate.Decision) {
	t.Helper()
	in := about(wish(func(d *fargate.Desired) { d.Policy.Attempts = attempts }), seen("web", inStatus(s), sick))
	calls := 0
	for range 100 {
		d := fargate.Decide(in)
		if d.Action == fargate.ActionBlocked {
			return calls, d
		}
		if d.Call != nil {
			calls++
		}
		in.Memory, in.Now = d.Memory, in.Now.Add(d.RequeueAfter)
	}
	t.Fatal("the budget never ends")
	return 0, fargate.Decision{}
}

func TestAFailureIsRecoveredAsOftenAsThePolicySays(t *testing.T) {
	for status, reason := range map[fargate.Status]fargate.Reason{
		fargate.StatusCreateFailed: fargate.ReasonCreateFailed,
		fargate.StatusDeleteFailed: fargate.ReasonDeleteFailed,
	} {
		for attempts, want := range map[int]int{-1: 0, 0: 5, 1: 1, 3: 3} {
			got, end := recoveries(t, attempts, status)
			if got != want || end.Reason != reason {
				t.Errorf("%s with %d attempts: %d recoveries and then %s, want %d and %s", status, attempts, got, end.Reason, want, reason)
			}
			if !strings.Contains(end.Message, "AccessDenied: no") || !strings.Contains(end.Message, "mend the cause") {
				t.Errorf("the end says neither cause nor remedy: %s", end.Message)
			}
			if attempts < 0 != strings.Contains(end.Message, "policy.attempts allows no recovery") {
				t.Errorf("after %d recoveries: %s", got, end.Message)
			}
		}
	}
}

func TestRecoveriesBackOff(t *testing.T) {
	in := about(wish(), seen("web", inStatus(fargate.StatusCreateFailed)))
	var waits []time.Duration
	for range 20 {
		d := fargate.Decide(in)
		if d.Reason == fargate.ReasonBackingOff {
			waits = append(waits, d.RequeueAfter)
			in.Now = in.Now.Add(d.RequeueAfter)
		}
		in.Memory = d.Memory
	}
	want := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute}
	if diff := cmp.Diff(want, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

// A memory that was written under a clock that was ahead must not hold a recovery
// until that time comes.
func TestAFailureOfAnotherClockDoesNotHoldARecovery(t *testing.T) {
	in := about(wish(), seen("web", inStatus(fargate.StatusCreateFailed)))
	in.Memory = fargate.Decide(in).Memory
	for name, back := range map[string]time.Duration{"an hour": time.Hour, "for ever": 1 << 62} {
		earlier := in
		earlier.Now = in.Now.Add(-back)
		if d := fargate.Decide(earlier); d.Call == nil {
			t.Errorf("a clock that was put back %s: %s, again in %s", name, verdict(d), d.RequeueAfter)
		}
	}
	in.Now = time.Time{}
	if d := fargate.Decide(in); d.Call == nil {
		t.Errorf("without a clock: %s", verdict(d))
	}
}

func TestANewVersionOfTheDesiredStateHasANewBudget(t *testing.T) {
	in := about(wish(func(d *fargate.Desired) { d.Policy.Attempts = 1 }), seen("web", inStatus(fargate.StatusCreateFailed)))
	in.Memory = fargate.Decide(in).Memory
	if d := fargate.Decide(in); d.Reason != fargate.ReasonCreateFailed {
		t.Fatalf("the budget of one: %s", verdict(d))
	}
	in.Desired.Spec.Subnets = []string{subnetA}
	if d := fargate.Decide(in); d.Reason != fargate.ReasonRecoveringCreate {
		t.Errorf("another version: %s", verdict(d))
	}
}

func TestABudgetOfDeletesOutlivesAVersion(t *testing.T) {
	in := about(wish(func(d *fargate.Desired) { d.Policy.Attempts = 1 }), seen("web", inStatus(fargate.StatusDeleteFailed)))
	in.Memory = fargate.Decide(in).Memory
	in.Desired.Spec.Subnets = []string{subnetA}
	if d := fargate.Decide(in); d.Reason != fargate.ReasonDeleteFailed {
		t.Errorf("another version does not mend a delete: %s", verdict(d))
	}
}

func TestSuccessEndsTheRowOfFailures(t *testing.T) {
	in := about(wish(), seen("web"))
	in.Memory = fargate.Memory{Version: 1, QuotaRefused: true}.Count(fargate.TroubleCreateFailed, noon()).Count(fargate.TroubleDeleteFailed, noon())
	for name, change := range map[string]func(*fargate.Observed){"in sync": asIs, "degraded": sick} {
		now := about(wish(), seen("web", change))
		now.Memory = in.Memory
		if got := fargate.Decide(now).Memory; got.Attempts != nil || got.QuotaRefused {
			t.Errorf("%s: the memory still knows %+v", name, got)
		}
	}
}

// Looking again gets slower with the age of what is waited for.
func TestWaitsGrowWithAge(t *testing.T) {
	for name, tt := range map[string]struct {
		age  time.Duration
		want time.Duration
	}{
		"just begun":     {0, 5 * time.Second},
		"under a minute": {59 * time.Second, 5 * time.Second},
		"minutes":        {time.Minute, 10 * time.Second},
		"ten minutes":    {10 * time.Minute, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			creating := about(wish(), seen("web", inStatus(fargate.StatusCreating), func(o *fargate.Observed) { o.CreatedAt = noon().Add(-tt.age) }))
			if got := fargate.Decide(creating).RequeueAfter; got != tt.want {
				t.Errorf("CREATING: again after %s, want %s", got, tt.want)
			}
			deleting := about(wish(), pair(inStatus(fargate.StatusDeleting), asIs)...)
			deleting.Memory = fargate.Memory{Version: 1, Status: fargate.StatusDeleting, Since: noon().Add(-tt.age)}
			if got := fargate.Decide(deleting).RequeueAfter; got != tt.want {
				t.Errorf("DELETING: again after %s, want %s", got, tt.want)
			}
			unborn := about(wish(), seen("web", inStatus(fargate.StatusCreating), func(o *fargate.Observed) { o.CreatedAt = time.Time{} }))
			unborn.Memory = fargate.Memory{Version: 1, Status: fargate.StatusCreating, Since: noon().Add(-tt.age)}
			if got := fargate.Decide(unborn).RequeueAfter; got != tt.want {
				t.Errorf("CREATING of unknown age: again after %s, want %s", got, tt.want)
			}
		})
	}
}
