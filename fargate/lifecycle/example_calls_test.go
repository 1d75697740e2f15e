// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// instant is a fake AWS that needs hardly any time, so that the examples end at
// once. In your program a *eks.Client stands in its place.
func instant() *fake.Cloud {
	soon := fake.Fixed(time.Millisecond)
	return fake.New(func(o *fake.Options) {
		o.Delays = fake.Delays{CreateFirst: soon, Create: soon, Busy: fake.Fixed(0), Delete: soon}
	})
}

// webProfile is what the examples want.
func webProfile(c *fake.Cloud) fargate.Desired {
	return fargate.Desired{
		Spec: fargate.Spec{
			ClusterName: "demo", Name: "web", PodExecutionRoleARN: c.RoleARN(fake.RoleName),
			Selectors: []selector.Selector{{Namespace: "web"}},
		},
		Owner: fargate.Owner{ID: "platform/prod/web"},
	}
}

// often looks often, for a fake that needs hardly any time.
func often(o *lifecycle.Options) { o.Poll = time.Millisecond }

// A finalizer stays until the outcome says Gone.
func ExampleReconciler_StepDelete() {
	ctx, cloud := context.Background(), instant()
	r := lifecycle.New(cloud.EKS(), often)
	desired := webProfile(cloud)
	if _, err := r.Run(ctx, desired); err != nil {
		fmt.Println(err)
		return
	}
	var memory fargate.Memory
	for {
		out, err := r.StepDelete(ctx, desired, memory)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(out.Action, out.Reason, out.Gone)
		if memory = out.Memory; out.Gone {
			return
		}
		cloud.Advance(out.RequeueAfter) // a controller returns, and is called again
	}
	// Output:
	// delete Undesired false
	// no-op Gone true
}

func ExampleReconciler_Delete() {
	ctx, cloud := context.Background(), instant()
	r := lifecycle.New(cloud.EKS(), often)
	if _, err := r.Run(ctx, webProfile(cloud)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Delete(ctx, webProfile(cloud)))
	// Output: <nil>
}

// Profiles of one cluster come one after the other, clusters side by side.
func ExampleReconciler_RunAll() {
	ctx, cloud := context.Background(), instant()
	web, api := webProfile(cloud), webProfile(cloud)
	api.Spec.Name, api.Spec.Subnets = "api", []string{fake.PublicSubnetID}
	report, err := lifecycle.New(cloud.EKS(), often).RunAll(ctx, []fargate.Desired{web, api})
	for _, x := range report.Results {
		fmt.Println(x.Cluster, x.Profile, x.Err == nil)
	}
	fmt.Println(lifecycle.Classify(err).Subnet)
	// Output:
	// demo api false
	// demo web true
	// subnet-0000000000000000d
}

func ExampleReconciler_Teardown() {
	ctx, cloud := context.Background(), instant()
	r := lifecycle.New(cloud.EKS(), often)
	mine, theirs := webProfile(cloud), webProfile(cloud)
	theirs.Spec.Name, theirs.Owner.ID = "theirs", "somebody/else"
	if _, err := r.RunAll(ctx, []fargate.Desired{mine, theirs}); err != nil {
		fmt.Println(err)
		return
	}
	report, err := r.Teardown(ctx, "demo", mine.Owner, fargate.Policy{})
	fmt.Println(len(report.Results), report.Results[0].Profile, err)
	// Output: 1 web <nil>
}

// What would happen, and why, without doing it.
func ExampleReconciler_Preview() {
	cloud := fake.New()
	d, err := lifecycle.New(cloud.EKS()).Preview(context.Background(), webProfile(cloud), fargate.Memory{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Call.Operation, d.Call.Profile)
	// Output:
	// create Absent
	// CreateFargateProfile web
}

// A plan is made, shown to somebody, and carried out if the cluster is still as it
// was.
func ExampleReconciler_PlanCluster() {
	ctx, cloud := context.Background(), instant()
	r := lifecycle.New(cloud.EKS(), often)
	web := webProfile(cloud)
	plan, err := r.PlanCluster(ctx, fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{web}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range plan.Steps {
		fmt.Println(s.ID, s.Action, s.Profile)
	}
	if _, err := r.Apply(ctx, plan); err != nil {
		fmt.Println(err)
		return
	}
	_, err = r.Apply(ctx, plan)
	if stale, ok := errors.AsType[*lifecycle.StalePlanError](err); ok {
		fmt.Println(stale)
	}
	// Output:
	// 1 create web
	// 2 wait web
	// lifecycle: the plan of cluster demo is stale: profile web is new (plan again)
}

// An error says what it means, whatever its Go type.
func ExampleClassify() {
	text := "Cannot create Fargate Profile web because cluster demo currently has Fargate profile api in status CREATING"
	f := lifecycle.Classify(&types.ResourceInUseException{Message: &text})
	fmt.Println(f.Kind, f.Peer, f.PeerStatus, f.Retry())
	// Output: PeerBusy api CREATING later
}

func ExampleNew() {
	cloud := fake.New()
	// cloud.EKS() has the methods of *eks.Client, which goes into its place.
	r := lifecycle.New(cloud.EKS(), func(o *lifecycle.Options) {
		o.Limits.Profiles = 10
		o.Progress = func(_ context.Context, p lifecycle.Progress) { fmt.Println(p.Profile, p.Outcome.Reason) }
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := r.Run(ctx, webProfile(cloud))
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// web Absent
	// true
}
