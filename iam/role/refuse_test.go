// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// TestWhatARefusalMeans: what another writer may have caused is looked at again, a
// refused write that somebody must see to blocks, and the rest is an error: also a
// read that is denied, for it says nothing about the role.
func TestWhatARefusalMeans(t *testing.T) {
	ensure := desiredRole(named("fp-exec"))
	gone := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Mode = iam.ModeDelete })
	tests := map[string]struct {
		desired   iam.DesiredRole
		fault     fake.Fault
		reason    iam.Reason // "" means an error
		retryable bool
		says      string
	}{
		"somebody else made it":      {ensure, fake.Fault{Operation: "CreateRole", Code: "EntityAlreadyExists", Message: "Role with name fp-exec already exists."}, role.ReasonLookAgain, true, "already exists"},
		"two changes at once":        {ensure, fake.Fault{Operation: "CreateRole", Code: "ConcurrentModification"}, role.ReasonLookAgain, true, "same moment"},
		"no boundary of that name":   {withBoundary(ensure), fake.Fault{Operation: "none"}, role.ReasonPolicyNotFound, false, "policy/none"},
		"a boundary of no name":      {withBoundary(ensure), fake.Fault{Operation: "CreateRole", Code: "NoSuchEntity", Message: "It cannot be found."}, role.ReasonPolicyNotFound, false, "cannot be found"},
		"nothing that is missing":    {ensure, fake.Fault{Operation: "CreateRole", Code: "NoSuchEntity", Message: "It cannot be found."}, role.ReasonLookAgain, true, "not there any more"},
		"too many roles":             {ensure, fake.Fault{Operation: "CreateRole", Code: "LimitExceeded", Message: "Cannot exceed quota for RolesPerAccount: 1000"}, role.ReasonQuotaExceeded, false, "raised"},
		"not allowed to create":      {ensure, fake.Fault{Deny: "iam:CreateRole"}, role.ReasonAccessDenied, false, "iam:CreateRole on arn:aws:iam::111122223333:role/fp-exec"},
		"not allowed to read":        {ensure, fake.Fault{Deny: "iam:GetRole"}, "", false, "allow the caller iam:GetRole"},
		"malformed":                  {ensure, fake.Fault{Operation: "CreateRole", Code: "MalformedPolicyDocument", Message: "Syntax errors in policy."}, role.ReasonRejected, false, "Syntax errors"},
		"throttled":                  {ensure, fake.Throttle("GetRole", 1), "", true, "GetRole"},
		"a failure of IAM":           {ensure, fake.Fault{Operation: "CreateRole", Code: "ServiceFailure", Status: 500}, "", true, "CreateRole"},
		"an error that nobody knows": {ensure, fake.Fault{Operation: "CreateRole", Code: "Odd", Status: 400}, "", false, "Odd"},
		"a lost reply":               {ensure, fake.Fault{Operation: "CreateRole", LoseReply: true}, "", true, "CreateRole"},
		"the users can't be listed":  {gone, fake.Fault{Deny: "eks:ListFargateProfiles"}, "", false, "allow the caller eks:ListFargateProfiles"},
		"the list of users fails":    {gone, fake.Fault{Operation: "ListFargateProfiles", Code: "ServerException", Status: 500}, "", true, "ListFargateProfiles"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			if tt.desired.Mode == iam.ModeDelete {
				addRole(t, c, "fp-exec", fake.PodTrust, true)
			}
			c.Inject(tt.fault)
			mem := iam.RoleMemory{RoleID: "AROAEXAMPLE"}
			out, err := newRoles(c).Step(t.Context(), tt.desired, mem)
			if out.Memory != mem {
				t.Errorf("the memory changed to %+v, and nothing was done", out.Memory)
			}
			if (err == nil) != (tt.reason != "") || tt.reason != "" && out.Reason != tt.reason {
				t.Fatalf("Step() = %+v, %v", out.RoleDecision, err)
			}
			failed, ok := errors.AsType[*role.Error](errors.Join(err, out.Cause))
			if !ok || failed.Role != "fp-exec" || out.Settled || out.Call != nil && err == nil {
				t.Errorf("Step() = %+v, %v", out, err)
			}
			waits := out.Action == iam.RoleActionWait || err != nil && failed.Retryable()
			if text := out.Message + failed.Error(); waits != tt.retryable || !strings.Contains(text, tt.says) {
				t.Errorf("waits: %v, says: %s", waits, text)
			}
		})
	}
}

