// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/selector"
)

// nodeTrust lets EC2 assume the role, and nobody else.
var nodeTrust = strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods.", "ec2.")

// bothTrust lets EC2 and Fargate.
var bothTrust = strings.ReplaceAll(fake.PodTrust, `"eks-fargate-pods.amazonaws.com"`, `["ec2.amazonaws.com","eks-fargate-pods.amazonaws.com"]`)

func verifying(o *role.Options) { o.Mode = iam.ModeVerify }

func TestScenario_B39_ARoleThatEKSDoesNotSeeYetIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.Delays.RoleTrust = fake.Fixed(30 * time.Second) })
		if _, err := newReconciler(c).Run(within(t, 5*time.Minute), desiredProfile("web")); err != nil {
			t.Fatalf("Run() = %v\n%s", err, journal(c))
		}
		refused := 0
		for call := range c.Calls() {
			if strings.Contains(call.Message, "Misconfigured PodExecutionRole Trust Policy") {
				refused++
			}
		}
		if refused == 0 || refused > 5 {
			t.Errorf("EKS refused the role %d times, want a few", refused)
		}
	})
}

func TestScenario_B39_ATrustPolicyThatIsWrongFailsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		addRole(t, c, "fp-exec", nodeTrust, false, managed)
		d := desiredProfile("web")
		d.Spec.PodExecutionRoleARN = c.RoleARN("fp-exec")
		c.ForgetCalls()
		_, err := newReconciler(c, verifying).Run(t.Context(), d)
		blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
		if !ok || blocked.Outcome.Reason != fargate.ReasonRoleNotTrusted {
			t.Fatalf("Run() = %v", err)
		}
		for _, want := range []string{string(iam.ReasonPrincipalMissing), iam.ServicePrincipal} {
			if !strings.Contains(blocked.Outcome.Message, want) {
				t.Errorf("the message does not say %s: %s", want, blocked.Outcome.Message)
			}
		}
		if n := c.CallCount("CreateFargateProfile"); n > 0 {
			t.Errorf("EKS was asked %d times", n)
		}
	})
}

func TestScenario_B41_ANewRoleIsRestrictedToTheProfilesOfTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		out, err := newRoles(c).Ensure(within(t, time.Minute), desiredRole())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := out.Observed.Trust.String(), iam.TrustPolicy(demo()).String(); got != want {
			t.Errorf("trust policy = %s, want %s", got, want)
		}
	})
}

// deletesNothing deletes the profile web whose role is fp-exec.
func deletesNothing(t *testing.T, c *fake.Cloud) {
	t.Helper()
	c.ForgetCalls()
	r := newReconciler(c, func(o *role.Options) { o.Role.Name = "fp-exec" })
	if err := r.Delete(within(t, time.Hour), desiredProfile("web")); err != nil {
		t.Fatalf("Delete() = %v", err)
	}
	if got := iamWrites(c); len(got) > 0 {
		t.Errorf("writes: %v", got)
	}
}

func TestScenario_B43_ARoleThatIsNotOursIsNotDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		policies := []string{addPolicy(t, c, "custom"), managed}
		addRole(t, c, "fp-exec", fake.PodTrust, false, policies...)
		deletesNothing(t, c)
		if o := observe(t, c, "fp-exec"); o == nil || !slices.Equal(o.policies, policies) {
			t.Errorf("the role is %+v", o)
		}
	})
}

func TestScenario_B43_ARoleWithTheMarkOfAnotherIsNotDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		addRole(t, c, "fp-exec", fake.PodTrust, true, managed)
		tag(t, c, "fp-exec", otherMark, otherOwner)
		deletesNothing(t, c)
	})
}

func TestScenario_B44_ARoleThatIsNotOursIsOnlyRead(t *testing.T) {
	for name, tt := range map[string]struct {
		policies []string
		reason   iam.Reason
	}{
		"fit":              {[]string{managed, "logs"}, iam.ReasonRoleNotOurs},
		"without a policy": {[]string{"logs"}, iam.ReasonRoleUnfit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				for i, p := range tt.policies {
					if p == "logs" {
						tt.policies[i] = addPolicy(t, c, p)
					}
				}
				addRole(t, c, "fp-exec", fake.PodTrust, false, tt.policies...)
				c.ForgetCalls()
				out, err := newRoles(c).Step(t.Context(), desiredRole(named("fp-exec")), iam.RoleMemory{})
				if err != nil || out.Reason != tt.reason {
					t.Errorf("Step() = %+v, %v; want reason %s", out, err, tt.reason)
				}
				if blocked := out.Action == iam.RoleActionBlocked; blocked != strings.Contains(out.Message, managed) {
					t.Errorf("blocked: %v, by: %s", blocked, out.Message)
				}
				if got := iamWrites(c); len(got) > 0 {
					t.Errorf("writes: %v", got)
				}
			})
		})
	}
}

