// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

func TestDesiredFollowsTheProfileAndTheOptions(t *testing.T) {
	const given = "arn:aws:iam::111122223333:role/given"
	shared := iam.RoleIdentity{Partition: "aws", Account: account, Region: "us-east-1", Cluster: "demo"}
	own := shared
	own.Profile = "web"
	tests := map[string]struct {
		options func(*role.Options)
		given   string
		mode    iam.Mode
		name    string
		owner   string
	}{
		"shared":                {func(*role.Options) {}, "", iam.ModeEnsure, iam.RoleName(shared), me},
		"of the profile":        {func(o *role.Options) { o.PerProfile, o.Role.Owner = true, "" }, "", iam.ModeEnsure, iam.RoleName(own), me + "/web"},
		"of the profile, owned": {func(o *role.Options) { o.PerProfile = true }, "", iam.ModeEnsure, iam.RoleName(own), me},
		"named":                 {func(o *role.Options) { o.Role.Name = "mine" }, "", iam.ModeEnsure, "mine", me},
		"brought along":         {func(*role.Options) {}, given, iam.ModeBringYourOwn, "given", me},
		"brought and verified":  {func(o *role.Options) { o.VerifyGiven = true }, given, iam.ModeVerify, "given", me},
		"verified":              {verifying, given, iam.ModeVerify, "given", me},
		"verified by default":   {func(o *role.Options) { o.Mode, o.Role.ARN = iam.ModeVerify, given }, "", iam.ModeVerify, "given", me},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := desiredProfile("web")
			d.Spec.PodExecutionRoleARN = tt.given
			got, err := newRoles(fake.New(), tt.options).Desired(t.Context(), d, "web-999")
			if err != nil || got.Mode != tt.mode || got.RoleName() != tt.name || got.Owner != tt.owner {
				t.Errorf("Desired() = %+v, %v", got, err)
			}
			if got.Scope.Cluster != fake.ClusterName || !slices.Equal(got.Profiles, []string{"web-999"}) {
				t.Errorf("Desired() is for %v of %+v", got.Profiles, got.Scope)
			}
		})
	}
}

func TestDesiredFindsOutWhereTheClusterIs(t *testing.T) {
	refused := errors.New("refused")
	identity := func(p fargate.Place, err error) func(*role.Options) {
		return func(o *role.Options) {
			o.Role.Scope, o.Identity = iam.Scope{}, func(context.Context) (fargate.Place, error) { return p, err }
		}
	}
	tests := map[string]struct {
		options func(*role.Options)
		given   string
		want    iam.Scope // without a region it is an error
		cause   error
	}{
		"from the identity":      {identity(fargate.Place{Partition: "aws-cn", Account: account, Region: "cn-north-1"}, nil), "", iam.Scope{Partition: "aws-cn", Account: account, Region: "cn-north-1", Cluster: "demo"}, nil},
		"the identity is denied": {identity(fargate.Place{}, refused), "", iam.Scope{}, refused},
		"from the client":        {func(o *role.Options) { o.Role.Scope.Region, o.Profiles = "", sdkClient(fake.New(), "eu-west-1") }, "", iam.Scope{Account: account, Region: "eu-west-1", Cluster: "demo"}, nil},
		"account from the ARN": {
			func(o *role.Options) { o.Mode, o.Role.Scope.Account = iam.ModeVerify, "" },
			"arn:aws:iam::444455556666:role/r",
			iam.Scope{Account: "444455556666", Region: "us-east-1", Cluster: "demo"},
			nil,
		},
		"a region that nobody says, to verify": {
			func(o *role.Options) { o.Mode, o.Role.Scope = iam.ModeVerify, iam.Scope{} }, "arn:aws:iam::444455556666:role/r", iam.Scope{}, nil,
		},
		"a region that nobody says, for a given role": {
			func(o *role.Options) { o.VerifyGiven, o.Role.Scope.Region = true, "" }, "arn:aws:iam::111122223333:role/r", iam.Scope{}, nil,
		},
		"nobody says it": {func(o *role.Options) { o.Role.Scope = iam.Scope{} }, "", iam.Scope{}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := desiredProfile("web")
			d.Spec.PodExecutionRoleARN = tt.given
			roles := newRoles(fake.New(), tt.options)
			got, err := roles.Desired(t.Context(), d, "web")
			if tt.want.Region != "" {
				if err != nil || got.Scope != tt.want {
					t.Errorf("Desired() is for %+v, %v; want %+v", got.Scope, err, tt.want)
				}
				return
			}
			if failed, ok := errors.AsType[*role.Error](err); !ok || failed.Profile != "web" || tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("Desired() = %v", err)
			}
			if _, prepared := roles.Prepare(t.Context(), d, "web"); prepared == nil {
				t.Error("Prepare() does not fail")
			}
		})
	}
}

// Whoever says where the cluster is needs no identity, and is not overruled by one.
func TestDesiredAsksForTheIdentityOnlyWhereSomethingIsOpen(t *testing.T) {
	elsewhere := fargate.Place{Partition: "aws-cn", Account: "444455556666", Region: "cn-north-1"}
	tests := map[string]struct {
		scope iam.Scope
		asked int
		want  iam.Scope
	}{
		"all of it":   {iam.Scope{Account: account, Region: "us-east-1"}, 0, iam.Scope{Account: account, Region: "us-east-1"}},
		"no region":   {iam.Scope{Account: account}, 1, iam.Scope{Partition: "aws-cn", Account: account, Region: "cn-north-1"}},
		"no account":  {iam.Scope{Region: "cn-northwest-1"}, 1, iam.Scope{Partition: "aws-cn", Account: "444455556666", Region: "cn-northwest-1"}},
		"a partition": {iam.Scope{Partition: "aws-x"}, 1, iam.Scope{Partition: "aws-x", Account: "444455556666", Region: "cn-north-1"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			asked := 0
			roles := newRoles(fake.New(), func(o *role.Options) {
				o.Role.Scope = tt.scope
				o.Identity = func(context.Context) (fargate.Place, error) { asked++; return elsewhere, nil }
			})
			tt.want.Cluster = fake.ClusterName
			got, err := roles.Desired(t.Context(), desiredProfile("web"), "web")
			if err != nil || got.Scope != tt.want || asked != tt.asked {
				t.Errorf("Desired() is for %+v, %v, after %d questions; want %+v after %d", got.Scope, err, asked, tt.want, tt.asked)
			}
		})
	}
}
