// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

func controllerConfigs() map[string]iam.ControllerConfig {
	gov := iam.Scope{Region: "us-gov-west-1", Account: "111122223333", Cluster: "demo"}
	return map[string]iam.ControllerConfig{
		"bring-your-own": {Scope: demo(), Roles: []string{roleARN}, ChosenSubnets: true},
		"verify":         {Scope: demo(), Mode: iam.ModeVerify, Roles: []string{"arn:aws:iam::111122223333:role/teams/net/fp-*", roleARN}},
		"ensure":         {Scope: demo(), Mode: iam.ModeEnsure},
		"delete":         {Scope: gov, Mode: iam.ModeDelete},
		"everything": {
			Scope: iam.Scope{Partition: "aws", Region: "*", Account: "111122223333", Cluster: "*"}, Mode: iam.ModeDelete,
			ManagedPolicies: []string{"arn:aws:iam::111122223333:policy/logs"}, InlinePolicies: true,
			PermissionsBoundary: "arn:aws:iam::111122223333:policy/boundary", Preflight: true,
			Brought: []string{"arn:aws:iam::111122223333:role/brought"},
		},
	}
}

func TestControllerPolicy_Golden(t *testing.T) {
	for name, config := range controllerConfigs() {
		t.Run(name, func(t *testing.T) {
			golden(t, "controller/"+name+".json", iam.ControllerPolicy(config).Indent()+"\n")
		})
	}
}

func TestControllerPolicy_GrantsNothingTwiceNorOutsideOfItsScope(t *testing.T) {
	for name, config := range controllerConfigs() {
		t.Run(name, func(t *testing.T) {
			granted := map[string]bool{}
			for _, s := range iam.ControllerPolicy(config).Statements {
				for _, action := range s.Action {
					for _, resource := range s.Resource {
						if granted[action+" "+resource] {
							t.Errorf("%s on %s is granted twice", action, resource)
						}
						granted[action+" "+resource] = true
						if strings.ContainsAny(action, "*?") {
							t.Errorf("%s grants actions by pattern", s.Sid)
						}
						if !strings.Contains(resource, ":111122223333:") && s.Sid != iam.SidSubnets {
							t.Errorf("%s grants %s on %s, outside of the account", s.Sid, action, resource)
						}
					}
				}
			}
		})
	}
}

func TestControllerPolicy_EachModeIncludesTheOneBefore(t *testing.T) {
	var before []string
	for _, mode := range []iam.Mode{"", iam.ModeBringYourOwn, iam.ModeVerify, iam.ModeEnsure, iam.ModeDelete} {
		var actions []string
		for _, s := range iam.ControllerPolicy(iam.ControllerConfig{Scope: demo(), Mode: mode}).Statements {
			actions = append(actions, s.Action...)
		}
		for _, action := range before {
			if !slices.Contains(actions, action) {
				t.Errorf("mode %q lacks %s", mode, action)
			}
		}
		before = actions
	}
}

func TestScenario_B55_PassRoleIsLimitedToTheRoleAndTheService(t *testing.T) {
	d := iam.ControllerPolicy(controllerConfigs()["bring-your-own"])
	i := slices.IndexFunc(d.Statements, func(s iam.Statement) bool { return slices.Contains(s.Action, "iam:PassRole") })
	want := `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"iam:PassRole","Resource":"arn:aws:iam::111122223333:role/fp-exec","Condition":{"StringEquals":{"iam:PassedToService":["eks-fargate-pods.amazonaws.com","eks.amazonaws.com"]}}}]}`
	got := iam.Document{Version: d.Version, Statements: d.Statements[i : i+1]}
	if !iam.Equivalent(got, mustParse(t, want)) {
		t.Errorf("got %s", got.Indent())
	}
}

// The part of a cluster's name that every role name holds is 19 characters long.
func TestControllerPolicy_NamesOfRolesByTheirCluster(t *testing.T) {
	tests := map[string]string{
		"*":                           "fargate-*",
		"demo":                        "fargate-demo-*",
		strings.Repeat("c", 19):       "fargate-" + strings.Repeat("c", 19) + "-*",
		strings.Repeat("c", 20):       "fargate-" + strings.Repeat("c", 19) + "*",
		strings.Repeat("c", 99) + "d": "fargate-" + strings.Repeat("c", 19) + "*",
	}
	for cluster, want := range tests {
		scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: cluster}
		for _, s := range iam.ControllerPolicy(iam.ControllerConfig{Scope: scope}).Statements {
			if s.Sid == iam.SidPassRole && !slices.Equal(s.Resource, []string{"arn:aws:iam::111122223333:role/" + want}) {
				t.Errorf("cluster %s: %v, want %s", cluster, s.Resource, want)
			}
		}
	}
}

func TestControllerPolicy_CoversTheNamesThatRoleNameGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cluster := rapid.StringMatching(`[0-9A-Za-z][0-9A-Za-z_-]{0,99}`).Draw(t, "cluster")
		profile := rapid.StringMatching(`([0-9A-Za-z][0-9A-Za-z_-]{0,99})?`).Draw(t, "profile")
		config := iam.ControllerConfig{Scope: iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: cluster}}
		for _, s := range iam.ControllerPolicy(config).Statements {
			if s.Sid != iam.SidPassRole {
				continue
			}
			_, pattern, _ := strings.Cut(s.Resource[0], "role/")
			name := iam.RoleName(iam.RoleIdentity{Cluster: cluster, Profile: profile})
			prefix, ok := strings.CutSuffix(pattern, "*")
			if !ok || !strings.HasPrefix(name, prefix) {
				t.Fatalf("%s does not match %s", name, pattern)
			}
		}
	})
}
