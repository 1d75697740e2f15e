// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// onFakeTime makes a reconciler live on the clock of the fake, which its waits turn
// on: the minutes of an example pass in no time. With a real client, leave it out.
func onFakeTime(cloud *fake.Cloud) func(*lifecycle.Options) {
	return func(o *lifecycle.Options) {
		o.Now = cloud.Now
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			cloud.Advance(d)
			return ctx.Err()
		}
	}
}

func shop(cloud *fake.Cloud, namespaces ...string) fargate.Desired {
	d := fargate.Desired{
		Spec:  fargate.Spec{ClusterName: "demo", Name: "shop", PodExecutionRoleARN: cloud.RoleARN(fake.RoleName)},
		Owner: fargate.Owner{ID: "platform/prod/shop"},
	}
	for _, namespace := range namespaces {
		d.Spec.Selectors = append(d.Spec.Selectors, selector.Selector{Namespace: namespace})
	}
	return d
}

// A tool blocks until the profile is there, and until it is gone.
func ExampleReconciler_Run() {
	cloud := fake.New() // in real life: eks.NewFromConfig(cfg)
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud))

	observed, err := reconciler.Run(context.Background(), shop(cloud, "shop-*"))
	fmt.Println(observed.Spec.Name, observed.Status, err)

	err = reconciler.Delete(context.Background(), shop(cloud))
	fmt.Println("deleted:", err)
	// Output:
	// shop ACTIVE <nil>
	// deleted: <nil>
}

// A controller makes one step, stores the memory (in the status of its object, for
// one) and comes back after RequeueAfter.
func ExampleReconciler_Step() {
	cloud := fake.New()
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud))

	var stored []byte
	reconcile := func(ctx context.Context) (time.Duration, error) {
		var memory fargate.Memory
		_ = json.Unmarshal(stored, &memory) // without a memory, or with a broken one, it still works
		out, err := reconciler.Step(ctx, shop(cloud, "shop-*"), memory)
		stored, _ = json.Marshal(out.Memory)
		if err != nil {
			return 0, err // the queue's own backoff
		}
		for _, e := range out.Events {
			fmt.Println(e.Reason)
		}
		return out.RequeueAfter, nil
	}
	for range 40 {
		again, err := reconcile(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		cloud.Advance(again)
	}
	// Output:
	// Absent
	// Creating
	// Confirming
	// InSync
}

// New selectors without a moment in which new pods match nothing: the successor is
// made first, and the predecessor goes when its pods were moved. The names are
// derived from the beginning, so that the successor's sorts first and takes the
// new pods.
func ExampleReconciler_Run_createFirst() {
	ctx := context.Background()
	cloud := fake.New()
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud))
	desired := shop(cloud, "shop")
	desired.Policy = fargate.Policy{
		Replacement: fargate.ReplacementCreateFirst,
		Name:        fargate.NameDerived,
		Drain:       fargate.DrainConfirmed,
	}
	before, err := reconciler.Run(ctx, desired)
	if err != nil {
		fmt.Println(err)
		return
	}

	desired.Spec.Selectors = append(desired.Spec.Selectors, selector.Selector{Namespace: "cart"})
	var memory fargate.Memory
	for {
		out, err := reconciler.Step(ctx, desired, memory)
		if err != nil {
			fmt.Println(err)
			return
		}
		if out.Settled {
			fmt.Println("settled, under another name:", out.Profile != before.Spec.Name)
			return
		}
		if out.Reason == fargate.ReasonDrainNotConfirmed && len(desired.Drained) == 0 {
			fmt.Println("waiting until the pods have been moved, such as by restarting their deployments")
			desired.Drained = []string{out.Profile}
		}
		memory = out.Memory
		cloud.Advance(out.RequeueAfter)
	}
	// Output:
	// waiting until the pods have been moved, such as by restarting their deployments
	// settled, under another name: true
}

// What Cluster API made stays Cluster API's until the policy names its mark. First
// stop the tool that it is taken from: two owners would undo each other's work.
func ExampleReconciler_Run_takeOver() {
	ctx := context.Background()
	cloud := fake.New()
	const mark = "sigs.k8s.io/cluster-api-provider-aws/cluster/demo"
	_, _ = cloud.AddProfile(fake.Profile{Name: "shop", Tags: map[string]string{mark: "owned"}, Selectors: []fake.Selector{{Namespace: "shop"}}})
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud))

	desired := shop(cloud, "shop")
	_, err := reconciler.Run(ctx, desired)
	blocked, _ := errors.AsType[*lifecycle.BlockedError](err)
	fmt.Println(blocked.Outcome.Reason, blocked.Outcome.Owners)

	desired.Policy.TakeOverFrom = []string{mark}
	observed, err := reconciler.Run(ctx, desired)
	state, _ := fargate.OwnershipOf(observed, desired.Owner)
	fmt.Println(state, err)
	// Output:
	// Foreign [sigs.k8s.io/cluster-api-provider-aws/cluster/demo]
	// owned <nil>
}

// A plan is JSON: it can be reviewed and applied later, unless the cluster has
// changed meanwhile.
func ExampleReconciler_Apply() {
	ctx := context.Background()
	cloud := fake.New()
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud))

	plan, err := reconciler.PlanCluster(ctx, fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{shop(cloud, "shop-*")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.Text())
	stored, _ := json.Marshal(plan)

	var reviewed fargate.Plan
	_ = json.Unmarshal(stored, &reviewed)
	report, err := reconciler.Apply(ctx, reviewed)
	fmt.Println(len(report.Results), "done:", err)

	_, err = reconciler.Apply(ctx, reviewed)
	fmt.Println(err)
	// Output:
	// cluster demo: 1 to create
	//
	// + create shop (Absent)
	//     profile shop of cluster demo is not there: creating shop
	//
	//   wait shop (Creating)
	//     profile shop is CREATING: EKS takes seconds to minutes
	// 1 done: <nil>
	// lifecycle: the plan of cluster demo is stale: profile shop is new (plan again)
}

// Metrics come from hooks: calls by operation, decisions by reason. Whether an error
// passes by itself, and what it means, is said by its type.
func ExampleHooks() {
	cloud := fake.New()
	cloud.Deny("iam:PassRole")
	reconciler := lifecycle.New(cloud.EKS(), onFakeTime(cloud), func(o *lifecycle.Options) {
		o.Hooks.Call = func(_ context.Context, call lifecycle.CallInfo) {
			fmt.Println("call:", call.Operation, cmp.Or(lifecycle.Classify(call.Err).Kind, "ok"))
		}
		o.Hooks.Decision = func(_ context.Context, d fargate.Decision, _ time.Duration) {
			fmt.Println("decision:", d.Action, d.Reason)
		}
	})
	_, err := reconciler.Run(context.Background(), shop(cloud, "shop-*"))
	if refusal, ok := errors.AsType[*lifecycle.Error](err); ok {
		fmt.Println("retryable:", refusal.Retryable(), "denied:", refusal.Fault.Kind == lifecycle.FaultDenied, "action:", refusal.Fault.Action)
	}
	// Output:
	// call: DescribeFargateProfile ProfileNotFound
	// call: ListFargateProfiles ok
	// decision: create Absent
	// call: CreateFargateProfile Denied
	// decision: blocked AccessDenied
	// retryable: false denied: true action: iam:PassRole
}
