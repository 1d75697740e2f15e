// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// exampleDesired is a profile for the pods of the namespace web.
func exampleDesired() fargate.Desired {
	return fargate.Desired{
		Spec: fargate.Spec{
			ClusterName: "demo", Name: "web", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
			Selectors: []selector.Selector{{Namespace: "web"}},
		},
		Owner: fargate.Owner{ID: "platform/default/web"},
	}
}

// exampleObserved is that profile after it was made.
func exampleObserved() fargate.Observed {
	made := fargate.Decide(fargate.Input{Desired: exampleDesired()}).Call
	delete(made.Spec.Tags, "eksfargate.io/peer") // the mark of a new one
	return fargate.Observed{Spec: *made.Spec, ARN: "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/1", Status: fargate.StatusActive}
}

func ExampleDecide() {
	d := fargate.Decide(fargate.Input{Desired: exampleDesired(), Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Message)
	fmt.Println(d.Call.Operation, d.Call.Spec.Name, d.Call.Spec.Selectors[0].Namespace)
	fmt.Println("look again in", d.RequeueAfter)
	// Output:
	// create Absent
	// profile web of cluster demo is not there: creating web
	// CreateFargateProfile web web
	// look again in 5s
}

// A selector cannot change. With create-first, a successor is made beside the
// profile; the first step marks the profile with its name.
func ExampleDecide_createFirst() {
	desired, observed := exampleDesired(), exampleObserved()
	desired.Spec.Selectors = append(desired.Spec.Selectors, selector.Selector{Namespace: "api"})
	desired.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
	d := fargate.Decide(fargate.Input{Desired: desired, Observed: &observed})
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Message)
	fmt.Println(d.Call.Operation, d.Call.SetTags["eksfargate.io/peer"])
	for _, w := range d.Warnings {
		fmt.Println(w.Code)
	}
	// Output:
	// replace NamingSuccessor
	// replacing profile web by web-999-nanzqupz (selectors +api): marking it first
	// TagResource web-999-nanzqupz
	// PodsEnd
	// NewPodsStayOnPredecessor
	// TrustNamesProfile
}

// The zero policy replaces nothing.
func ExampleDecide_blocked() {
	desired, observed := exampleDesired(), exampleObserved()
	desired.Spec.Selectors[0].Namespace = "api"
	d := fargate.Decide(fargate.Input{Desired: desired, Observed: &observed})
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Message)
	for _, c := range d.Conditions(3) {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	// Output:
	// blocked ReplacementForbidden
	// profile web differs in what cannot change (selectors +api -web): restore the desired state, or allow a replacement by policy.replacement
	// Ready False ReplacementForbidden
	// Reconciling False Settled
	// Stalled True ReplacementForbidden
	// Degraded False Healthy
	// Drifted True Differs
}

func ExampleBackoff() {
	for failures := range 5 {
		fmt.Println(fargate.Backoff(failures+1, time.Second, 8*time.Second))
	}
	// Output:
	// 1s
	// 2s
	// 4s
	// 8s
	// 8s
}

func ExampleOwnershipOf() {
	observed := exampleObserved()
	ours, _ := fargate.OwnershipOf(observed, fargate.Owner{ID: "platform/default/web"})
	theirs, others := fargate.OwnershipOf(observed, fargate.Owner{ID: "platform/default/api"})
	fmt.Println(ours)
	fmt.Println(theirs, others)
	// Output:
	// owned
	// foreign [platform/default/web]
}

func ExampleDesired_Claims() {
	fmt.Println(exampleDesired().Claims(exampleObserved()))
	// Output:
	// true
}

func ExampleDecision_AwaitRole() {
	gone := fargate.Decide(fargate.Input{Desired: exampleDesired(), Absent: true})
	d, pending := gone.AwaitRole(fargate.Role{Wait: true, Message: "role fp-exec is marked, to be deleted in the next step"})
	fmt.Println(gone.Action, gone.Reason)
	fmt.Println(d.Action, d.Reason, pending)
	// Output:
	// no-op Gone
	// wait RoleNotReady true
}

// A caller who keeps a copy of the profile can follow a tag call without another look.
func ExampleCall_TagsAfter() {
	call := fargate.Call{SetTags: map[string]string{"team": "shop"}, RemoveTags: []string{"env"}}
	fmt.Println(call.TagsAfter(map[string]string{"env": "dev", "team": "web"}))
	// Output: map[team:shop]
}
