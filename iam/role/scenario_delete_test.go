// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/internal/owner"
)

const otherOwner = "somebody/else"

var otherMark = owner.Key(otherOwner)

// settled makes profiles with their roles.
func settled(t *testing.T, c *fake.Cloud, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := newReconciler(c).Run(within(t, time.Hour), desiredProfile(name)); err != nil {
			t.Fatalf("start: %v\n%s", err, journal(c))
		}
	}
	time.Sleep(time.Minute) // past the hidden update
}

func TestScenario_B56_TheRoleOutlivesTheLastProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "fp-a")
		r, mem := newReconciler(c), fargate.Memory{}
		for range 100 {
			out, err := r.StepDelete(t.Context(), desiredProfile("fp-a"), mem)
			if err != nil {
				t.Fatal(err)
			}
			roles, left := rolesOfOurs(t, c), profiles(t, c)
			if len(left) > 0 && len(roles) == 0 {
				t.Fatalf("%v exists without its role", left)
			}
			if out.Gone {
				if len(left)+len(roles) > 0 {
					t.Errorf("gone, with profiles %v and roles %v", left, roles)
				}
				return
			}
			mem = out.Memory
			time.Sleep(out.RequeueAfter)
		}
		t.Fatal("it is never gone")
	})
}

func TestScenario_B56_ARoleThatAnotherProfileUsesIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "fp-a", "fp-b")
		r := newReconciler(c)
		for i, name := range []string{"fp-a", "fp-b"} {
			if err := r.Delete(within(t, time.Hour), desiredProfile(name)); err != nil {
				t.Fatal(err)
			}
			if got := rolesOfOurs(t, c); len(got) != 1-i {
				t.Errorf("after %s is gone: roles %v", name, got)
			}
		}
	})
}

func TestScenario_B58_TheRoleOfAClusterThatIsGoneIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		if _, err := newRoles(c).Ensure(within(t, time.Hour), desiredRole()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.EKS().DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String(fake.ClusterName)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if err := newReconciler(c).Delete(within(t, time.Hour), desiredProfile("web")); err != nil {
			t.Fatalf("Delete() = %v\n%s", err, journal(c))
		}
		if got := rolesOfOurs(t, c); len(got) > 0 {
			t.Errorf("left: %v", got)
		}
	})
}

func TestScenario_B59_TheRoleComesFirstAndGoesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "fp-a")
		if err := newReconciler(c).Delete(within(t, time.Hour), desiredProfile("fp-a")); err != nil {
			t.Fatal(err)
		}
		var got []string
		for call := range c.Calls() {
			gone := call.Operation == "DescribeFargateProfile" && call.Code == "ResourceNotFoundException"
			if isWrite(call) && call.Code == "" || gone && slices.Contains(got, "DeleteFargateProfile") {
				got = append(got, call.Operation)
			}
		}
		want := []string{
			"CreateRole", "AttachRolePolicy", "CreateFargateProfile", "UntagResource", "DeleteFargateProfile", "DescribeFargateProfile",
			"TagRole", "DetachRolePolicy", "DeleteRole",
		}
		if diff := cmp.Diff(want, slices.Compact(withoutRepeats(got))); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

// withoutRepeats keeps the first of the looks for what is gone.
func withoutRepeats(ops []string) []string {
	seen := false
	return slices.DeleteFunc(ops, func(op string) bool {
		repeat := op == "DescribeFargateProfile" && seen
		seen = seen || op == "DescribeFargateProfile"
		return repeat
	})
}

func TestScenario_B59_AnExistingRoleWithoutOurMarkIsNotOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		// It appears between our look and our create.
		c.Before(2, func() { c.AddRole("fp-exec", fake.PodTrust) })
		out, err := newRoles(c).Step(t.Context(), desiredRole(named("fp-exec")), iam.RoleMemory{})
		if err != nil || out.Action != iam.RoleActionWait || out.Cause == nil {
			t.Fatalf("Step() = %+v, %v", out, err)
		}
		out, err = newRoles(c).Step(t.Context(), desiredRole(named("fp-exec")), out.Memory)
		if err != nil || out.Action != iam.RoleActionBlocked || out.Reason != iam.ReasonRoleUnfit {
			t.Errorf("Step() = %+v, %v", out, err)
		}
	})
}

