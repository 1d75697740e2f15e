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

const denyAll = `{"Statement":[{"Effect":"Deny","Principal":"*","Action":"*"}]}`

// decision is what the tables expect of a RoleDecision.
type decision struct {
	action iam.RoleAction
	reason iam.Reason
	call   string
}

func decisionOf(d iam.RoleDecision) decision {
	got := decision{action: d.Action, reason: d.Reason}
	if d.Call != nil {
		got.call = d.Call.String()
	}
	return got
}

type roleCase struct {
	desired  iam.DesiredRole
	observed *iam.ObservedRole
	users    iam.RoleUsers
	want     decision
}

func checkRoles(t *testing.T, tests map[string]roleCase) {
	t.Helper()
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.DecideRole(iam.RoleInput{Desired: tc.desired, Observed: tc.observed, Users: tc.users, Now: now})
			if diff := cmp.Diff(tc.want, decisionOf(got), cmp.AllowUnexported(decision{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", got.Message, diff)
			}
			if got.Message == "" {
				t.Error("the decision has no message")
			}
		})
	}
}

func TestDecideRole_BringYourOwnAndVerify(t *testing.T) {
	checkRoles(t, map[string]roleCase{
		"a role that is brought is used as it is": {
			iam.DesiredRole{ARN: roleARN}, nil, iam.RoleUsers{}, decision{iam.RoleActionNoOp, iam.ReasonBringYourOwn, ""},
		},
		"no role at all": {iam.DesiredRole{}, nil, iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonInvalid, ""}},
		"a profile's ARN where the role's belongs": {
			iam.DesiredRole{ARN: demoProfile}, nil, iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonInvalid, ""},
		},
		"a role to verify that is good": {desired(toVerify), observed(unowned), iam.RoleUsers{}, decision{iam.RoleActionNoOp, iam.ReasonRoleReady, ""}},
		"a role to verify that is ours is only read": {
			desired(toVerify), observed(bare), iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonRoleUnfit, ""},
		},
		"a role to verify that is absent": {desired(toVerify), nil, iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonRoleMissing, ""}},
		"a role to verify whose path was left out": {
			desired(toVerify), observed(func(o *iam.ObservedRole) { o.ARN = "arn:aws:iam::111122223333:role/teams/fp-exec" }),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonRoleUnfit, ""},
		},
	})
}

