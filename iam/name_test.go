// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

func TestRoleName_IsStableAndReadable(t *testing.T) {
	tests := map[string]struct {
		id   iam.RoleIdentity
		want string
	}{
		"a profile's role": {
			iam.RoleIdentity{Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "demo", Profile: "fp-a"},
			"fargate-demo-fp-a-",
		},
		"a cluster's role": {
			iam.RoleIdentity{Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "demo"},
			"fargate-demo-",
		},
		"a long cluster and a short profile": {
			iam.RoleIdentity{Cluster: strings.Repeat("c", 100), Profile: "p"},
			"fargate-" + strings.Repeat("c", 37) + "-p-",
		},
		"a short cluster and a long profile": {
			iam.RoleIdentity{Cluster: "c", Profile: strings.Repeat("p", 100)},
			"fargate-c-" + strings.Repeat("p", 37) + "-",
		},
		"both long": {
			iam.RoleIdentity{Cluster: strings.Repeat("c", 100), Profile: strings.Repeat("p", 100)},
			"fargate-" + strings.Repeat("c", 19) + "-" + strings.Repeat("p", 19) + "-",
		},
		"what a name can't hold": {iam.RoleIdentity{Cluster: "a/b", Profile: "\u00fc*"}, "fargate-a-b----"},
		"nothing":                {iam.RoleIdentity{}, "fargate--"},
	}
	var names strings.Builder
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.RoleName(tc.id)
			if !strings.HasPrefix(got, tc.want) || len(got) != len(tc.want)+16 || len(got) > iam.MaxRoleName {
				t.Errorf("got %s (%d characters), want %s and 16 more", got, len(got), tc.want)
			}
		})
	}
	// Names are kept for as long as the roles live: they must never change.
	for _, key := range []string{"a profile's role", "a cluster's role", "both long"} {
		names.WriteString(iam.RoleName(tests[key].id) + "\n")
	}
	golden(t, "names.txt", names.String())
}

func TestScenario_B45_RoleNamesDoNotCollide(t *testing.T) {
	base := iam.RoleIdentity{Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "a", Profile: "b-c"}
	others := map[string]iam.RoleIdentity{
		"the hyphen elsewhere": {Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "a-b", Profile: "c"},
		"another region":       {Partition: "aws", Account: "111122223333", Region: "eu-west-1", Cluster: "a", Profile: "b-c"},
		"another account":      {Partition: "aws", Account: "444455556666", Region: "us-east-1", Cluster: "a", Profile: "b-c"},
		"another partition":    {Partition: "aws-cn", Account: "111122223333", Region: "us-east-1", Cluster: "a", Profile: "b-c"},
		"another case":         {Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "A", Profile: "b-c"},
		"the cluster's own":    {Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "a-b-c"},
	}
	for name, other := range others {
		if strings.EqualFold(iam.RoleName(base), iam.RoleName(other)) {
			t.Errorf("%s: both are %s", name, iam.RoleName(base))
		}
	}
}

func TestScenario_B50_RoleNamesAreLegalWhateverTheInput(t *testing.T) {
	legal := regexp.MustCompile(`^[\w+=,.@-]{1,64}$`)
	identity := rapid.Custom(func(t *rapid.T) iam.RoleIdentity {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9-]{0,100}`))
		return iam.RoleIdentity{
			Partition: text.Draw(t, "partition"), Account: text.Draw(t, "account"), Region: text.Draw(t, "region"),
			Cluster: text.Draw(t, "cluster"), Profile: text.Draw(t, "profile"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := identity.Draw(t, "a"), identity.Draw(t, "b")
		if name := iam.RoleName(a); !legal.MatchString(name) || name != iam.RoleName(a) {
			t.Fatalf("%q is not a legal, stable name", name)
		}
		if strings.EqualFold(iam.RoleName(a), iam.RoleName(b)) != (a == b) {
			t.Fatalf("%+v and %+v: %s and %s", a, b, iam.RoleName(a), iam.RoleName(b))
		}
	})
}
