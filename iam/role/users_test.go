// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// landing says where the calls land.
func landing(p fargate.Place) func(*role.Options) {
	return func(o *role.Options) {
		o.Identity = func(context.Context) (fargate.Place, error) { return p, nil }
	}
}

func here() fargate.Place {
	return fargate.Place{Partition: "aws", Account: account, Region: "us-east-1"}
}

// leftOver is a role of ours whose cluster is of that name.
func leftOver(t *testing.T, c *fake.Cloud, cluster string) iam.DesiredRole {
	t.Helper()
	addRole(t, c, "fp-exec", fake.PodTrust, true, managed)
	return desiredRole(named("fp-exec"), func(d *iam.DesiredRole) {
		d.Mode, d.Scope.Cluster, d.Scope.Unconditional = iam.ModeDelete, cluster, true
	})
}

// In another account or region every cluster is "not found" or has no profile that
// we know, and a role that serves pods would go.
func TestNobodyUsesARoleOnlyWhereTheClusterIs(t *testing.T) {
	at := func(change func(*fargate.Place)) func(*role.Options) {
		p := here()
		change(&p)
		return landing(p)
	}
	denied := errors.New("denied")
	tests := map[string]struct {
		options func(*role.Options)
		says    string // of the error; empty where nobody uses the role
	}{
		"here":                 {landing(here()), ""},
		"another account":      {at(func(p *fargate.Place) { p.Account = "444455556666" }), "account 444455556666"},
		"another region":       {at(func(p *fargate.Place) { p.Region = "eu-west-1" }), "region eu-west-1"},
		"another partition":    {at(func(p *fargate.Place) { p.Partition = "aws-cn" }), "partition aws-cn"},
		"an unknown partition": {at(func(p *fargate.Place) { p.Partition = "" }), ""},
		"an unknown account":   {at(func(p *fargate.Place) { p.Account = "" }), ""},
		"an unknown region":    {at(func(p *fargate.Place) { p.Region = "" }), ""},
		"nobody says it":       {func(o *role.Options) { o.Identity = nil }, ""},
		"nobody may say it": {
			func(o *role.Options) {
				o.Identity = func(context.Context) (fargate.Place, error) { return fargate.Place{}, denied }
			}, "denied",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, cluster := range []string{"gone", fake.ClusterName} {
				c := fake.New()
				out, err := newRoles(c, tt.options).Step(t.Context(), leftOver(t, c, cluster), iam.RoleMemory{})
				if tt.says == "" {
					if err != nil || out.Reason != iam.ReasonDeletionAnnounced {
						t.Errorf("cluster %s: Step() = %+v, %v", cluster, out, err)
					}
					continue
				}
				failed, ok := errors.AsType[*role.Error](err)
				if !ok || failed.Retryable() || !strings.Contains(err.Error(), tt.says) || out.Call != nil || out.Settled {
					t.Errorf("cluster %s: Step() = %+v, %v", cluster, out, err)
				}
				if o := observe(t, c, "fp-exec"); o.tags()[iam.DeletingTag] != "" {
					t.Errorf("cluster %s: the role was marked for deletion", cluster)
				}
			}
		})
	}
}

// The client says where it works, and what somebody else says of the region does not
// count beside it.
func TestTheRegionOfTheClientCounts(t *testing.T) {
	c := fake.New()
	place := here()
	place.Region = "eu-west-1"
	roles := newRoles(c, landing(place), func(o *role.Options) { o.Profiles = sdkClient(c, "us-east-1") })
	if out, err := roles.Step(t.Context(), leftOver(t, c, "gone"), iam.RoleMemory{}); err != nil || out.Reason != iam.ReasonDeletionAnnounced {
		t.Errorf("Step() = %+v, %v", out, err)
	}
}

// The ARN of a profile proves where the calls land, so that nobody is asked.
func TestAProfileTellsWhereTheClusterIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "web")
		asked := 0
		roles := newRoles(c, func(o *role.Options) {
			o.Identity = func(context.Context) (fargate.Place, error) { asked++; return here(), nil }
		})
		out, err := roles.Step(t.Context(), leftOver(t, c, fake.ClusterName), iam.RoleMemory{})
		if err != nil || out.Reason != iam.ReasonDeletionAnnounced || asked > 0 {
			t.Errorf("Step() = %+v, %v after %d questions", out, err, asked)
		}
	})
}

// A role that is not in this account may be in the right one, so that it is neither
// made here nor believed to be gone.
func TestARoleIsAbsentOnlyInTheAccountOfTheCluster(t *testing.T) {
	for _, mode := range []iam.Mode{iam.ModeVerify, iam.ModeEnsure, iam.ModeDelete} {
		t.Run(string(mode), func(t *testing.T) {
			d := desiredRole(func(d *iam.DesiredRole) { d.Mode, d.ARN = mode, "arn:aws:iam::111122223333:role/fp-exec" })
			c := fake.New()
			place := here()
			place.Account = "444455556666"
			out, err := newRoles(c, landing(place)).Step(t.Context(), d, iam.RoleMemory{})
			if failed, ok := errors.AsType[*role.Error](err); !ok || failed.Retryable() || !strings.Contains(err.Error(), "account 444455556666") {
				t.Errorf("Step() = %+v, %v", out, err)
			}
			if writes := iamWrites(c); out.Gone || out.Settled || len(writes) > 0 {
				t.Errorf("Step() = %+v and made %v", out, writes)
			}
			unknown := func(o *role.Options) {
				o.Identity = func(context.Context) (fargate.Place, error) { return fargate.Place{}, errors.New("expired") }
			}
			if out, err := newRoles(c, unknown).Step(t.Context(), d, iam.RoleMemory{}); err == nil || !strings.Contains(err.Error(), "expired") || len(iamWrites(c)) > 0 {
				t.Errorf("nobody says where: Step() = %+v, %v", out, err)
			}
			// A role is of no region, and that of the calls may be another.
			place = here()
			place.Region = "eu-west-1"
			if out, err := newRoles(c, landing(place)).Step(t.Context(), d, iam.RoleMemory{}); err != nil {
				t.Errorf("in another region: Step() = %+v, %v", out, err)
			}
		})
	}
}
