// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// The end of the context ends a run at once, wherever it is, and leaves what can
// be continued.
func TestTheEndOfTheContextEndsARunAtOnce(t *testing.T) {
	const after = 2500 * time.Millisecond
	tests := map[string]struct {
		set    func(*fake.Cloud)
		option func(*lifecycle.Options)
		reason fargate.Reason
	}{
		"in a read": {set: func(c *fake.Cloud) {
			c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Delay: time.Hour})
		}},
		"in a write": {set: func(c *fake.Cloud) {
			c.Inject(fake.Fault{Operation: "CreateFargateProfile", Delay: time.Hour})
		}, reason: fargate.ReasonAbsent},
		"while it waits for the profile": {reason: fargate.ReasonCreating},
		"while it waits for the cluster": {set: func(c *fake.Cloud) { c.BusyCluster("demo", time.Hour) }, reason: fargate.ReasonClusterBusy},
		"while it waits after errors":    {set: func(c *fake.Cloud) { c.Inject(fake.Throttle("DescribeFargateProfile", 100)) }},
		"while it waits for the rate":    {option: func(o *lifecycle.Options) { o.Rate = rate.NewLimiter(rate.Every(time.Hour), 1) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New()
				if tt.set != nil {
					tt.set(c)
				}
				var optFns []func(*lifecycle.Options)
				if tt.option != nil {
					optFns = append(optFns, tt.option)
				}
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(after, cancel)
				begun := time.Now()
				_, err := lifecycle.New(c.EKS(), optFns...).Run(ctx, oldSpec(c))
				incomplete, ok := errors.AsType[*lifecycle.IncompleteError](err)
				if !ok || !errors.Is(err, context.Canceled) || incomplete.Outcome.Reason != tt.reason {
					t.Errorf("Run() = %v, want the outcome %s", err, tt.reason)
				}
				if took := time.Since(begun); took != after {
					t.Errorf("it ended after %s, want %s", took, after)
				}
				c.ClearFaults()
				if _, err := lifecycle.New(c.EKS()).Run(t.Context(), oldSpec(c)); name != "while it waits for the cluster" && err != nil {
					t.Errorf("the next Run() = %v", err)
				}
			})
		})
	}
}

func TestAContextThatIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := fake.New()
	r := lifecycle.New(sdkClient(c))
	if _, err := r.Step(ctx, oldSpec(c), fargate.Memory{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Step() = %v", err)
	}
	if err := r.Delete(ctx, oldSpec(c)); !errors.Is(err, context.Canceled) {
		t.Errorf("Delete() = %v", err)
	}
	report, err := r.RunAll(ctx, five(c))
	if !errors.Is(err, context.Canceled) || len(report.Failed()) != 5 {
		t.Errorf("RunAll() = %+v, %v", report, err)
	}
	if _, err := r.Teardown(ctx, "demo", fargate.Owner{ID: me}, fargate.Policy{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Teardown() = %v", err)
	}
	if n := c.CallCount("CreateFargateProfile", "DeleteFargateProfile"); n > 0 {
		t.Errorf("%d writes", n)
	}
}
