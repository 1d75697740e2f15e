// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
)

func TestPlaceOf(t *testing.T) {
	const id = "/a0bfcdd2-c22e-1a97-5ef5-9b6bd6ac8c37"
	found := map[string]struct {
		arn  string
		want fargate.Place
	}{
		"a profile":        {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a" + id, fargate.Place{Partition: "aws", Account: "111122223333", Region: "us-east-1"}},
		"one in China":     {"arn:aws-cn:eks:cn-north-1:111122223333:fargateprofile/demo/fp-a" + id, fargate.Place{Partition: "aws-cn", Account: "111122223333", Region: "cn-north-1"}},
		"one with a colon": {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/a:b" + id, fargate.Place{Partition: "aws", Account: "111122223333", Region: "us-east-1"}},
	}
	for name, tt := range found {
		t.Run(name, func(t *testing.T) {
			if got, ok := fargate.PlaceOf(tt.arn); !ok || got != tt.want {
				t.Errorf("PlaceOf() = %+v, %v, want %+v", got, ok, tt.want)
			}
		})
	}
	for name, arn := range map[string]string{
		"nothing": "", "a text": "fp-a", "a role": roleR, "a cluster": "arn:aws:eks:us-east-1:111122223333:cluster/demo",
		"another first word": "urn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a", "no resource": "arn:aws:eks:us-east-1:111122223333",
		"another service": "arn:aws:ecs:us-east-1:111122223333:fargateprofile/demo/fp-a",
	} {
		t.Run(name+" is none", func(t *testing.T) {
			if got, ok := fargate.PlaceOf(arn); ok || got != (fargate.Place{}) {
				t.Errorf("PlaceOf() = %+v, %v, want nothing", got, ok)
			}
		})
	}
}

func TestPlaceContradicts(t *testing.T) {
	here := fargate.Place{Partition: "aws", Account: "111122223333", Region: "us-east-1"}
	tests := map[string]struct {
		other fargate.Place
		want  bool
	}{
		"the same":                  {here, false},
		"nothing is known":          {fargate.Place{}, false},
		"only the account is known": {fargate.Place{Account: "111122223333"}, false},
		"another account":           {fargate.Place{Account: "444455556666"}, true},
		"another region":            {fargate.Place{Region: "eu-west-1"}, true},
		"another partition":         {fargate.Place{Partition: "aws-cn"}, true},
		"the rest agrees":           {fargate.Place{Partition: "aws", Account: "111122223333", Region: "eu-west-1"}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := here.Contradicts(tt.other); got != tt.want {
				t.Errorf("Contradicts() = %v, want %v", got, tt.want)
			}
			if got := tt.other.Contradicts(here); got != tt.want {
				t.Errorf("Contradicts() the other way = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPlaceString(t *testing.T) {
	tests := map[string]fargate.Place{
		"account 111122223333, region us-east-1": {Partition: "aws", Account: "111122223333", Region: "us-east-1"},
		"account unknown, region us-east-1":      {Region: "us-east-1"},
		"account unknown, region unknown":        {},
	}
	for want, place := range tests {
		if got := place.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestPlaceOfNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arn := rapid.OneOf(near(), rapid.StringMatching(`(arn|aws|eks|:|fargateprofile/){0,9}`)).Draw(t, "arn")
		if p, ok := fargate.PlaceOf(arn); !ok && p != (fargate.Place{}) {
			t.Fatalf("PlaceOf(%q) = %+v without being sure", arn, p)
		}
	})
}