func withBoundary(d iam.DesiredRole) iam.DesiredRole {
	d.PermissionsBoundary = "arn:aws:iam::111122223333:policy/none"
	return d
}

func TestAManagedPolicyThatDoesNotExistBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		d := desiredRole(func(d *iam.DesiredRole) { d.ManagedPolicies = []string{"arn:aws:iam::111122223333:policy/none"} })
		_, err := newRoles(c).Ensure(within(t, time.Hour), d)
		if blocked, ok := errors.AsType[*role.BlockedError](err); !ok || blocked.Outcome.Reason != role.ReasonPolicyNotFound || blocked.Unwrap() == nil {
			t.Errorf("Ensure() = %v", err)
		}
	})
}

func TestSomethingIsAttachedBetweenTheLookAndTheDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		addRole(t, c, "fp-exec", fake.PodTrust, true)
		tag(t, c, "fp-exec", iam.DeletingTag, c.Now().Add(-time.Minute).Format(time.RFC3339))
		d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Scope.Unconditional = true })
		// GetRole, ListFargateProfiles, GetRole and three lists come before the delete.
		c.Before(7, func() { must(t)(c.IAM().AttachRolePolicy(t.Context(), attachInput())) })
		out, err := newRoles(c).Delete(within(t, time.Minute), d)
		if err != nil || !out.Gone {
			t.Fatalf("Delete() = %+v, %v", out, err)
		}
		conflicts := 0
		for call := range c.Calls() {
			if call.Code == "DeleteConflict" {
				conflicts++
			}
		}
		if conflicts != 1 {
			t.Errorf("%d conflicts, want the one that was made\n%s", conflicts, journal(c))
		}
	})
}

func attachInput() *awsiam.AttachRolePolicyInput {
	return &awsiam.AttachRolePolicyInput{RoleName: new("fp-exec"), PolicyArn: new(managed)}
}

func TestEnsureGivesUpWhenIAMContradictsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		c.Inject(fake.Fault{Operation: "CreateRole", Code: "EntityAlreadyExists", Message: "Role with name fp-exec already exists.", Count: -1})
		start := time.Now()
		_, err := newRoles(c).Ensure(within(t, time.Hour), desiredRole(named("fp-exec")))
		blocked, ok := errors.AsType[*role.BlockedError](err)
		if took := time.Since(start); !ok || blocked.Outcome.Reason != role.ReasonLookAgain || took < 2*time.Minute || took > 3*time.Minute {
			t.Errorf("after %v: Ensure() = %v", took, err)
		}
	})
}

func TestEnsureEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		c.Inject(fake.Throttle("GetRole", -1))
		_, err := newRoles(c).Ensure(within(t, 10*time.Second), desiredRole())
		incomplete, ok := errors.AsType[*role.IncompleteError](err)
		if !ok || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(incomplete.Error(), "call again") {
			t.Errorf("Ensure() = %v", err)
		}
		if _, ok := errors.AsType[*role.Error](err); !ok {
			t.Errorf("Ensure() = %v, without what IAM said last", err)
		}
	})
}

func TestEnsureWaitsUntilEKSSeesTheRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		start := time.Now()
		for range 2 {
			out, err := newRoles(c).Ensure(within(t, time.Minute), desiredRole())
			if err != nil || !out.Settled || out.Observed == nil {
				t.Fatalf("Ensure() = %+v, %v", out, err)
			}
		}
		took := time.Since(start)
		if took < 10*time.Second || took > 12*time.Second {
			t.Errorf("it took %v; want ten seconds for a new role and none for an old one", took)
		}
	})
}

func TestARoleThatIAMDoesNotShowYetIsNeitherMadeTwiceNorBelievedGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick, func(o *fake.Options) { o.Delays.RoleRead = fake.Fixed(4 * time.Second) })
		r := newRoles(c)
		d := desiredProfile("web")
		if got, err := r.Prepare(t.Context(), d, "web"); err != nil || !got.Wait {
			t.Fatalf("Prepare() = %+v, %v", got, err)
		}
		if got, err := r.Retire(t.Context(), d); err != nil || !got.Wait {
			t.Errorf("Retire() of a role made just now = %+v, %v", got, err)
		}
		settle(t, r, d)
		if n := c.CallCount("CreateRole"); n != 1 {
			t.Errorf("%d creates, want 1", n)
		}
	})
}

func TestARoleThatWasMadeAgainIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		out, err := newRoles(c).Ensure(within(t, time.Minute), desiredRole())
		if err != nil || out.Memory.RoleID == "" {
			t.Fatalf("Ensure() = %+v, %v", out, err)
		}
		addRole(t, c, desiredRole().RoleName(), fake.PodTrust, true, managed)
		d := desiredRole(func(d *iam.DesiredRole) { d.Scope.Unconditional = true })
		out, err = newRoles(c).Step(t.Context(), d, out.Memory)
		if err != nil || len(out.Review.Warnings) != 1 || out.Review.Warnings[0].Reason != iam.ReasonRoleRecreated {
			t.Errorf("Step() = %+v, %v", out, err)
		}
	})
}

func TestTheUsersAreLookedForWhereTheClusterIs(t *testing.T) {
	c := fake.New()
	addRole(t, c, "fp-exec", fake.PodTrust, true)
	d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Mode = iam.ModeDelete })
	elsewhere := newRoles(c, func(o *role.Options) { o.Profiles = sdkClient(c, "us-west-2") })
	if _, err := elsewhere.Step(t.Context(), d, iam.RoleMemory{}); err == nil || !strings.Contains(err.Error(), "us-west-2") {
		t.Errorf("in another region: Step() = %v", err)
	}
	nowhere := newRoles(c, func(o *role.Options) { o.Profiles = nil })
	if out, err := nowhere.Step(t.Context(), d, iam.RoleMemory{}); err != nil || out.Action != iam.RoleActionBlocked || out.Reason != iam.ReasonUsersUnknown {
		t.Errorf("without Profiles: Step() = %+v, %v", out, err)
	}
	if got := iamWrites(c)[1:]; len(got) > 0 {
		t.Errorf("writes: %v", got)
	}
}

func TestPrepareWithoutTheRightToReadLeavesItToEKS(t *testing.T) {
	c := fake.New()
	c.Deny("iam:GetRole")
	d := desiredProfile("web")
	d.Spec.PodExecutionRoleARN = c.RoleARN(fake.RoleName)
	got, err := newRoles(c, verifying).Prepare(t.Context(), d, "web")
	if err != nil || got.Blocked || got.Wait || got.Trust != fargate.TrustUnknown || got.ARN != d.Spec.PodExecutionRoleARN || !strings.Contains(got.Message, "iam:GetRole") {
		t.Errorf("Prepare() = %+v, %v", got, err)
	}
}

func TestARoleThatVanishesBeforeAWriteIsLookedAtAgain(t *testing.T) {
	c := fake.New()
	addRole(t, c, "fp-exec", fake.PodTrust, true)
	// GetRole and a list come before the policy is attached.
	c.Before(3, func() { must(t)(c.IAM().DeleteRole(t.Context(), &awsiam.DeleteRoleInput{RoleName: new("fp-exec")})) })
	out, err := newRoles(c).Step(t.Context(), desiredRole(named("fp-exec")), iam.RoleMemory{})
	if err != nil || out.Action != iam.RoleActionWait || out.Reason != role.ReasonLookAgain {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}

func TestARoleThatVanishesWhileItIsReadIsLookedAtAgain(t *testing.T) {
	c := fake.New()
	addRole(t, c, "fp-exec", fake.PodTrust, true)
	c.Before(2, func() { must(t)(c.IAM().DeleteRole(t.Context(), &awsiam.DeleteRoleInput{RoleName: new("fp-exec")})) })
	out, err := newRoles(c).Step(t.Context(), desiredRole(named("fp-exec")), iam.RoleMemory{})
	if err != nil || out.Action != iam.RoleActionWait || out.Reason != role.ReasonLookAgain {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}

func TestAProfileThatVanishesIsNoUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "web")
		c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Code: "ResourceNotFoundException", Message: "No Fargate Profile found with name: web."})
		d := desiredRole(func(d *iam.DesiredRole) { d.Mode = iam.ModeDelete })
		out, err := newRoles(c).Step(t.Context(), d, iam.RoleMemory{})
		if err != nil || out.Reason != iam.ReasonDeletionAnnounced {
			t.Errorf("Step() = %+v, %v", out, err)
		}
	})
}

