// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/iam"
)

func TestScenario_B39_ATrustPolicyThatIsReallyWrongNamesThePrincipalItLacks(t *testing.T) {
	trust := `{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}`
	got := decide(desired(toVerify), observed(unowned, trusting(trust)))
	if got.Action != iam.RoleActionBlocked || !strings.Contains(got.Message, iam.ServicePrincipal) {
		t.Errorf("%s: %s, want blocked and the expected principal", got.Action, got.Message)
	}
}

func TestScenario_B43_ARoleThatIsNotOursIsNeitherDeletedNorDetached(t *testing.T) {
	o := observed(unowned, func(o *iam.ObservedRole) { o.AttachedPolicies = []string{managed, logs} })
	got := decide(desired(mode(iam.ModeDelete)), o)
	if got.Action != iam.RoleActionNoOp || got.Call != nil || got.Gone {
		t.Errorf("%s with call %v, want the role kept", got.Action, got.Call)
	}
}

func TestScenario_B44_ARoleThatIsNotOursIsOnlyReported(t *testing.T) {
	good := observed(unowned, func(o *iam.ObservedRole) { o.AttachedPolicies = []string{managed, logs} })
	if got := decide(desired(), good); got.Action != iam.RoleActionNoOp || got.Call != nil {
		t.Errorf("%s with call %v, want no call", got.Action, got.Call)
	}
	got := decide(desired(), observed(unowned, bare))
	if got.Action != iam.RoleActionBlocked || got.Call != nil || !strings.Contains(got.Message, "not ours") || !strings.Contains(got.Message, managed) {
		t.Errorf("%s: %s, want blocked for the missing policy", got.Action, got.Message)
	}
}

func TestScenario_B47_ForeignInlinePoliciesStopTheDeletionUnlessForced(t *testing.T) {
	remove := desired(mode(iam.ModeDelete))
	full := func() *iam.ObservedRole {
		return observed(func(o *iam.ObservedRole) {
			o.InlinePolicies = []string{"logs", "audit"}
			o.InstanceProfiles = []string{"left-over"}
		})
	}
	got := decide(remove, full())
	if got.Action != iam.RoleActionBlocked || got.Reason != iam.ReasonForeignPolicies || !strings.Contains(got.Message, "audit, logs") {
		t.Errorf("%s: %s, want blocked with both names", got.Reason, got.Message)
	}
	remove.Force = true
	a := &account{role: full()}
	calls := runRole(t, a, remove, nil)
	want := []string{
		"TagRole fp-exec", "DetachRolePolicy fp-exec " + managed, "DeleteRolePolicy fp-exec audit", "DeleteRolePolicy fp-exec logs",
		"RemoveRoleFromInstanceProfile fp-exec left-over", "DeleteRole fp-exec",
	}
	if !slices.Equal(calls, want) || a.role != nil {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
}

func TestScenario_B48_NoRoleIsAnErrorAndNoPanic(t *testing.T) {
	got := iam.DecideRole(iam.RoleInput{})
	if got.Action != iam.RoleActionBlocked || !strings.Contains(got.Message, "no role") {
		t.Errorf("%s: %s, want blocked for no role", got.Action, got.Message)
	}
}

func TestScenario_B56_TheRoleGoesAfterItsLastProfile(t *testing.T) {
	remove := desired(mode(iam.ModeDelete))
	for _, users := range [][]string{{"fp-a"}, {"fp-b"}, {"fp-a", "fp-b"}} {
		if got := decide(remove, observed(marked(time.Hour)), users...); got.Call != nil {
			t.Errorf("used by %v, and yet %s", users, got.Call)
		}
	}
	if got := decide(remove, observed(marked(time.Hour))); got.Call == nil || got.Call.Operation != iam.OpDetachRolePolicy {
		t.Errorf("used by nobody, and yet %s: %s", got.Action, got.Message)
	}
}

func TestScenario_B58_ARoleIsFoundByItsTagWhenClusterAndProfileAreGone(t *testing.T) {
	a := &account{role: observed()}
	runRole(t, a, desired(mode(iam.ModeDelete)), nil)
	if a.role != nil {
		t.Error("the role is left behind")
	}
}

func TestScenario_B59_ARoleOfThatNameIsNotOursWithoutTheMark(t *testing.T) {
	a := &account{role: observed(unowned)}
	if calls := runRole(t, a, desired(), nil); len(calls) > 0 {
		t.Errorf("calls on a role that is not ours: %v", calls)
	}
}

// runRole decides and applies until nothing is left to do, without any memory
// between the steps, and returns the calls.
func runRole(t interface{ Fatalf(string, ...any) }, a *account, d iam.DesiredRole, users []string) []string {
	var calls []string
	at := now
	for range 200 {
		in := iam.RoleInput{Desired: d, Observed: a.role, Users: iam.RoleUsers{Known: true, Profiles: users}, Now: at}
		got := iam.DecideRole(in)
		switch {
		case got.Action == iam.RoleActionWait:
			at = at.Add(max(got.RequeueAfter, time.Second))
		case got.Call == nil:
			return calls
		case !a.apply(*got.Call):
			t.Fatalf("IAM refuses %+v", *got.Call)
		default:
			calls = append(calls, got.Call.String())
		}
	}
	t.Fatalf("not settled after 200 steps: %v", calls)
	return calls
}