func TestScenario_B44_WhatOthersAddedToOurRoleStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		logs := addPolicy(t, c, "logs")
		addRole(t, c, "fp-exec", nodeTrust, true, logs)
		tag(t, c, "fp-exec", "team", "x")
		putInline(t, c, "fp-exec", "logging")
		out, err := newRoles(c).Ensure(within(t, time.Minute), desiredRole(named("fp-exec")))
		if err != nil {
			t.Fatal(err)
		}
		o := observe(t, c, "fp-exec")
		if !slices.Equal(o.policies, []string{logs, managed}) || o.tags()["team"] != "x" || !slices.Equal(o.inline, []string{"logging"}) {
			t.Errorf("the role is %+v", o)
		}
		if got := out.Observed.Trust.Statements; len(got) != 2 || !slices.Equal(got[0].Principal.ByType["Service"], []string{"ec2.amazonaws.com"}) {
			t.Errorf("trust policy = %s", out.Observed.Trust)
		}
	})
}

func TestScenario_B45_RolesOfDifferentProfilesNeverCollide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		perProfile := func(o *role.Options) { o.PerProfile = true }
		all := []fargate.Desired{desiredProfile("b-c"), desiredProfile("c")}
		for i, cluster := range []string{"a", "a-b"} {
			c.AddCluster(fake.Cluster{Name: cluster, Subnets: fake.PrivateSubnetIDs()})
			all[i].Spec.ClusterName = cluster
			if _, err := newReconciler(c, perProfile).Run(within(t, time.Hour), all[i]); err != nil {
				t.Fatal(err)
			}
		}
		before := rolesOfOurs(t, c)
		if len(before) != 2 {
			t.Fatalf("roles = %v, want two", before)
		}
		if err := newReconciler(c, perProfile).Delete(within(t, time.Hour), all[0]); err != nil {
			t.Fatal(err)
		}
		left := rolesOfOurs(t, c)
		out, err := c.EKS().DescribeFargateProfile(t.Context(), &eks.DescribeFargateProfileInput{ClusterName: aws.String("a-b"), FargateProfileName: aws.String("c")})
		if err != nil || len(left) != 1 || *out.FargateProfile.PodExecutionRoleArn != c.RoleARN(left[0]) {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}

func TestScenario_B47_InlinePoliciesOfOthersStopTheDeletionUnlessForced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		addRole(t, c, "fp-exec", fake.PodTrust, true, managed, addPolicy(t, c, "a"), addPolicy(t, c, "b"))
		tag(t, c, "fp-exec", "team", "x")
		for _, p := range []string{"logs", "metrics"} {
			putInline(t, c, "fp-exec", p)
		}
		d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Scope.Unconditional = true })
		c.ForgetCalls()
		_, err := newRoles(c).Delete(within(t, time.Minute), d)
		blocked, ok := errors.AsType[*role.BlockedError](err)
		if !ok || blocked.Outcome.Reason != iam.ReasonForeignPolicies || !strings.Contains(blocked.Outcome.Message, "logs, metrics") {
			t.Fatalf("Delete() = %v", err)
		}
		if got := iamWrites(c); len(got) > 0 {
			t.Errorf("writes: %v", got)
		}
		d.Force = true
		out, err := newRoles(c).Delete(within(t, time.Minute), d)
		if err != nil || !out.Gone || observe(t, c, "fp-exec") != nil {
			t.Fatalf("forced: %+v, %v", out, err)
		}
		want := []string{"TagRole", "DetachRolePolicy", "DetachRolePolicy", "DetachRolePolicy", "DeleteRolePolicy", "DeleteRolePolicy", "DeleteRole"}
		if diff := cmp.Diff(want, iamWrites(c)); diff != "" {
			t.Errorf("writes (-want +got):\n%s", diff)
		}
	})
}

func TestScenario_B48_NoRoleAtAllIsSaidAndNotDereferenced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles = role.New(c.IAM()) })
		_, err := r.Run(t.Context(), desiredProfile("web"))
		if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); !ok || blocked.Outcome.Reason != fargate.ReasonInvalidDesired {
			t.Errorf("Run() = %v", err)
		}
		if got := iamWrites(c); len(got) > 0 {
			t.Errorf("writes: %v", got)
		}
	})
}

func TestScenario_B50_LongNamesGiveALegalRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		cluster := strings.Repeat("c", 100)
		c.AddCluster(fake.Cluster{Name: cluster, Subnets: fake.PrivateSubnetIDs()})
		d := desiredProfile(strings.Repeat("p", 100))
		d.Spec.ClusterName, d.Spec.Selectors = cluster, []selector.Selector{{Namespace: "web"}}
		if _, err := newReconciler(c, func(o *role.Options) { o.PerProfile = true }).Run(within(t, time.Hour), d); err != nil {
			t.Fatal(err)
		}
		if got := rolesOfOurs(t, c); len(got) != 1 || len(got[0]) != iam.MaxRoleName {
			t.Errorf("roles = %v", got)
		}
	})
}

