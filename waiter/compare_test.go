// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	smithyrand "github.com/aws/smithy-go/rand"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

// operation is what is waited for in a comparison, and how long it takes.
type operation struct {
	name      string
	kind      fargate.Status
	before    types.FargateProfileStatus
	after     answer
	durations waiter.Durations
	wait      waitFunc
}

func creates(d waiter.Durations) operation {
	return operation{"create", fargate.StatusCreating, creating, says(active), d, waiter.Active}
}

func deletes(d waiter.Durations) operation {
	return operation{"delete", fargate.StatusDeleting, deleting, fails(notFound()), d, waiter.Deleted}
}

// method is one way of waiting. It returns when it has noticed the end.
type method struct {
	name string
	wait func(context.Context, eks.DescribeFargateProfileAPIClient, operation) error
}

func sdkWaiter() method {
	return method{"SDK waiter, defaults", func(ctx context.Context, api eks.DescribeFargateProfileAPIClient, op operation) error {
		in := &eks.DescribeFargateProfileInput{ClusterName: new(ref().Cluster), FargateProfileName: new(ref().Profile)}
		if op.kind == fargate.StatusDeleting {
			return eks.NewFargateProfileDeletedWaiter(api).Wait(ctx, in, 2*time.Hour)
		}
		return eks.NewFargateProfileActiveWaiter(api).Wait(ctx, in, 2*time.Hour)
	}}
}

// paced waits with a plain loop: it looks, and sleeps for what next returns. The
// loop jumps instead of sleeping, as nothing else happens meanwhile.
func paced(name string, next func(look int) time.Duration) method {
	return method{name, func(_ context.Context, api eks.DescribeFargateProfileAPIClient, _ operation) error {
		looks := api.(*timeline)
		var at time.Duration
		for look := 0; ; look++ {
			looks.calls = append(looks.calls, at)
			if at >= looks.turns[ref().Profile] {
				return nil
			}
			at += next(look)
		}
	}}
}

func doubling(look int) time.Duration { return time.Second << look }
func tenSeconds(int) time.Duration    { return 10 * time.Second }

// ours waits with this package. Its jitter is the default one, with a seed.
func ours(name string, optFns ...func(*waiter.Options)) method {
	r := rand.New(rand.NewPCG(3, 3))
	seeded := func(o *waiter.Options) {
		o.Jitter = func(d time.Duration) time.Duration {
			return d + time.Duration(r.Float64()*min(0.01*float64(d), 0.5e9))
		}
	}
	return method{name, func(ctx context.Context, api eks.DescribeFargateProfileAPIClient, op operation) error {
		_, err := op.wait(ctx, api, ref(), append(slices.Clone(optFns), seeded)...)
		return err
	}}
}

func told(o *waiter.Options) { o.Since = time.Now() }

// result is how a method did over many waits.
type result struct {
	operation, method string
	mean, p95         time.Duration
	calls             float64
}

// measure lets each method wait for the same n operations, on virtual time.
func measure(t *testing.T, op operation, n int, methods ...method) []result {
	t.Helper()
	seedTheSDK(t)
	var results []result
	for _, m := range methods {
		r := rand.New(rand.NewPCG(1, 2))
		lags, calls := make([]time.Duration, 0, n), 0
		synctest.Test(t, func(t *testing.T) {
			for range n {
				api := newTimeline(op.before, op.after, op.durations.Sample(r))
				if err := m.wait(t.Context(), api, op); err != nil {
					t.Fatalf("%s, %s: %v", op.name, m.name, err)
				}
				lags = append(lags, api.calls[len(api.calls)-1]-api.turns[ref().Profile])
				calls += len(api.calls)
			}
		})
		results = append(results, summarize(op.name, m.name, lags, calls))
	}
	return results
}

func summarize(operation, method string, lags []time.Duration, calls int) result {
	slices.Sort(lags)
	var sum time.Duration
	for _, l := range lags {
		sum += l
	}
	n := len(lags)
	return result{operation, method, sum / time.Duration(n), lags[n*95/100], float64(calls) / float64(n)}
}

// seedTheSDK makes the jitter of the SDK's waiter the same in each run.
func seedTheSDK(t *testing.T) {
	t.Helper()
	reader := smithyrand.Reader
	t.Cleanup(func() { smithyrand.Reader = reader })
	smithyrand.Reader = rand.NewChaCha8([32]byte{1})
}
