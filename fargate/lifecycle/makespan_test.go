// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

var draws = flag.Int("draws", 20, "how many draws of AWS's durations TestMakespan measures")

// TestMakespan is a measurement on virtual time: 8 profiles of one cluster against
// the sum of AWS's own durations, which are those that the fake draws for the
// creates and for the hidden update after each but the last. With -v it prints the
// table.
func TestMakespan(t *testing.T) {
	var took, own time.Duration
	var calls int
	for seed := range *draws {
		synctest.Test(t, func(t *testing.T) {
			a, b, n := makespan(t, uint64(seed)) //nolint:gosec // a count
			took, own, calls = took+a, own+b, calls+n
		})
	}
	ratio := took.Seconds() / own.Seconds()
	t.Logf("8 profiles of one cluster, %d draws: %s, AWS alone %s, ratio %.3f, %d calls a run",
		*draws, mean(took).Round(time.Second), mean(own).Round(time.Second), ratio, calls / *draws)
	if ratio > 1.05 {
		t.Errorf("the makespan is %.3f times AWS's own durations, more than 1.05", ratio)
	}
}

func mean(sum time.Duration) time.Duration { return sum / time.Duration(*draws) }

func makespan(t *testing.T, seed uint64) (took, own time.Duration, calls int) {
	t.Helper()
	var lastBusy time.Duration
	record := func(d fake.Delay, last *time.Duration) fake.Delay {
		return func(r *rand.Rand) time.Duration {
			v := d(r)
			own += v
			*last = v
			return v
		}
	}
	c := fake.New(func(o *fake.Options) {
		o.Seed = seed
		o.Delays = fake.ReportedDelays()
		o.Delays.CreateFirst, o.Delays.Create = record(o.Delays.CreateFirst, new(time.Duration)), record(o.Delays.Create, new(time.Duration))
		o.Delays.Busy = record(o.Delays.Busy, &lastBusy)
	})
	var all []fargate.Desired
	for i := range 8 {
		name := fmt.Sprintf("fp-%d", i)
		all = append(all, desired(c, name, name))
	}
	begun := time.Now()
	if _, err := lifecycle.New(c.EKS()).RunAll(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	return time.Since(begun), own - lastBusy, c.CallCount()
}