func TestScenario_B61_TheRowThatEKSWritesIsTheOneThatWeKnow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		c.AddCluster(fake.Cluster{Name: fake.ClusterName, Subnets: fake.PrivateSubnetIDs(), AuthenticationMode: "CONFIG_MAP"})
		settled(t, c, "web")
		arn, err := iam.ParseRoleARN(c.RoleARN(desiredRole().RoleName()))
		if err != nil {
			t.Fatal(err)
		}
		m := iam.AuthMapping(arn)
		want := []fake.AuthRow{{RoleARN: m.RoleARN, Username: m.Username, Groups: m.Groups}}
		if diff := cmp.Diff(want, c.AWSAuth(fake.ClusterName)); diff != "" {
			t.Errorf("aws-auth (-want +got):\n%s", diff)
		}
	})
}

func TestScenario_B62_ARoleThatIsSharedWithNodesIsReported(t *testing.T) {
	c := fake.New(quick)
	addRole(t, c, "fp-exec", bothTrust, false, managed)
	report, err := newRoles(c).Verify(t.Context(), desiredRole(named("fp-exec")))
	if err != nil || !report.Fit() {
		t.Fatalf("Verify() = %+v, %v", report, err)
	}
	if !slices.ContainsFunc(report.Warnings, func(f iam.Finding) bool { return f.Reason == iam.ReasonSharedWithNodes && f.Fix != "" }) {
		t.Errorf("warnings = %+v", report.Warnings)
	}
}

func TestScenario_B62_ARoleThatNodesUseIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		addRole(t, c, "fp-exec", bothTrust, true, managed)
		must(t)(c.IAM().CreateInstanceProfile(t.Context(), &awsiam.CreateInstanceProfileInput{InstanceProfileName: aws.String("nodes")}))
		must(t)(c.IAM().AddRoleToInstanceProfile(t.Context(), &awsiam.AddRoleToInstanceProfileInput{InstanceProfileName: aws.String("nodes"), RoleName: aws.String("fp-exec")}))
		deletesNothing(t, c)
	})
}

// Somebody let others use a role of ours: it outlives our profiles, and the
// decision says who they are.
func TestARoleThatSomebodyElseUsesIsKept(t *testing.T) {
	for name, principal := range map[string]string{
		"a service":  `"Service":"lambda.amazonaws.com"`,
		"an account": `"AWS":"arn:aws:iam::444455556666:root"`,
		"a provider": `"Federated":"arn:aws:iam::111122223333:saml-provider/people"`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settled(t, c, "fp-a")
				ours := desiredRole().RoleName()
				trust := iam.TrustPolicy(demo())
				theirs, err := iam.ParseDocument(`{"Statement":{"Effect":"Allow","Principal":{` + principal + `},"Action":"sts:AssumeRole"}}`)
				if err != nil {
					t.Fatal(err)
				}
				putTrust(t, c, ours, iam.Merge(trust, theirs).String())
				var decided []iam.RoleDecision
				r := newReconciler(c, func(o *role.Options) {
					o.Hooks.Decision = func(_ context.Context, _ iam.DesiredRole, d iam.RoleDecision) { decided = append(decided, d) }
				})
				if err := r.Delete(within(t, time.Hour), desiredProfile("fp-a")); err != nil {
					t.Fatal(err)
				}
				if o := observe(t, c, ours); o == nil || !slices.Contains(o.policies, managed) || o.tags()[iam.DeletingTag] != "" {
					t.Errorf("the role is %+v", o)
				}
				last := decided[len(decided)-1]
				_, who, _ := strings.Cut(principal, `:"`)
				if last.Reason != iam.ReasonRoleShared || !strings.Contains(last.Message, strings.Trim(who, `"`)) {
					t.Errorf("%s: %s", last.Reason, last.Message)
				}
			})
		})
	}
}

func TestScenario_B77_AFailedDeletionKeepsTheRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "fp-a")
		c.Inject(fake.Fault{Operation: "DeleteFargateProfile", Outcome: fake.FailAfter(3*time.Second, "InternalFailure", "try again")})
		c.ForgetCalls()
		if err := newReconciler(c).Delete(within(t, time.Hour), desiredProfile("fp-a")); err != nil {
			t.Fatal(err)
		}
		touched := false
		for call := range c.Calls() {
			touched = touched || call.Service == "IAM"
			if call.Operation == "DescribeFargateProfile" && call.Code == "" && touched {
				t.Errorf("the role was looked at while there was the profile\n%s", journal(c))
				break
			}
		}
		if got := c.CallCount("DeleteFargateProfile"); got != 2 {
			t.Errorf("%d deletes, want 2", got)
		}
		if got := rolesOfOurs(t, c); len(got) > 0 {
			t.Errorf("left: %v", got)
		}
	})
}
