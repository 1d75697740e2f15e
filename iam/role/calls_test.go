// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// TestCallsOfASettledRole pins what it costs to look at a role: each case has only
// the calls that its decision needs.
func TestCallsOfASettledRole(t *testing.T) {
	given := func(d *fargate.Desired) {
		d.Spec.PodExecutionRoleARN = "arn:aws:iam::111122223333:role/" + fake.RoleName
	}
	tests := map[string]struct {
		options func(*role.Options)
		profile func(*fargate.Desired)
		want    []string
	}{
		"brought along":             {func(o *role.Options) { o.Mode = "" }, given, nil},
		"brought along, ensuring":   {func(*role.Options) {}, given, nil},
		"verified":                  {verifying, given, []string{"GetRole", "ListAttachedRolePolicies"}},
		"verified though ensuring":  {func(o *role.Options) { o.VerifyGiven = true }, given, []string{"GetRole", "ListAttachedRolePolicies"}},
		"ours":                      {func(*role.Options) {}, func(*fargate.Desired) {}, []string{"GetRole", "ListAttachedRolePolicies"}},
		"ours with inline policies": {withInline, func(*fargate.Desired) {}, []string{"GetRole", "ListAttachedRolePolicies", "ListRolePolicies", "GetRolePolicy"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New()
				must(t)(c.IAM().AttachRolePolicy(t.Context(), &awsiam.AttachRolePolicyInput{RoleName: new(fake.RoleName), PolicyArn: new(managed)}))
				d := desiredProfile("web")
				tt.profile(&d)
				settle(t, newRoles(c, tt.options), d)
				c.ForgetCalls()
				got, err := newRoles(c, tt.options).Prepare(t.Context(), d, "web")
				if err != nil || got.Wait || got.Blocked || got.ARN == "" {
					t.Errorf("Prepare() = %+v, %v", got, err)
				}
				if diff := cmp.Diff(tt.want, operations(c)); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// withInline wants an inline policy.
func withInline(o *role.Options) {
	document, err := iam.ParseDocument(logging)
	if err != nil {
		panic(err)
	}
	o.Role.InlinePolicies = map[string]iam.Document{"logging": document}
}

// settle prepares a role until nothing is left to do.
func settle(t *testing.T, r *role.Roles, d fargate.Desired) {
	t.Helper()
	for range 20 {
		got, err := r.Prepare(t.Context(), d, d.Spec.Name)
		if err != nil || got.Blocked {
			t.Fatalf("Prepare() = %+v, %v", got, err)
		}
		if !got.Wait {
			return
		}
		time.Sleep(got.RequeueAfter)
	}
	t.Fatal("the role is never settled")
}

// TestANoOpStepOfAProfile: with its role taken care of, a profile that is settled
// still costs one call.
func TestANoOpStepOfAProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "web")
		c.ForgetCalls()
		out, err := newReconciler(c).Step(t.Context(), desiredProfile("web"), fargate.Memory{})
		if err != nil || !out.Settled {
			t.Fatalf("Step() = %+v, %v", out, err)
		}
		if diff := cmp.Diff([]string{"DescribeFargateProfile"}, operations(c)); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

func TestWithoutAnyRightInIAMABroughtRoleWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		// All but what EKS itself needs of the caller.
		for _, op := range append(reads(), writes()...) {
			c.Inject(fake.Fault{Operation: op, Deny: "iam:*", Count: -1})
		}
		d := desiredProfile("web")
		d.Spec.PodExecutionRoleARN = c.RoleARN(fake.RoleName)
		r := newReconciler(c)
		if _, err := r.Run(within(t, time.Hour), d); err != nil {
			t.Fatal(err)
		}
		if err := r.Delete(within(t, time.Hour), d); err != nil {
			t.Fatal(err)
		}
		for call := range c.Calls() {
			if call.Service == "IAM" {
				t.Errorf("%s was called", call.Operation)
			}
		}
	})
}

