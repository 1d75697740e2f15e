// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

func once(o *eks.Options) { o.RetryMaxAttempts = 1 }

func TestKilledCaller(t *testing.T) {
	for moment, wantEffect := range map[fake.KillMoment]bool{fake.BeforeEffect: false, fake.AfterEffect: true} {
		t.Run(string(moment), func(t *testing.T) {
			c := fake.New()
			for name, api := range map[string]eksAPI{"direct": c.EKS(), "sdk": sdkClient(c)} {
				ctx := fake.KillAt(t.Context(), 2, moment)
				if _, err := api.ListClusters(ctx, &eks.ListClustersInput{}); err != nil {
					t.Fatalf("the first call: %v", err)
				}
				calls := c.CallCount()
				_, err := api.TagResource(ctx, &eks.TagResourceInput{
					ResourceArn: new(clusterARN), Tags: map[string]string{name: string(moment)},
				}, once)
				if err == nil || !errors.Is(context.Cause(ctx), fake.ErrKilled) {
					t.Errorf("%s: error %v, cause %v", name, err, context.Cause(ctx))
				}
				if _, err := api.ListClusters(ctx, &eks.ListClustersInput{}, once); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: the dead caller got %v", name, err)
				}
				if effects := c.CallCount() - calls; effects != map[bool]int{true: 1, false: 0}[wantEffect] {
					t.Errorf("%s: %d calls took effect after the first", name, effects)
				}
				out, err := c.EKS().ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: new(clusterARN)})
				if _, tagged := out.Tags[name]; err != nil || tagged != wantEffect {
					t.Errorf("%s: tags %v, error %v", name, out.Tags, err)
				}
			}
		})
	}
}

const clusterARN = "arn:aws:eks:us-east-1:111122223333:cluster/demo"

// After its death no goroutine of a caller has an effect.
func TestDeadCallersHaveNoEffect(t *testing.T) {
	c := fake.New()
	ctx := fake.KillAt(t.Context(), 10, fake.AfterEffect)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 8 {
				// Most of these calls fail, which is the point.
				_, _ = c.EKS().ListClusters(ctx, nil)
			}
		})
	}
	wg.Wait()
	if n := c.CallCount(); n != 10 {
		t.Errorf("%d calls reached the Cloud, want 10", n)
	}
	var lost int
	for call := range c.Calls() {
		if call.Lost {
			lost++
		}
	}
	if lost != 1 {
		t.Errorf("%d replies were lost, want that of the last call", lost)
	}
}

func TestLostRequest(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		c.Inject(fake.Fault{Operation: "CreateFargateProfile", LoseRequest: true})
		if _, err := api.CreateFargateProfile(t.Context(), createInput(c, "web"), once); err == nil {
			t.Error("the lost request was answered")
		}
		if got := listed(t, api); len(got) != 0 {
			t.Errorf("a lost request made %v", got)
		}
		if n := c.CallCount("CreateFargateProfile"); n != 0 {
			t.Errorf("%d calls in the journal, which the Cloud never got", n)
		}
		if err := create(t, c, api, "web"); err != nil {
			t.Errorf("the next create: %v", err)
		}
	})
}

func TestSomethingHappensBetweenTwoCalls(t *testing.T) {
	c := fake.New()
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(1e12)
	var order []string
	c.Before(2, func() {
		order = append(order, "first")
		mustDelete(t, c.EKS(), "web")
		c.Advance(1e12)
	})
	c.Before(2, func() { order = append(order, "second") })
	if got := listed(t, c.EKS()); len(got) != 1 {
		t.Errorf("the first call saw %v", got)
	}
	_, err := c.EKS().DescribeFargateProfile(t.Context(), describeInput("web"))
	wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
	if !slices.Equal(order, []string{"first", "second"}) {
		t.Errorf("ran %v", order)
	}
}
