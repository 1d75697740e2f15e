// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/waiter"
)

// oneAnswer stands for *eks.Client in the examples.
type oneAnswer struct {
	status types.FargateProfileStatus
	err    error
}

func (a oneAnswer) DescribeFargateProfile(context.Context, *eks.DescribeFargateProfileInput, ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	return &eks.DescribeFargateProfileOutput{FargateProfile: &types.FargateProfile{Status: a.status}}, a.err
}

func ExampleActive() {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	client := oneAnswer{status: types.FargateProfileStatusCreateFailed}

	_, err := waiter.Active(ctx, client, waiter.Ref{Cluster: "demo", Profile: "web"})
	if e, ok := errors.AsType[*waiter.FailedError](err); ok {
		fmt.Println(e.Status, "after", e.Polls, "poll:", e.Remedy())
	}
	// Output: CREATE_FAILED after 1 poll: delete the profile, which ends nothing as no pod ran on it, and create it again
}

func ExampleSettled() {
	client := oneAnswer{status: types.FargateProfileStatusActive}

	observed, err := waiter.Settled(context.Background(), client, waiter.Ref{Cluster: "demo", Profile: "web"}, func(o *waiter.Options) {
		o.Settle = time.Millisecond
		o.OnPoll = func(p waiter.Progress) { fmt.Println("poll", p.Polls, p.Status) }
	})
	fmt.Println(observed.Status, err)
	// Output:
	// poll 1 ACTIVE
	// poll 2 ACTIVE
	// ACTIVE <nil>
}

func ExampleDeleted() {
	client := oneAnswer{err: &types.ResourceNotFoundException{Message: new("No cluster found for name: demo.")}}

	_, err := waiter.Deleted(context.Background(), client, waiter.Ref{Cluster: "demo", Profile: "web"})
	if e, ok := errors.AsType[*waiter.EndedError](err); ok {
		fmt.Println(e.Reason)
	}
	// Output: ClusterNotFound
}

func ExampleClusterIdle() {
	client := &cluster{names: []string{"web", "jobs"}, paging: 10}

	fmt.Println("free for a change:", waiter.ClusterIdle(context.Background(), client, "demo") == nil)
	// Output: free for a change: true
}

func ExampleRoleUsable() {
	role := waiter.Role{
		Name:    "pods",
		Request: iam.Scope{Region: "eu-west-1", Account: "111122223333", Cluster: "demo"}.Request("web"),
	}
	client := reader([]roleAnswer{{trust: `{"Version": "2012-10-17", "Statement": []}`}})
	create := func(context.Context) error { return nil } // calls CreateFargateProfile

	err := waiter.RoleUsable(context.Background(), client, role, create)
	if e, ok := errors.AsType[*waiter.EndedError](err); ok {
		fmt.Println(e.Reason)
	}
	// Output: TrustRefuses
}

func ExamplePoller() {
	client := oneAnswer{status: types.FargateProfileStatusActive}
	poller := waiter.NewPoller(client, func(o *waiter.PollerOptions) {
		o.Limiter = rate.NewLimiter(100, 1) // calls per second, for all waits together
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := func(r waiter.Result) {
		fmt.Println(r.Target.Ref, r.Observed.Status, r.Err)
		cancel() // a controller would ask for a reconcile here
	}
	target := waiter.Target{Ref: waiter.Ref{Cluster: "demo", Profile: "web"}, Goal: waiter.GoalActive}
	if err := poller.Watch(target, done); err != nil {
		fmt.Println(err)
	}
	poller.Run(ctx)
	// Output: demo/web ACTIVE <nil>
}

func ExampleSchedule_Next() {
	schedule := waiter.DefaultSchedule()
	for _, age := range []time.Duration{0, 15 * time.Second, 31 * time.Second, 10 * time.Minute} {
		fmt.Println("CREATING for", age, "look again in", schedule.Next(fargate.StatusCreating, age))
	}
	// Output:
	// CREATING for 0s look again in 15s
	// CREATING for 15s look again in 16s
	// CREATING for 31s look again in 54s
	// CREATING for 10m0s look again in 1m0s
}

func ExampleHistory() {
	var history waiter.History // shared by the waits of one region
	for range 10 {
		history.Record(fargate.StatusDeleting, 38*time.Second, 40*time.Second)
	}
	fmt.Println(history.Schedule().Polls(fargate.StatusDeleting)[:3])
	// Output: [41s 44s 1m38s]
}
