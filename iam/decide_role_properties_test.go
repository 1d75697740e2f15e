// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/owner"
)

// desiredRoles draws what callers may want.
func desiredRoles() *rapid.Generator[iam.DesiredRole] {
	return rapid.Custom(func(t *rapid.T) iam.DesiredRole {
		d := desired(mode(rapid.SampledFrom([]iam.Mode{iam.ModeEnsure, iam.ModeDelete}).Draw(t, "mode")))
		d.ManagedPolicies = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{logs, managed}), 0, 2, rapid.ID).Draw(t, "managed")
		if rapid.Bool().Draw(t, "inline") {
			d.InlinePolicies = map[string]iam.Document{"ours": {Version: iam.VersionCurrent}}
		}
		d.PermissionsBoundary = rapid.SampledFrom([]string{"", boundary}).Draw(t, "boundary")
		d.MaxSession = rapid.SampledFrom([]time.Duration{0, time.Hour, 4 * time.Hour}).Draw(t, "session")
		d.Description = rapid.SampledFrom([]string{"", "pods"}).Draw(t, "description")
		d.Tags = tagMaps().Draw(t, "tags")
		d.Force = rapid.Bool().Draw(t, "force")
		d.AuthConfigMap = rapid.Bool().Draw(t, "auth")
		return d
	})
}

func tagMaps() *rapid.Generator[map[string]string] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"team", "cost", "env"}), rapid.SampledFrom([]string{"", "a", "b"}), 0, 3)
}

// observedRoles draws roles that others may have touched; nil is an absent one.
func observedRoles() *rapid.Generator[*iam.ObservedRole] {
	return rapid.Custom(func(t *rapid.T) *iam.ObservedRole {
		if rapid.IntRange(0, 4).Draw(t, "absent") == 0 {
			return nil
		}
		o := observed()
		o.InlineDocuments = map[string]iam.Document{}
		maps.Copy(o.Tags, tagMaps().Draw(t, "tags"))
		rapid.SampledFrom([]func(*iam.ObservedRole){func(*iam.ObservedRole) {}, unowned, foreign, contested}).Draw(t, "ownership")(o)
		if rapid.Bool().Draw(t, "deleting") {
			marked(rapid.SampledFrom([]time.Duration{-time.Hour, 0, time.Hour}).Draw(t, "age"))(o)
		}
		o.Tags[owner.TagsKey] = claims(someOf("team", "gone").Draw(t, "claims")...)[owner.TagsKey]
		o.AttachedPolicies = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{logs, managed, "arn:aws:iam::aws:policy/Theirs"}), 0, 3, rapid.ID).Draw(t, "attached")
		o.InlinePolicies = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"ours", "theirs"}), 0, 2, rapid.ID).Draw(t, "inline")
		o.InstanceProfiles = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b"}), 0, 2, rapid.ID).Draw(t, "instance profiles")
		o.Description = rapid.SampledFrom([]string{"", "theirs"}).Draw(t, "description")
		o.PermissionsBoundary = rapid.SampledFrom([]string{"", "arn:aws:iam::111122223333:policy/theirs"}).Draw(t, "boundary")
		switch rapid.IntRange(0, 3).Draw(t, "trust") {
		case 0:
			o.Trust = documents().Draw(t, "document")
		case 1:
			o.Trust = iam.Merge(documents().Draw(t, "document"), o.Trust)
		case 2:
			o.TrustFault = rapid.SampledFrom([]string{"", "not JSON"}).Draw(t, "fault")
		}
		return o
	})
}

func TestDecideRole_SettlesWithoutMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, a := desiredRoles().Draw(t, "desired"), &account{role: observedRoles().Draw(t, "observed")}
		users := rapid.SampledFrom([][]string{nil, {"fp-a"}}).Draw(t, "users")
		runRole(t, a, d, users)
		end := iam.DecideRole(iam.RoleInput{Desired: d, Observed: a.role, Users: iam.RoleUsers{Known: true, Profiles: users}, Now: now.Add(time.Hour)})
		if end.Call != nil {
			t.Fatalf("settled, and yet %s", end.Call)
		}
		if d.Mode == iam.ModeEnsure && end.Action == iam.RoleActionNoOp {
			if r := iam.ReviewRole(d, *a.role); len(r.Shortcomings) > 0 {
				t.Fatalf("ready in spite of %+v", r.Shortcomings)
			}
		}
	})
}