// A profile that can't be read may use the role.
func TestAProfileThatCannotBeReadKeepsTheRole(t *testing.T) {
	for _, code := range []string{"AccessDeniedException", "ServerException", "ResourceInUseException"} {
		synctest.Test(t, func(t *testing.T) {
			c := fake.New(quick)
			settled(t, c, "web")
			addRole(t, c, "fp-exec", fake.PodTrust, true, managed)
			c.ForgetCalls()
			c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Code: code, Message: "no", Count: -1})
			d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Mode, d.Scope.Unconditional = iam.ModeDelete, true })
			out, err := newRoles(c).Step(t.Context(), d, iam.RoleMemory{})
			if failed, ok := errors.AsType[*role.Error](err); !ok || failed.Op != "DescribeFargateProfile" || out.Settled || out.Gone || len(iamWrites(c)) > 0 {
				t.Errorf("%s: Step() = %+v, %v", code, out, err)
			}
		})
	}
}

// A call that the end of the context cut off is no failure of AWS.
func TestEnsureEndsWithItsContextInACall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	roles := newRoles(fake.New(), func(o *role.Options) {
		o.Rate = rate.NewLimiter(rate.Every(time.Hour), 1)
		o.Hooks.Call = func(context.Context, role.CallInfo) { cancel() }
	})
	_, err := roles.Ensure(ctx, desiredRole())
	if _, ok := errors.AsType[*role.IncompleteError](err); !ok || !errors.Is(err, context.Canceled) {
		t.Errorf("Ensure() = %v", err)
	}
}

// garbled answers with an inline policy that nobody can read.
type garbled struct{ *fake.IAM }

func (g garbled) GetRolePolicy(ctx context.Context, in *awsiam.GetRolePolicyInput, optFns ...func(*awsiam.Options)) (*awsiam.GetRolePolicyOutput, error) {
	out, err := g.IAM.GetRolePolicy(ctx, in, optFns...)
	if err == nil {
		out.PolicyDocument = new("%7B%")
	}
	return out, err
}

func TestAnInlinePolicyThatCannotBeReadIsWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		d := desiredRole(func(d *iam.DesiredRole) {
			d.InlinePolicies = map[string]iam.Document{"logging": iam.ControllerPolicy(iam.ControllerConfig{Scope: demo()})}
		})
		if _, err := newRoles(c).Ensure(within(t, time.Minute), d); err != nil {
			t.Fatal(err)
		}
		out, err := role.New(garbled{c.IAM()}, ensuring(c)).Step(t.Context(), d, iam.RoleMemory{})
		if err != nil || out.Call == nil || out.Call.Operation != iam.OpPutRolePolicy || out.Reason != iam.ReasonInlinePolicyMissing {
			t.Errorf("Step() = %+v, %v", out, err)
		}
	})
}

func TestAProfileOfAnotherRegionTellsThatTheClientIsWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "web")
		addRole(t, c, "fp-exec", fake.PodTrust, true)
		d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Scope.Region = "eu-west-1" })
		_, err := newRoles(c).Delete(t.Context(), d)
		if failed, ok := errors.AsType[*role.Error](err); !ok || failed.Retryable() || !strings.Contains(err.Error(), "region us-east-1") {
			t.Errorf("Delete() = %v", err)
		}
	})
}

func TestErrorsSayWhatIsToBeDone(t *testing.T) {
	c := fake.New()
	c.Deny("iam:CreateRole")
	_, err := newRoles(c).Ensure(t.Context(), desiredRole(named("fp-exec")))
	want := "role: role fp-exec of cluster demo is blocked (AccessDenied): AWS refused it: CreateRole: " +
		"User: arn:aws:iam::111122223333:user/fake is not authorized to perform: iam:CreateRole on resource: arn:aws:iam::111122223333:role/fp-exec " +
		"(allow the caller iam:CreateRole on arn:aws:iam::111122223333:role/fp-exec)"
	if err == nil || err.Error() != want {
		t.Errorf("Ensure() = %v, want %s", err, want)
	}
	_, err = newRoles(c, func(o *role.Options) { o.Role.Owner = "" }).Prepare(t.Context(), desiredProfile("web"), "web")
	if err == nil || !strings.Contains(err.Error(), "for profile web of cluster demo") || !strings.Contains(err.Error(), "Owner") {
		t.Errorf("Prepare() = %v", err)
	}
}
