// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/selector"
)

// advancing moves the clock of the fake instead of sleeping.
func advancing(c *fake.Cloud) func(context.Context, time.Duration) error {
	return func(ctx context.Context, d time.Duration) error {
		c.Advance(d)
		return ctx.Err()
	}
}

// A role is made before the profile and goes after it.
func ExampleNew() {
	c := fake.New()
	roles := role.New(c.IAM(), func(o *role.Options) {
		o.Mode, o.Profiles, o.Now = iam.ModeEnsure, c.EKS(), c.Now
		o.Role.Owner = "platform/demo"
		o.Role.Scope = iam.Scope{Region: "us-east-1", Account: "111122223333"}
	})
	r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles, o.Now = roles, c.Now })
	desired := fargate.Desired{
		Spec:  fargate.Spec{ClusterName: "demo", Name: "web", Selectors: []selector.Selector{{Namespace: "web"}}},
		Owner: fargate.Owner{ID: "platform/demo/web"},
	}
	var mem fargate.Memory
	for range 4 {
		out, err := r.Step(context.Background(), desired, mem)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", out.Action, out.Reason)
		mem = out.Memory
		c.Advance(time.Minute)
	}
	// Output:
	// wait: RoleNotReady
	// wait: RoleNotReady
	// create: Absent
	// wait: Creating
}

func ExampleRoles_Ensure() {
	c := fake.New()
	roles := role.New(c.IAM(), func(o *role.Options) { o.Now, o.Sleep = c.Now, advancing(c) })
	out, err := roles.Ensure(context.Background(), iam.DesiredRole{
		Name: "fp-exec", Owner: "platform/demo",
		Scope: iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"},
	})
	fmt.Println(out.Reason, out.Observed.ARN, err)
	// Output: RoleReady arn:aws:iam::111122223333:role/fp-exec <nil>
}

func ExampleRoles_Delete() {
	c := fake.New()
	roles := role.New(c.IAM(), func(o *role.Options) { o.Now, o.Sleep, o.Profiles = c.Now, advancing(c), c.EKS() })
	out, err := roles.Delete(context.Background(), iam.DesiredRole{
		Name: fake.RoleName, Owner: "platform/demo",
		Scope: iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"},
	})
	fmt.Println(out.Reason, err)
	fmt.Println(out.Message)
	// Output:
	// RoleNotOurs <nil>
	// the role arn:aws:iam::111122223333:role/fargate-pods is unowned and is kept
}

func ExampleRoles_Verify() {
	c := fake.New()
	report, err := role.New(c.IAM()).Verify(context.Background(), iam.DesiredRole{
		ARN:   c.AddRole("bare", fake.PodTrust),
		Scope: iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"},
	})
	fmt.Println(report.Fit(), err)
	for _, f := range report.Shortcomings {
		fmt.Println(f.Reason)
		fmt.Println("fix:", f.Fix)
	}
	// Output:
	// false <nil>
	// ManagedPolicyMissing
	// fix: aws iam attach-role-policy --role-name bare --policy-arn arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy
}

func ExampleRoles_Step() {
	c := fake.New()
	roles := role.New(c.IAM(), func(o *role.Options) { o.Now = c.Now })
	desired := iam.DesiredRole{
		Mode: iam.ModeEnsure, Name: "fp-exec", Owner: "platform/demo",
		Scope: iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"},
	}
	var mem iam.RoleMemory
	for range 3 {
		out, err := roles.Step(context.Background(), desired, mem)
		fmt.Println(out.Action, out.Reason, err)
		mem = out.Memory
	}
	// Output:
	// create RoleMissing <nil>
	// update ManagedPolicyMissing <nil>
	// no-op RoleReady <nil>
}