// reads and writes are the operations of IAM that this package calls.
func reads() []string {
	return []string{"GetRole", "ListAttachedRolePolicies", "ListRolePolicies", "GetRolePolicy", "ListInstanceProfilesForRole"}
}

func writes() []string {
	return []string{
		"CreateRole", "UpdateRole", "UpdateAssumeRolePolicy", "AttachRolePolicy", "PutRolePolicy", "PutRolePermissionsBoundary",
		"TagRole", "UntagRole", "DetachRolePolicy", "DeleteRolePolicy", "RemoveRoleFromInstanceProfile", "DeleteRole",
	}
}

func TestAListOfOneByOneIsReadToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.Quotas.PoliciesPerRole = 20 })
		var policies []string
		for _, name := range []string{"a", "b", "c", "d"} {
			policies = append(policies, addPolicy(t, c, name))
		}
		r := newRoles(c)
		d := desiredRole(func(d *iam.DesiredRole) { d.ManagedPolicies = policies })
		if _, err := r.Ensure(within(t, time.Minute), d); err != nil {
			t.Fatal(err)
		}
		if n := c.CallCount("AttachRolePolicy"); n != 5 {
			t.Errorf("%d policies were attached, want each once", n)
		}
		out, err := r.Delete(within(t, time.Minute), d)
		if err != nil || !out.Gone {
			t.Errorf("Delete() = %+v, %v", out, err)
		}
	})
}

func TestTheUserOnTheLastPageCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		for _, name := range []string{"a", "b", "c"} {
			d := desiredProfile(name)
			d.Spec.PodExecutionRoleARN = c.RoleARN(fake.RoleName)
			if _, err := newReconciler(c).Run(within(t, time.Hour), d); err != nil {
				t.Fatal(err)
			}
		}
		settled(t, c, "z")
		out, err := newRoles(c).Delete(within(t, time.Minute), desiredRole())
		if err != nil || out.Reason != iam.ReasonRoleInUse || !strings.Contains(out.Message, "z") {
			t.Errorf("Delete() = %+v, %v", out, err)
		}
	})
}

func TestInvalidInputCallsNothing(t *testing.T) {
	c := fake.New()
	r := newRoles(c)
	bad := desiredRole(func(d *iam.DesiredRole) { d.Owner, d.MaxSession = "", time.Minute })
	_, stepped := r.Step(t.Context(), bad, iam.RoleMemory{})
	_, ensured := r.Ensure(t.Context(), bad)
	_, verified := r.Verify(t.Context(), bad)
	for name, err := range map[string]error{"Step": stepped, "Ensure": ensured, "Verify": verified} {
		failed, ok := errors.AsType[*role.Error](err)
		if _, named := errors.AsType[*iam.RoleError](err); !ok || !named || failed.Retryable() || failed.Role == "" || failed.Cluster != fake.ClusterName {
			t.Errorf("%s() = %v", name, err)
		}
	}
	if got := operations(c); len(got) > 0 {
		t.Errorf("calls: %v", got)
	}
}

func TestHooksAndLogAreToldOfEachCall(t *testing.T) {
	c := fake.New()
	var calls []string
	var decisions []iam.RoleAction
	r := newRoles(c, func(o *role.Options) {
		o.Hooks.Call = func(_ context.Context, i role.CallInfo) { calls = append(calls, i.Operation+" "+i.Role+" "+i.Cluster) }
		o.Hooks.Decision = func(_ context.Context, _ iam.DesiredRole, d iam.RoleDecision) {
			decisions = append(decisions, d.Action)
		}
	})
	if _, err := r.Step(t.Context(), desiredRole(named("fp-exec")), iam.RoleMemory{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"GetRole fp-exec demo", "CreateRole fp-exec demo"}; !slices.Equal(calls, want) {
		t.Errorf("calls = %v, want %v", calls, want)
	}
	if !slices.Equal(decisions, []iam.RoleAction{iam.RoleActionCreate}) {
		t.Errorf("decisions = %v", decisions)
	}
}
