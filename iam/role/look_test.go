// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam/role"
)

var _ lifecycle.RoleLooker = (*role.Roles)(nil)

// Look says what Prepare would say, at each step of the way, and writes nothing.
func TestLookSaysWhatPrepareWouldSay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		r, d := newRoles(c), desiredProfile("web")
		for step := 1; step <= 20; step++ {
			c.ForgetCalls()
			looked, err := newRoles(c).Look(t.Context(), d, "web")
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(operations(c), func(op string) bool {
				return !strings.HasPrefix(op, "Get") && !strings.HasPrefix(op, "List")
			}); i >= 0 {
				t.Fatalf("Look() called %v", operations(c))
			}
			prepared, err := r.Prepare(t.Context(), d, "web")
			if err != nil {
				t.Fatal(err)
			}
			if looked.Wait != prepared.Wait || looked.Message != prepared.Message || looked.ARN != prepared.ARN || looked.Trust != prepared.Trust {
				t.Errorf("step %d: Look() = %+v, and Prepare() = %+v", step, looked, prepared)
			}
			if !prepared.Wait {
				if step == 1 || prepared.Trust != fargate.TrustGiven {
					t.Errorf("step %d: Prepare() = %+v", step, prepared)
				}
				return
			}
			time.Sleep(prepared.RequeueAfter)
		}
		t.Error("the role is never settled")
	})
}

// A plan knows what the roles will say, so that it is blocked where the steps
// would be, and only there.
func TestAPlanLooksAtTheRoles(t *testing.T) {
	untrusting := strings.Replace(fake.PodTrust, "eks-fargate-pods", "ec2", 1)
	brought := func(d fargate.Desired, c *fake.Cloud, name string) fargate.Desired {
		d.Spec.PodExecutionRoleARN = c.RoleARN(name)
		return d
	}
	tests := map[string]struct {
		desired func(*fake.Cloud) fargate.Desired
		mode    func(*role.Options)
		want    []fargate.Reason
	}{
		"a role that is made on the way": {
			func(*fake.Cloud) fargate.Desired { return desiredProfile("new") }, func(*role.Options) {},
			[]fargate.Reason{fargate.ReasonRoleNotReady, fargate.ReasonAbsent, fargate.ReasonCreating},
		},
		"a role that is fit": {
			func(c *fake.Cloud) fargate.Desired { return brought(desiredProfile("new"), c, fake.RoleName) }, verifying,
			[]fargate.Reason{fargate.ReasonAbsent, fargate.ReasonCreating},
		},
		"a role that does not trust EKS": {
			func(c *fake.Cloud) fargate.Desired { return brought(desiredProfile("new"), c, "ec2") }, verifying,
			[]fargate.Reason{fargate.ReasonRoleNotTrusted},
		},
		"another role that is fit, for a profile that is deleted first": {
			func(c *fake.Cloud) fargate.Desired {
				d := brought(desiredProfile("old"), c, "other")
				d.Policy.Replacement = fargate.ReplacementDeleteFirst
				return d
			}, verifying,
			[]fargate.Reason{fargate.ReasonDeletingFirst, fargate.ReasonDeleting, fargate.ReasonAbsent, fargate.ReasonCreating},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				for name, trust := range map[string]string{fake.RoleName: fake.PodTrust, "other": fake.PodTrust, "ec2": untrusting} {
					addRole(t, c, name, trust, false, managed)
				}
				if _, err := lifecycle.New(c.EKS()).Run(t.Context(), brought(desiredProfile("old"), c, fake.RoleName)); err != nil {
					t.Fatal(err)
				}
				plan, err := newReconciler(c, tt.mode).PlanCluster(t.Context(), fargate.ClusterInput{Cluster: fake.ClusterName, Desired: []fargate.Desired{tt.desired(c)}})
				if err != nil {
					t.Fatal(err)
				}
				var got []fargate.Reason
				for _, s := range plan.Steps {
					got = append(got, s.Reason)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("the plan is %v, want %v\n%s", got, tt.want, plan.Text())
				}
			})
		})
	}
}