func TestDecideRole_EnsureOnlyAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, before := desiredRoles().Draw(t, "desired"), observedRoles().Draw(t, "observed")
		d.Mode = iam.ModeEnsure
		a := &account{role: clone(before)}
		runRole(t, a, d, nil)
		if before == nil {
			return
		}
		after := a.role
		if a.made > 0 || after == nil {
			t.Fatal("the role was deleted or made again")
		}
		for _, policy := range before.AttachedPolicies {
			if !slices.Contains(after.AttachedPolicies, policy) {
				t.Fatalf("%s was detached", policy)
			}
		}
		for key := range before.Tags {
			_, wanted := d.Tags[key]
			if _, kept := after.Tags[key]; !kept && !wanted && key != "team" && key != iam.DeletingTag && key != owner.TagsKey {
				t.Fatalf("the tag %s, which we never set, was removed", key)
			}
		}
		if n := len(before.Trust.Statements); after.Trust.Statements != nil && !equalStatements(before.Trust.Statements, after.Trust.Statements[:n]) {
			t.Fatalf("statements of others changed:\n%s\n%s", before.Trust.Indent(), after.Trust.Indent())
		}
		if !slices.Equal(without(before.InlinePolicies, "ours"), without(after.InlinePolicies, "ours")) {
			t.Fatal("inline policies of others changed")
		}
	})
}

func TestDecideRole_WritesOnlyWhatIsOurs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, o := desiredRoles().Draw(t, "desired"), observedRoles().Draw(t, "observed")
		users := rapid.SampledFrom([]iam.RoleUsers{{}, {Known: true}, {Known: true, Profiles: []string{"fp-a"}}}).Draw(t, "users")
		got := iam.DecideRole(iam.RoleInput{Desired: d, Observed: o, Users: users, Now: now})
		switch {
		case got.Call == nil:
		case o == nil:
			if got.Call.Operation != iam.OpCreateRole || d.Mode != iam.ModeEnsure {
				t.Fatalf("%s on an absent role in mode %s", got.Call, d.Mode)
			}
		case o.Tags[owner.Key(me)] != me || o.Tags[owner.Key("you")] != "":
			t.Fatalf("%s on a role that is not ours alone", got.Call)
		case got.Action == iam.RoleActionDelete && (!users.Known || len(users.Profiles) > 0):
			t.Fatalf("%s with users %+v", got.Call, users)
		case removes(got.Call.Operation) && o.Tags[iam.DeletingTag] == "":
			t.Fatalf("%s without an announcement", got.Call)
		}
		if (got.Call != nil) != slices.Contains([]iam.RoleAction{iam.RoleActionCreate, iam.RoleActionUpdate, iam.RoleActionDelete}, got.Action) {
			t.Fatalf("action %s with call %v", got.Action, got.Call)
		}
	})
}

func removes(op iam.Operation) bool {
	return strings.HasPrefix(string(op), "Delete") || strings.HasPrefix(string(op), "Detach") || strings.HasPrefix(string(op), "Remove")
}

func TestDecideRole_OrderDoesNotMatterAndNothingIsChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, o := desiredRoles().Draw(t, "desired"), observedRoles().Draw(t, "observed")
		in := iam.RoleInput{Desired: d, Observed: o, Users: iam.RoleUsers{Known: true}, Now: now}
		before := clone(o)
		first := iam.DecideRole(in)
		if diff := cmp.Diff(before, o); diff != "" {
			t.Fatalf("the decision changed what was observed:\n%s", diff)
		}
		if o != nil {
			slices.Reverse(o.AttachedPolicies)
			slices.Reverse(o.InlinePolicies)
			slices.Reverse(o.InstanceProfiles)
		}
		if diff := cmp.Diff(first.Call, iam.DecideRole(in).Call); diff != "" {
			t.Fatalf("the order of what IAM lists makes a difference:\n%s", diff)
		}
	})
}

func TestDecideRole_TwoWritersSettle(t *testing.T) {
	// One wants the role, one deletes it since its own profile is gone. As soon as
	// the first one's profile uses the role, the other leaves it alone.
	a := &account{role: observed()}
	remove, ensure := desired(mode(iam.ModeDelete)), desired()
	if got := decide(remove, a.role); !a.apply(*got.Call) {
		t.Fatal("marking the role failed")
	}
	calls := runRole(t, a, ensure, nil)
	if len(calls) != 1 || calls[0] != "UntagRole fp-exec" {
		t.Fatalf("the writer who wants the role made %v, want the mark removed", calls)
	}
	if calls := runRole(t, a, remove, []string{"fp-a"}); len(calls) > 0 || a.role == nil {
		t.Errorf("the writer who deletes made %v on a role in use", calls)
	}
}

func equalStatements(a, b []iam.Statement) bool {
	return slices.EqualFunc(a, b, iam.EquivalentStatements)
}

func clone(o *iam.ObservedRole) *iam.ObservedRole {
	if o == nil {
		return nil
	}
	c := *o
	c.Tags = maps.Clone(o.Tags)
	c.AttachedPolicies = slices.Clone(o.AttachedPolicies)
	c.InlinePolicies = slices.Clone(o.InlinePolicies)
	c.InstanceProfiles = slices.Clone(o.InstanceProfiles)
	c.InlineDocuments = maps.Clone(o.InlineDocuments)
	return &c
}