func TestDecideRole_Ensure(t *testing.T) {
	update := func(reason iam.Reason, call string) decision { return decision{iam.RoleActionUpdate, reason, call} }
	settled := decision{iam.RoleActionNoOp, iam.ReasonRoleReady, ""}
	inline := map[string]iam.Document{"logs": {Version: iam.VersionCurrent}}
	checkRoles(t, map[string]roleCase{
		"an absent role is created": {desired(), nil, iam.RoleUsers{}, decision{iam.RoleActionCreate, iam.ReasonRoleMissing, "CreateRole fp-exec"}},
		"a good role stays":         {desired(), observed(), iam.RoleUsers{}, settled},
		"what others attached, allowed and tagged stays": {
			desired(), observed(func(o *iam.ObservedRole) {
				o.AttachedPolicies = append(o.AttachedPolicies, logs)
				o.InlinePolicies = []string{"theirs"}
				o.PermissionsBoundary = boundary
				o.Description, o.MaxSession = "theirs", 2*time.Hour
				o.Tags["team"] = "net"
				o.Trust = iam.Merge(o.Trust, mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole"}}`))
			}), iam.RoleUsers{}, settled,
		},
		"the trust policy lacks our statement": {
			desired(), observed(trusting(`{}`)),
			iam.RoleUsers{},
			update(iam.ReasonTrustMissing, "UpdateAssumeRolePolicy fp-exec"),
		},
		"a trust policy that can't be told gets our statement": {
			desired(), observed(trusting(trustWith(`{"StringEquals":{"aws:SourceOrgID":"o"}}`))),
			iam.RoleUsers{},
			update(iam.ReasonTrustMissing, "UpdateAssumeRolePolicy fp-exec"),
		},
		"but only once": {
			desired(), observed(func(o *iam.ObservedRole) {
				o.Trust = iam.Merge(o.Trust, mustParse(t, `{"Statement":{"Effect":"Deny","Principal":"*","Action":"*","Condition":{"StringEquals":{"aws:SourceOrgID":"o"}}}}`))
			}), iam.RoleUsers{}, settled,
		},
		"a trust policy that denies it":       {desired(), observed(trusting(denyAll)), iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonTrustDenies, ""}},
		"a trust policy that can't be read":   {desired(), observed(func(o *iam.ObservedRole) { o.TrustFault = "not JSON" }), iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonTrustUnreadable, ""}},
		"a trust policy that is nearly full":  {desired(), observed(trusting(`{"Id":"` + strings.Repeat("x", 2000) + `"}`)), iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonTrustTooLong, ""}},
		"a nearly full one with a high quota": {desired(func(d *iam.DesiredRole) { d.TrustQuota = 4096 }), observed(trusting(`{"Id":"` + strings.Repeat("x", 2000) + `"}`)), iam.RoleUsers{}, update(iam.ReasonTrustMissing, "UpdateAssumeRolePolicy fp-exec")},
		"a trust policy for the one profile that needs it": {
			desired(func(d *iam.DesiredRole) { d.Profiles = []string{"fp-a"} }),
			observed(trusting(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/*"}}`))),
			iam.RoleUsers{},
			settled,
		},
		"a trust policy for one profile of two": {
			desired(func(d *iam.DesiredRole) { d.Profiles = []string{"fp-a", "fp-b"} }),
			observed(trusting(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/*"}}`))),
			iam.RoleUsers{},
			update(iam.ReasonTrustMissing, "UpdateAssumeRolePolicy fp-exec"),
		},
		"a trust policy for another cluster": {
			desired(), observed(trusting(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"}}`))),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonRoleOfOtherCluster, ""},
		},
		"a trust policy for this cluster in another region": {
			desired(), observed(trusting(trustWith(`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:*:111122223333:fargateprofile/demo/*","arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/*"]}}`))),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonRoleOfOtherCluster, ""},
		},
		"AWS's own policy is missing": {desired(), observed(bare), iam.RoleUsers{}, update(iam.ReasonManagedPolicyMissing, "AttachRolePolicy fp-exec "+managed)},
		"another policy is missing": {
			desired(func(d *iam.DesiredRole) { d.ManagedPolicies = []string{logs, logs} }), observed(),
			iam.RoleUsers{},
			update(iam.ReasonManagedPolicyMissing, "AttachRolePolicy fp-exec "+logs),
		},
		"an inline policy is missing": {
			desired(func(d *iam.DesiredRole) { d.InlinePolicies = inline }), observed(),
			iam.RoleUsers{},
			update(iam.ReasonInlinePolicyMissing, "PutRolePolicy fp-exec logs"),
		},
		"an inline policy says something else": {
			desired(func(d *iam.DesiredRole) { d.InlinePolicies = inline }),
			observed(func(o *iam.ObservedRole) {
				o.InlinePolicies = []string{"logs"}
				o.InlineDocuments = map[string]iam.Document{"logs": mustParse(t, `{"Statement":{}}`)}
			}),
			iam.RoleUsers{},
			update(iam.ReasonInlinePolicyMissing, "PutRolePolicy fp-exec logs"),
		},
		"an inline policy that was not read": {
			desired(func(d *iam.DesiredRole) { d.InlinePolicies = inline }),
			observed(func(o *iam.ObservedRole) { o.InlinePolicies = []string{"logs"} }),
			iam.RoleUsers{},
			settled,
		},
		"the boundary is missing": {
			desired(func(d *iam.DesiredRole) { d.PermissionsBoundary = boundary }), observed(),
			iam.RoleUsers{},
			update(iam.ReasonBoundaryDrift, "PutRolePermissionsBoundary fp-exec"),
		},
		"the longest session differs": {
			desired(func(d *iam.DesiredRole) { d.MaxSession = 2 * time.Hour }), observed(), iam.RoleUsers{}, update(iam.ReasonSettingsDrift, "UpdateRole fp-exec"),
		},
		"the description differs": {
			desired(func(d *iam.DesiredRole) { d.Description = "pods" }), observed(), iam.RoleUsers{}, update(iam.ReasonSettingsDrift, "UpdateRole fp-exec"),
		},
		"a tag is missing": {
			desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"team": "net"} }), observed(), iam.RoleUsers{}, update(iam.ReasonTagsDrift, "TagRole fp-exec"),
		},
		"a tag in another case is the same key to IAM": {
			desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"Team": "net"} }), observed(tagged("team", "net")), iam.RoleUsers{}, settled,
		},
		"a tag that we set is no longer wanted": {
			desired(), observed(tagged("team", "net"), tagged(owner.TagsKey, claims("team")[owner.TagsKey])), iam.RoleUsers{}, update(iam.ReasonTagsDrift, "UntagRole fp-exec"),
		},
		"the path differs, which can't be changed": {desired(func(d *iam.DesiredRole) { d.Path = "/teams/" }), observed(), iam.RoleUsers{}, settled},
		"a role that was about to be deleted is wanted": {
			desired(), observed(marked(time.Hour), bare), iam.RoleUsers{}, update(iam.ReasonDeletionCancelled, "UntagRole fp-exec"),
		},
		"even where its trust denies it": {
			desired(), observed(marked(time.Hour), trusting(denyAll)), iam.RoleUsers{}, update(iam.ReasonDeletionCancelled, "UntagRole fp-exec"),
		},
		"a role of another cluster that is about to be deleted goes": {
			desired(), observed(marked(time.Hour), trusting(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"}}`))),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonRoleOfOtherCluster, ""},
		},
		"a role of another account": {
			desired(), observed(func(o *iam.ObservedRole) { o.ARN = "arn:aws:iam::444455556666:role/fp-exec" }),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonOtherAccount, ""},
		},
		"a role of another partition": {
			desired(), observed(func(o *iam.ObservedRole) { o.ARN = "arn:aws-cn:iam::111122223333:role/fp-exec" }),
			iam.RoleUsers{},
			decision{iam.RoleActionBlocked, iam.ReasonWrongPartition, ""},
		},
		"an ARN that is none": {
			desired(), observed(func(o *iam.ObservedRole) { o.ARN = "fp-exec" }), iam.RoleUsers{}, decision{iam.RoleActionBlocked, iam.ReasonInvalid, ""},
		},
	})
}

func TestDecideRole_EnsureLeavesWhatIsNotOurs(t *testing.T) {
	ready := decision{iam.RoleActionNoOp, iam.ReasonRoleNotOurs, ""}
	unfit := decision{iam.RoleActionBlocked, iam.ReasonRoleUnfit, ""}
	checkRoles(t, map[string]roleCase{
		"unowned and good":                    {desired(), observed(unowned), iam.RoleUsers{}, ready},
		"unowned and marked for deletion":     {desired(), observed(unowned, marked(time.Hour)), iam.RoleUsers{}, ready},
		"unowned and without the policy":      {desired(), observed(unowned, bare), iam.RoleUsers{}, unfit},
		"foreign and good":                    {desired(), observed(foreign), iam.RoleUsers{}, ready},
		"foreign and not trusting us":         {desired(), observed(foreign, trusting(denyAll)), iam.RoleUsers{}, unfit},
		"contested and good":                  {desired(), observed(contested), iam.RoleUsers{}, ready},
		"contested and without the policy":    {desired(), observed(contested, bare), iam.RoleUsers{}, unfit},
		"unowned and serving another cluster": {desired(), observed(unowned, trusting(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/other/*"}}`))), iam.RoleUsers{}, unfit},
	})
}

func TestDecideRole_Delete(t *testing.T) {
	unused := iam.RoleUsers{Known: true}
	remove := desired(mode(iam.ModeDelete))
	step := func(call string) decision { return decision{iam.RoleActionDelete, iam.ReasonRoleUnused, call} }
	kept := func(reason iam.Reason) decision { return decision{iam.RoleActionNoOp, reason, ""} }
	old := marked(iam.DeletionDelay)
	checkRoles(t, map[string]roleCase{
		"an absent role is gone":     {remove, nil, unused, decision{iam.RoleActionNoOp, iam.ReasonRoleGone, ""}},
		"an unowned role is kept":    {remove, observed(unowned, old), unused, kept(iam.ReasonRoleNotOurs)},
		"a foreign role is kept":     {remove, observed(foreign, old), unused, kept(iam.ReasonRoleNotOurs)},
		"a contested role is kept":   {remove, observed(contested, old), unused, kept(iam.ReasonRoleNotOurs)},
		"its users are not known":    {remove, observed(old), iam.RoleUsers{}, decision{iam.RoleActionWait, iam.ReasonUsersUnknown, ""}},
		"a profile uses it":          {remove, observed(old), iam.RoleUsers{Known: true, Profiles: []string{"fp-b"}}, kept(iam.ReasonRoleInUse)},
		"another cluster may use it": {remove, observed(old, trusting(trustWith(`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*","arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"]}}`))), unused, kept(iam.ReasonRoleOfOtherCluster)},
		"a profile and another cluster use it": {
			remove, observed(old, trusting(trustWith(`{}`))), iam.RoleUsers{Known: true, Profiles: []string{"fp-b"}}, kept(iam.ReasonRoleInUse),
		},
		"another cluster may use it, so its policies do not matter": {
			remove, observed(old, trusting(trustWith(`{}`)), func(o *iam.ObservedRole) { o.InlinePolicies = []string{"theirs"} }), unused, kept(iam.ReasonRoleOfOtherCluster),
		},
		"any cluster may use it": {remove, observed(old, trusting(trustWith(`{}`))), unused, kept(iam.ReasonRoleOfOtherCluster)},
		"any cluster may, as we made it": {
			desired(mode(iam.ModeDelete), func(d *iam.DesiredRole) { d.Scope.Unconditional = true }), observed(trusting(trustWith(`{}`))), unused,
			decision{iam.RoleActionDelete, iam.ReasonDeletionAnnounced, "TagRole fp-exec"},
		},
		"its trust policy can't be read": {remove, observed(old, func(o *iam.ObservedRole) { o.TrustFault = "not JSON" }), unused, kept(iam.ReasonTrustUnreadable)},
		"nodes use it": {
			remove, observed(old, func(o *iam.ObservedRole) {
				o.Trust = iam.Merge(o.Trust, mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}`))
				o.InstanceProfiles = []string{"nodes"}
			}), unused, kept(iam.ReasonSharedWithNodes),
		},
		"a new role is marked first":               {remove, observed(), unused, decision{iam.RoleActionDelete, iam.ReasonDeletionAnnounced, "TagRole fp-exec"}},
		"a mark that is no time is set again":      {remove, observed(tagged(iam.DeletingTag, "soon")), unused, decision{iam.RoleActionDelete, iam.ReasonDeletionAnnounced, "TagRole fp-exec"}},
		"a mark from the future is set again":      {remove, observed(marked(-time.Hour)), unused, decision{iam.RoleActionDelete, iam.ReasonDeletionAnnounced, "TagRole fp-exec"}},
		"a mark of a clock that is a little ahead": {remove, observed(marked(-time.Second)), unused, decision{iam.RoleActionWait, iam.ReasonDeletionAnnounced, ""}},
		"a mark from the future by just the delay": {
			remove, observed(marked(-iam.DeletionDelay)), unused, decision{iam.RoleActionDelete, iam.ReasonDeletionAnnounced, "TagRole fp-exec"},
		},
		"nodes may use it, but none can": {
			remove, observed(old, bare, func(o *iam.ObservedRole) {
				o.Trust = iam.Merge(o.Trust, mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}`))
			}), unused, kept(iam.ReasonSharedWithNodes),
		},
		"a young mark": {remove, observed(marked(iam.DeletionDelay - time.Second)), unused, decision{iam.RoleActionWait, iam.ReasonDeletionAnnounced, ""}},
		"managed policies go first": {
			remove, observed(old, func(o *iam.ObservedRole) { o.AttachedPolicies = []string{managed, logs} }), unused, step("DetachRolePolicy fp-exec " + logs),
		},
		"then our inline policies": {
			desired(mode(iam.ModeDelete), func(d *iam.DesiredRole) { d.InlinePolicies = map[string]iam.Document{"logs": {}} }),
			observed(old, bare, func(o *iam.ObservedRole) { o.InlinePolicies = []string{"logs"} }), unused, step("DeleteRolePolicy fp-exec logs"),
		},
		"then instance profiles": {
			desired(mode(iam.ModeDelete), func(d *iam.DesiredRole) { d.Force = true }),
			observed(old, bare, func(o *iam.ObservedRole) { o.InstanceProfiles = []string{"b", "a"} }), unused, step("RemoveRoleFromInstanceProfile fp-exec a"),
		},
		"then the role": {remove, observed(old, bare), unused, step("DeleteRole fp-exec")},
		"a fault in what the role should have does not keep it": {
			desired(mode(iam.ModeDelete), func(d *iam.DesiredRole) { d.Tags = map[string]string{"aws:x": "y"} }), observed(old, bare), unused, step("DeleteRole fp-exec"),
		},
		"a role of another account": {
			remove, observed(old, func(o *iam.ObservedRole) { o.ARN = "arn:aws:iam::444455556666:role/fp-exec" }), unused,
			decision{iam.RoleActionBlocked, iam.ReasonOtherAccount, ""},
		},
	})
}

// A role that stays says whose it is.
func TestDecideRole_AKeptRoleSaysWhoseItIs(t *testing.T) {
	tests := map[string]struct {
		change func(*iam.ObservedRole)
		whose  string
	}{
		"nobody's":        {unowned, "unowned"},
		"another's":       {foreign, "foreign (you)"},
		"ours and theirs": {contested, "contested (you)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := "the role " + roleARN + " is " + tt.whose + " and is kept"
			if d := iam.DecideRole(unused(tt.change)); d.Message != want {
				t.Errorf("got %s, want %s", d.Message, want)
			}
		})
	}
}
