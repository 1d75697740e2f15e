// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/owner"
)

func decide(d iam.DesiredRole, o *iam.ObservedRole, users ...string) iam.RoleDecision {
	return iam.DecideRole(iam.RoleInput{Desired: d, Observed: o, Users: iam.RoleUsers{Known: true, Profiles: users}, Now: now})
}

func TestDecideRole_TheCallHasAllInputs(t *testing.T) {
	full := desired(func(d *iam.DesiredRole) {
		d.Path, d.Description, d.PermissionsBoundary, d.MaxSession = "/teams/", "pods", boundary, 2*time.Hour
		d.Tags = map[string]string{"team": "net"}
	})
	trust := iam.TrustPolicy(demo()).String()
	tests := map[string]struct {
		desired  iam.DesiredRole
		observed *iam.ObservedRole
		want     iam.Call
	}{
		"create": {full, nil, iam.Call{
			Operation: iam.OpCreateRole, RoleName: "fp-exec", Path: "/teams/", Document: trust, Description: "pods",
			PermissionsBoundary: boundary, MaxSession: 2 * time.Hour,
			Tags: map[string]string{"team": "net", owner.Key(me): me, owner.TagsKey: claims("team")[owner.TagsKey]},
		}},
		"create with the name of the cluster's role": {desired(func(d *iam.DesiredRole) { d.Name = "" }), nil, iam.Call{
			Operation: iam.OpCreateRole, Path: "/", Document: trust, Tags: map[string]string{owner.Key(me): me},
			RoleName: iam.RoleName(iam.RoleIdentity{Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "demo"}),
		}},
		"create with the name of the ARN": {desired(func(d *iam.DesiredRole) { d.ARN, d.Name = "arn:aws:iam::111122223333:role/a/b", "" }), nil, iam.Call{
			Operation: iam.OpCreateRole, RoleName: "b", Path: "/a/", Document: trust, Tags: map[string]string{owner.Key(me): me},
		}},
		"a trust policy keeps what is in it": {desired(), observed(trusting(`{"Statement":{"Sid":"Theirs","Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole","X":1}}`)), iam.Call{
			Operation: iam.OpUpdateAssumeRolePolicy, RoleName: "fp-exec",
			Document: `{"Statement":[{"Sid":"Theirs","Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole","X":1},` +
				strings.TrimPrefix(trust, `{"Version":"2012-10-17","Statement":[`),
		}},
		"settings: the session that is not given stays": {
			desired(func(d *iam.DesiredRole) { d.Description = "pods" }),
			observed(func(o *iam.ObservedRole) { o.MaxSession = 3 * time.Hour }),
			iam.Call{Operation: iam.OpUpdateRole, RoleName: "fp-exec", Description: "pods", MaxSession: 3 * time.Hour},
		},
		"settings: the description that is not given stays": {
			desired(func(d *iam.DesiredRole) { d.MaxSession = 2 * time.Hour }),
			observed(func(o *iam.ObservedRole) { o.Description = "theirs" }),
			iam.Call{Operation: iam.OpUpdateRole, RoleName: "fp-exec", Description: "theirs", MaxSession: 2 * time.Hour},
		},
		"tags": {
			desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"Team": "net"} }), observed(tagged("team", "x")),
			iam.Call{Operation: iam.OpTagRole, RoleName: "fp-exec", Tags: map[string]string{"team": "net", owner.TagsKey: claims("team")[owner.TagsKey]}},
		},
		"the mark of the deletion": {desired(mode(iam.ModeDelete)), observed(), iam.Call{
			Operation: iam.OpTagRole, RoleName: "fp-exec", Tags: map[string]string{iam.DeletingTag: "2026-11-30T12:00:00Z"},
		}},
		"the mark removed": {desired(), observed(marked(0)), iam.Call{Operation: iam.OpUntagRole, RoleName: "fp-exec", TagKeys: []string{iam.DeletingTag}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := decide(tc.desired, tc.observed)
			if got.Call == nil {
				t.Fatalf("no call: %s: %s", got.Reason, got.Message)
			}
			if diff := cmp.Diff(tc.want, *got.Call); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecideRole_OneChangeAtATimeInThisOrder(t *testing.T) {
	d := desired(func(d *iam.DesiredRole) {
		d.ManagedPolicies = []string{logs}
		d.InlinePolicies = map[string]iam.Document{"b": {}, "a": {}}
		d.PermissionsBoundary, d.Description, d.Tags = boundary, "pods", map[string]string{"team": "net"}
	})
	a := &account{role: observed(marked(time.Hour), bare, trusting(`{}`), tagged("old", "x"), tagged(owner.TagsKey, claims("old")[owner.TagsKey]),
		func(o *iam.ObservedRole) { o.InlineDocuments = map[string]iam.Document{} })}
	want := []string{
		"UntagRole fp-exec",
		"UpdateAssumeRolePolicy fp-exec",
		"AttachRolePolicy fp-exec " + managed,
		"AttachRolePolicy fp-exec " + logs,
		"PutRolePolicy fp-exec a",
		"PutRolePolicy fp-exec b",
		"PutRolePermissionsBoundary fp-exec",
		"UpdateRole fp-exec",
		"UntagRole fp-exec",
		"TagRole fp-exec",
	}
	if diff := cmp.Diff(want, runRole(t, a, d, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.role.Tags["old"] != "" || a.role.Tags["team"] != "net" || a.role.Tags[owner.Key(me)] != me {
		t.Errorf("tags at the end: %v", a.role.Tags)
	}
}

func TestDecideRole_ReportsShortcomingsWithTheirFix(t *testing.T) {
	d := desired(toVerify, func(d *iam.DesiredRole) {
		d.ManagedPolicies = []string{logs}
		d.PermissionsBoundary = boundary
		d.InlinePolicies = map[string]iam.Document{"metrics": {Version: iam.VersionCurrent}}
		d.AuthConfigMap = true
		d.ARN = "arn:aws:iam::111122223333:role/teams/fp-exec"
	})
	o := observed(unowned, bare, trusting(`{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}`),
		func(o *iam.ObservedRole) { o.ARN = d.ARN })
	got := decide(d, o)
	want := iam.Review{
		Shortcomings: []iam.Finding{
			{
				Reason:  iam.ReasonTrustRefuses,
				Message: "the statement trusts ec2.amazonaws.com, not eks-fargate-pods.amazonaws.com",
				Fix: `add to the trust policy: {"Sid":"EKSFargatePods","Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole",` +
					`"Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"},"StringEquals":{"aws:SourceAccount":"111122223333"}}}`,
			},
			{iam.ReasonManagedPolicyMissing, "the managed policy " + managed + " is not attached", "aws iam attach-role-policy --role-name fp-exec --policy-arn " + managed},
			{iam.ReasonManagedPolicyMissing, "the managed policy " + logs + " is not attached", "aws iam attach-role-policy --role-name fp-exec --policy-arn " + logs},
			{
				iam.ReasonInlinePolicyMissing, "the inline policy metrics is absent or differs",
				`aws iam put-role-policy --role-name fp-exec --policy-name metrics --policy-document '{"Version":"2012-10-17"}'`,
			},
			{
				iam.ReasonBoundaryDrift, "the permissions boundary is absent, want " + boundary,
				"aws iam put-role-permissions-boundary --role-name fp-exec --permissions-boundary " + boundary,
			},
		},
		Warnings: []iam.Finding{
			{
				iam.ReasonPathNotInAuth, "the role has the path /teams/, which the authenticator does not see",
				"map arn:aws:iam::111122223333:role/fp-exec in aws-auth, or use access entries",
			},
			{
				iam.ReasonSharedWithNodes, "the role also trusts EC2: EKS documents that Fargate must not share a role with nodes, for changing one side breaks the other",
				"use a role of its own for Fargate",
			},
		},
	}
	if diff := cmp.Diff(want, got.Review); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range got.Review.Shortcomings {
		if !strings.Contains(got.Message, f.Message) || !strings.Contains(got.Message, f.Fix) {
			t.Errorf("the message leaves out %s: %s", f.Reason, got.Message)
		}
	}
}

func TestDecideRole_ReviewsTheARNThatIsBrought(t *testing.T) {
	d := iam.DesiredRole{ARN: "arn:aws-cn:iam::444455556666:role/p/x", Scope: demo(), AuthConfigMap: true}
	got := decide(d, nil)
	if diff := cmp.Diff([]iam.Reason{iam.ReasonOtherAccount, iam.ReasonWrongPartition}, reasons(got.Review.Shortcomings)); diff != "" {
		t.Errorf("shortcomings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]iam.Reason{iam.ReasonPathNotInAuth}, reasons(got.Review.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestDecideRole_WarnsOfWhatItCannotChange(t *testing.T) {
	tests := map[string]struct {
		desired  iam.DesiredRole
		observed *iam.ObservedRole
		want     iam.Reason
		message  string
	}{
		"the path": {
			desired(func(d *iam.DesiredRole) { d.Path = "/teams/" }), observed(), iam.ReasonPathDrift,
			"the role has the path /, want /teams/; the path of a role can't be changed",
		},
		"a trust policy that can't be told": {
			desired(), observed(func(o *iam.ObservedRole) {
				o.Trust = mustParse(t, `{"Statement":[{"Effect":"Deny","Principal":"*","Action":"*","Condition":{"StringEquals":{"aws:SourceOrgID":"o"}}},`+
					strings.TrimPrefix(o.Trust.String(), `{"Version":"2012-10-17","Statement":[`))
			}), iam.ReasonTrustUndecidable,
			"whether EKS may assume the role can't be told: the statement may deny it: whether EKS passes aws:SourceOrgID, and with which value, is not known",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := decide(tc.desired, tc.observed)
			if got.Action != iam.RoleActionNoOp || len(got.Review.Warnings) == 0 {
				t.Fatalf("%s with %d warnings, want a no-op with one", got.Action, len(got.Review.Warnings))
			}
			if f := got.Review.Warnings[0]; f.Reason != tc.want || f.Message != tc.message || f.Fix == "" {
				t.Errorf("got %+v, want %s: %s", f, tc.want, tc.message)
			}
		})
	}
}

func TestDecideRole_ARoleThatWasMadeAgainIsReported(t *testing.T) {
	other := func(o *iam.ObservedRole) { o.ID = "AROAEXAMPLE2" }
	used := iam.RoleUsers{Known: true, Profiles: []string{"fp-a"}}
	tests := map[string]struct {
		mode     iam.Mode
		observed *iam.ObservedRole
		users    iam.RoleUsers
		memory   string
		warns    bool
		want     string
	}{
		"the first look":                      {iam.ModeEnsure, observed(), used, "", false, roleID},
		"the same role":                       {iam.ModeEnsure, observed(), used, roleID, false, roleID},
		"another role":                        {iam.ModeEnsure, observed(other), used, roleID, true, roleID},
		"another role that is not ours":       {iam.ModeEnsure, observed(other, unowned), used, roleID, true, roleID},
		"the users are not known":             {iam.ModeEnsure, observed(other), iam.RoleUsers{}, roleID, true, roleID},
		"no profile depends on the old id":    {iam.ModeEnsure, observed(other), iam.RoleUsers{Known: true}, roleID, true, "AROAEXAMPLE2"},
		"the role is gone and is made again":  {iam.ModeEnsure, nil, used, roleID, true, roleID},
		"another role that is about to go":    {iam.ModeDelete, observed(other), used, roleID, false, roleID},
		"the role is gone and meant to be":    {iam.ModeDelete, nil, iam.RoleUsers{Known: true}, roleID, false, ""},
		"a role that was never there is made": {iam.ModeEnsure, nil, used, "", false, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.DecideRole(iam.RoleInput{
				Desired: desired(mode(tc.mode)), Observed: tc.observed, Users: tc.users, Memory: iam.RoleMemory{RoleID: tc.memory}, Now: now,
			})
			var warned bool
			for _, f := range got.Review.Warnings {
				warned = warned || f.Reason == iam.ReasonRoleRecreated
			}
			if warned != tc.warns || got.Memory.RoleID != tc.want {
				t.Errorf("warned %v, remembers %q; want %v, %q", warned, got.Memory.RoleID, tc.warns, tc.want)
			}
		})
	}
}

func TestDecideRole_RemembersWhenTheTrustChanged(t *testing.T) {
	before := now.Add(-time.Hour)
	tests := map[string]struct {
		observed *iam.ObservedRole
		want     time.Time
	}{
		"created":              {nil, now},
		"a statement added":    {observed(trusting(`{}`)), now},
		"a policy attached":    {observed(bare), before},
		"nothing left to do":   {observed(), before},
		"blocked by the trust": {observed(trusting(denyAll)), before},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.DecideRole(iam.RoleInput{Desired: desired(), Observed: tc.observed, Memory: iam.RoleMemory{ChangedAt: before}, Now: now})
			if !got.Memory.ChangedAt.Equal(tc.want) {
				t.Errorf("changed at %v, want %v", got.Memory.ChangedAt, tc.want)
			}
		})
	}
}

func TestReviewRole_SeesARoleOfNodes(t *testing.T) {
	tests := map[string]func(*iam.ObservedRole){
		"by its instance profile": func(o *iam.ObservedRole) { o.InstanceProfiles = []string{"nodes"} },
		"by its policy": func(o *iam.ObservedRole) {
			o.AttachedPolicies = append(o.AttachedPolicies, "arn:aws-cn:iam::aws:policy/AmazonEKSWorkerNodePolicy")
		},
		"by its trust, and once only": func(o *iam.ObservedRole) {
			o.InstanceProfiles = []string{"nodes"}
			o.Trust = iam.Merge(o.Trust, mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}`))
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.ReviewRole(desired(), *observed(change))
			if diff := cmp.Diff([]iam.Reason{iam.ReasonSharedWithNodes}, reasons(got.Warnings)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := iam.ReviewRole(desired(), *observed()); len(got.Warnings) > 0 {
		t.Errorf("warnings about a good role: %+v", got.Warnings)
	}
}

func TestDecideRole_WithoutAClockAndMemoryARoleIsCreated(t *testing.T) {
	if got := iam.DecideRole(iam.RoleInput{Desired: desired()}); got.Action != iam.RoleActionCreate {
		t.Errorf("%s: %s, want create", got.Action, got.Message)
	}
}

func TestDecideRole_WaitsForARoleThatItJustMade(t *testing.T) {
	tests := map[string]struct {
		mode    iam.Mode
		changed time.Duration
		want    iam.RoleAction
	}{
		"a moment ago":               {iam.ModeEnsure, iam.ConsistencyDelay - time.Second, iam.RoleActionWait},
		"too long ago":               {iam.ModeEnsure, iam.ConsistencyDelay, iam.RoleActionCreate},
		"a moment ago, now unwanted": {iam.ModeDelete, time.Second, iam.RoleActionWait},
		"long ago, now unwanted":     {iam.ModeDelete, time.Hour, iam.RoleActionNoOp},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.DecideRole(iam.RoleInput{
				Desired: desired(mode(tc.mode)), Users: iam.RoleUsers{Known: true}, Memory: iam.RoleMemory{ChangedAt: now.Add(-tc.changed)}, Now: now,
			})
			if got.Action != tc.want || (got.RequeueAfter > 0) != (tc.want == iam.RoleActionWait) {
				t.Errorf("%s, again after %v; want %s", got.Action, got.RequeueAfter, tc.want)
			}
		})
	}
}

func TestDecideRole_WaitsForTheRestOfTheDelay(t *testing.T) {
	got := decide(desired(mode(iam.ModeDelete)), observed(marked(4*time.Second)))
	if got.RequeueAfter != iam.DeletionDelay-4*time.Second {
		t.Errorf("RequeueAfter = %v", got.RequeueAfter)
	}
}
