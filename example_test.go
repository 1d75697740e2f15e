// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package eksfargate_test

import (
	"context"
	"fmt"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// The tour: a profile is validated, created, matched against a pod, changed in
// place, refused a change that would replace it, and deleted. The fake stands for
// AWS; a real *eks.Client goes into its place as it is. The loop turns the fake's
// clock where a controller would come back after RequeueAfter.
func Example() {
	ctx := context.Background()
	cloud := fake.New()
	reconciler := lifecycle.New(cloud.EKS(), func(o *lifecycle.Options) { o.Now = cloud.Now })
	desired := fargate.Desired{
		Spec: fargate.Spec{
			ClusterName:         "demo",
			Name:                "web",
			PodExecutionRoleARN: cloud.RoleARN(fake.RoleName),
			Selectors:           []selector.Selector{{Namespace: "web-*", Labels: map[string]string{"tier": "front"}}},
		},
		Owner: fargate.Owner{ID: "platform/prod/web"},
	}

	settle := func(step func(context.Context, fargate.Desired, fargate.Memory) (lifecycle.Outcome, error)) {
		var memory fargate.Memory
		for {
			out, err := step(ctx, desired, memory)
			if err != nil {
				fmt.Println(err)
				return
			}
			if len(out.Events) > 0 {
				fmt.Printf("%s: %s\n", out.Action, out.Reason)
			}
			if out.Settled || out.Gone || out.Action == fargate.ActionBlocked {
				return
			}
			memory = out.Memory
			cloud.Advance(out.RequeueAfter)
		}
	}

	settle(reconciler.Step)

	matcher, err := selector.Compile(selector.Profile{Name: "web", Selectors: desired.Spec.Selectors})
	if err != nil {
		fmt.Println(err)
		return
	}
	pod := selector.Pod{Namespace: "web-shop", Name: "cart", Labels: map[string]string{"tier": "front"}}
	fmt.Println("cart runs on:", matcher.Match(pod).Profile)

	desired.Spec.Tags = map[string]string{"team": "shop"}
	settle(reconciler.Step)

	desired.Spec.Selectors[0].Namespace = "shop"
	settle(reconciler.Step)

	settle(reconciler.StepDelete)
	// Output:
	// create: Absent
	// wait: Creating
	// update-tags: Confirming
	// cart runs on: web
	// update-tags: TagsDiffer
	// no-op: InSync
	// blocked: ReplacementForbidden
	// wait: ClusterBusy
	// delete: Undesired
	// wait: Deleting
	// no-op: Gone
}
