// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
)

// fullMemory has a value in every field.
func fullMemory() fargate.Memory {
	attempt := fargate.Attempt{Count: 2, First: noon(), Last: noon().Add(time.Minute)}
	return fargate.Memory{
		Version: fargate.MemoryVersion, Physical: oldName, ARN: seen(oldName).ARN, Status: fargate.StatusActive, Since: noon(), Fingerprint: "ns2j76p4",
		Attempts: map[fargate.Trouble]fargate.Attempt{
			fargate.TroubleCreateFailed: attempt, fargate.TroubleDeleteFailed: attempt, fargate.TroubleInUse: attempt, fargate.TroubleTrust: attempt,
		},
		QuotaRefused: true, Untagged: []string{"team"}, Reason: fargate.ReasonInSync, Message: "profile web is ACTIVE and as desired",
	}
}

// The JSON of a memory lies in the status of objects that older and newer versions
// read: it must not change within one version of it.
func TestMemoryJSONIsStable(t *testing.T) {
	text, err := json.MarshalIndent(fullMemory(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/golden/memory.json", string(text)+"\n")
	var back fargate.Memory
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullMemory(), back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if zero, err := json.Marshal(fargate.Memory{}); err != nil || string(zero) != "{}" {
		t.Errorf("the zero memory is %s, %v", zero, err)
	}
}

func TestDecideRemembers(t *testing.T) {
	d := fargate.Decide(about(wish(), seen("web")))
	want := fargate.Memory{
		Version: 1, Physical: "web", ARN: seen("web").ARN, Status: fargate.StatusActive, Since: noon(), Fingerprint: d.Memory.Fingerprint,
		Reason: fargate.ReasonInSync, Message: d.Message,
	}
	if diff := cmp.Diff(want, d.Memory); diff != "" || len(d.Memory.Fingerprint) != 8 {
		t.Errorf("memory (-want +got):\n%s", diff)
	}
	gone := about(wish())
	gone.Memory, gone.Now = d.Memory, noon().Add(time.Hour)
	if m := fargate.Decide(gone).Memory; m.Physical != "web" || m.ARN != seen("web").ARN || m.Status != "" || !m.Since.Equal(gone.Now) {
		t.Errorf("after it vanished: %+v", m)
	}
	gone.Absent = true
	if m := fargate.Decide(gone).Memory; m.Physical != "" || m.ARN != "" || m.Version != fargate.MemoryVersion || m.Reason != fargate.ReasonGone {
		t.Errorf("after it is gone as desired: %+v", m)
	}
}

// Since is when the status began, whatever else changes.
func TestMemoryKeepsSinceWhenTheStatusBegan(t *testing.T) {
	in := about(wish(wishing(createFirst())), pair(other, inStatus(fargate.StatusCreating))...)
	in.Memory = fargate.Decide(in).Memory
	in.Now = noon().Add(time.Minute)
	if m := fargate.Decide(in).Memory; m.Status != fargate.StatusCreating || !m.Since.Equal(noon()) || m.Physical != newName {
		t.Errorf("of two profiles it remembers %+v", m)
	}
	in.Peers[0].Status = fargate.StatusActive
	if m := fargate.Decide(in).Memory; m.Status != fargate.StatusActive || !m.Since.Equal(in.Now) {
		t.Errorf("when all is ACTIVE it remembers %+v", m)
	}
}

// A memory that another version wrote counts as none: in particular its ARN and its
// budgets are not believed.
func TestMemoryOfAnotherVersionIsNone(t *testing.T) {
	for _, version := range []int{0, 2, -1} {
		m := fullMemory().Count(fargate.TroubleCreateFailed, noon())
		m.Version = version
		m.ARN = "arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/web/0000"
		for name, in := range map[string]fargate.Input{
			"in sync": about(wish(), seen("web")), "failed": about(wish(), seen("web", inStatus(fargate.StatusCreateFailed))), "gone": undesired(wish()),
		} {
			fresh := fargate.Decide(in)
			in.Memory = m
			if diff := cmp.Diff(fresh, fargate.Decide(in)); diff != "" {
				t.Errorf("version %d, %s (-without memory +with it):\n%s", version, name, diff)
			}
		}
	}
}

func TestMemoryCountsWithoutChangingWhatItWas(t *testing.T) {
	later := noon().Add(time.Hour)
	var zero fargate.Memory
	once := zero.Count(fargate.TroubleTrust, noon())
	twice := once.Count(fargate.TroubleTrust, later)
	want := fargate.Attempt{Count: 2, First: noon(), Last: later}
	if got := twice.Attempts[fargate.TroubleTrust]; got != want {
		t.Errorf("counted twice: %+v, want %+v", got, want)
	}
	if zero.Attempts != nil || once.Attempts[fargate.TroubleTrust].Count != 1 {
		t.Errorf("what it was changed: %+v, %+v", zero, once)
	}
	both := twice.Count(fargate.TroubleInUse, later)
	if got := both.Forget(fargate.TroubleTrust).Attempts; len(got) != 1 || got[fargate.TroubleInUse].Count != 1 {
		t.Errorf("one kind forgotten: %+v", got)
	}
	if got := both.Forget().Attempts; got != nil {
		t.Errorf("all forgotten: %+v", got)
	}
	if got := once.Forget(fargate.TroubleTrust).Attempts; got != nil {
		t.Errorf("the last kind forgotten: %+v, want nil", got)
	}
	if len(both.Attempts) != 2 {
		t.Errorf("forgetting changed what it was: %+v", both.Attempts)
	}
}

func TestMemoryRestore(t *testing.T) {
	before := fullMemory()
	counted := before.Count(fargate.TroubleCreateFailed, noon().Add(time.Hour))
	if diff := cmp.Diff(before.Attempts, counted.Restore(before, fargate.TroubleCreateFailed).Attempts); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	var none fargate.Memory
	if got := none.Count(fargate.TroubleTrust, noon()).Restore(none, fargate.TroubleTrust).Attempts; got != nil {
		t.Errorf("restored to nothing: %+v", got)
	}
	if got := none.Restore(before, fargate.TroubleTrust).Attempts; len(got) != 1 || got[fargate.TroubleTrust].Count != 2 {
		t.Errorf("restored what was forgotten: %+v", got)
	}
	unknown := before
	unknown.Version = 2
	if got := counted.Restore(unknown, fargate.TroubleCreateFailed).Attempts; got[fargate.TroubleCreateFailed].Count != 0 {
		t.Errorf("restored from another version: %+v", got)
	}
	if counted.Attempts[fargate.TroubleCreateFailed].Count != 3 || before.Attempts[fargate.TroubleCreateFailed].Count != 2 {
		t.Error("restoring changed what it was")
	}
}

func TestBackoff(t *testing.T) {
	tests := map[string]struct {
		failures       int
		first, longest time.Duration
		want           time.Duration
	}{
		"no failure counts as one": {0, time.Second, time.Minute, time.Second},
		"and so does less":         {-3, time.Second, time.Minute, time.Second},
		"one":                      {1, time.Second, time.Minute, time.Second},
		"two":                      {2, time.Second, time.Minute, 2 * time.Second},
		"six":                      {6, time.Second, time.Minute, 32 * time.Second},
		"seven":                    {7, time.Second, time.Minute, time.Minute},
		"very many":                {math.MaxInt, time.Second, time.Minute, time.Minute},
		"an exact end":             {3, time.Second, 4 * time.Second, 4 * time.Second},
		"first beyond longest":     {1, time.Hour, time.Minute, time.Minute},
		"the longest there is":     {math.MaxInt, time.Second, math.MaxInt64, math.MaxInt64},
		"nothing stays nothing":    {math.MaxInt, 0, time.Minute, 0},
		"less than nothing, too":   {math.MaxInt, -time.Second, time.Minute, -time.Second},
		"a longest of nothing":     {math.MaxInt, time.Second, 0, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fargate.Backoff(tt.failures, tt.first, tt.longest); got != tt.want {
				t.Errorf("Backoff(%d, %s, %s) = %s, want %s", tt.failures, tt.first, tt.longest, got, tt.want)
			}
		})
	}
}

func TestBackoffNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, longest := time.Duration(rapid.Int64Min(1).Draw(t, "first")), time.Duration(rapid.Int64Min(1).Draw(t, "longest"))
		n := rapid.IntRange(1, 100).Draw(t, "failures")
		a, b := fargate.Backoff(n, first, longest), fargate.Backoff(n+1, first, longest)
		if a > b || b > longest || a < min(first, longest) {
			t.Fatalf("after %d failures %s, after one more %s, of %s to %s", n, a, b, first, longest)
		}
	})
}

// A count below one, as only a torn or forged memory has it, is not a budget.
func TestCountsThatNobodyReachedDoNotLiftBudgets(t *testing.T) {
	for _, count := range []int{0, -1, math.MinInt} {
		in := about(wish(), seen("web", inStatus(fargate.StatusCreateFailed)))
		in.Memory = fargate.Decide(in).Memory
		in.Memory.Attempts = map[fargate.Trouble]fargate.Attempt{fargate.TroubleCreateFailed: {Count: count}}
		got := fargate.Decide(in)
		if n := got.Memory.Attempts[fargate.TroubleCreateFailed].Count; got.Reason != fargate.ReasonRecoveringCreate || n != 1 {
			t.Errorf("after %d failures: %s, and then %d", count, got.Reason, n)
		}
	}
}