func TestScenario_B52_EveryPartitionGetsItsOwnPolicy(t *testing.T) {
	for region, partition := range map[string]string{"cn-northwest-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "eusc-de-east-1": "aws-eusc"} {
		t.Run(region, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick, func(o *fake.Options) { o.Region = region })
				r := newReconciler(c, func(o *role.Options) { o.Role.Scope.Region = region })
				if _, err := r.Run(within(t, time.Hour), desiredProfile("web")); err != nil {
					t.Fatal(err)
				}
				want := []string{"arn:" + partition + ":iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"}
				if o := observe(t, c, rolesOfOurs(t, c)[0]); !slices.Equal(o.policies, want) {
					t.Errorf("policies = %v, want %v", o.policies, want)
				}
			})
		})
	}
}

func TestScenario_B54_ARoleWithAPathKeepsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.AcceptRolePaths = true })
		c.AddCluster(fake.Cluster{Name: fake.ClusterName, Subnets: fake.PrivateSubnetIDs(), AuthenticationMode: "CONFIG_MAP"})
		r := newReconciler(c, func(o *role.Options) { o.Role.Name, o.Role.Path, o.Role.AuthConfigMap = "fp-exec", "/teams/net/", true })
		d := desiredProfile("web")
		made, err := r.Run(within(t, time.Hour), d)
		if err != nil {
			t.Fatal(err)
		}
		if want := "arn:aws:iam::111122223333:role/teams/net/fp-exec"; made.Spec.PodExecutionRoleARN != want {
			t.Errorf("role = %s, want %s", made.Spec.PodExecutionRoleARN, want)
		}
		report, err := newRoles(c).Verify(t.Context(), desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Path, d.AuthConfigMap = "/teams/net/", true }))
		if err != nil || !report.Fit() || len(report.Warnings) != 1 || report.Warnings[0].Reason != iam.ReasonPathNotInAuth {
			t.Errorf("Verify() = %+v, %v", report.Review, err)
		}
		if err := r.Delete(within(t, time.Hour), d); err != nil || len(rolesOfOurs(t, c)) > 0 {
			t.Errorf("Delete() = %v", err)
		}
	})
}

func TestScenario_B55_AMissingRightIsNamed(t *testing.T) {
	for action, read := range map[string]bool{"iam:GetRole": true, "iam:CreateRole": false, "iam:AttachRolePolicy": false, "iam:PassRole": false} {
		t.Run(action, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				c.Deny(action)
				_, err := newReconciler(c).Run(within(t, time.Hour), desiredProfile("web"))
				if err == nil || !strings.Contains(err.Error(), "allow the caller "+action) {
					t.Errorf("Run() = %v", err)
				}
				if fault := lifecycle.Classify(err); read && (fault.Kind != lifecycle.FaultDenied || fault.Action != action) {
					t.Errorf("the fault is %+v", fault)
				}
				if _, blocked := errors.AsType[*lifecycle.BlockedError](err); blocked == read {
					t.Errorf("blocked is %v: %v", blocked, err)
				}
			})
		})
	}
}

// A read that is denied is no absence: it neither makes a role nor takes one for
// gone.
func TestScenario_B86_ADeniedReadChangesNothing(t *testing.T) {
	for _, action := range []string{"iam:GetRole", "iam:ListAttachedRolePolicies", "iam:ListRolePolicies", "iam:ListInstanceProfilesForRole", "eks:ListFargateProfiles"} {
		t.Run(action, func(t *testing.T) {
			c := fake.New()
			addRole(t, c, "fp-exec", fake.PodTrust, true, managed)
			c.ForgetCalls()
			c.Deny(action)
			for _, mode := range []iam.Mode{iam.ModeEnsure, iam.ModeDelete, iam.ModeVerify} {
				d := desiredRole(func(d *iam.DesiredRole) { d.Mode, d.ARN, d.Scope.Unconditional = mode, c.RoleARN("fp-exec"), true })
				out, err := newRoles(c).Step(t.Context(), d, iam.RoleMemory{})
				failed, denied := errors.AsType[*role.Error](err)
				needed := mode == iam.ModeDelete || action == "iam:GetRole" || action == "iam:ListAttachedRolePolicies"
				if denied != needed || denied && (failed.Retryable() || out.Gone || out.Settled || out.Call != nil) {
					t.Errorf("%s: Step() = %+v, %v", mode, out, err)
				}
			}
			if got := iamWrites(c); len(got) > 0 {
				t.Errorf("writes: %v", got)
			}
		})
	}
}
