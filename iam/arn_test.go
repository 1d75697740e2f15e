// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/selector"
)

func TestScenario_B54_ARolePathIsKeptApart(t *testing.T) {
	const text = "arn:aws:iam::111122223333:role/teams/net/fp-exec"
	got, err := iam.ParseRoleARN(text)
	if err != nil {
		t.Fatal(err)
	}
	want := iam.RoleARN{Partition: "aws", Account: "111122223333", Path: "/teams/net/", Name: "fp-exec"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.String() != text {
		t.Errorf("String() = %s, want %s", got, text)
	}
	if auth := got.AuthARN(); auth != "arn:aws:iam::111122223333:role/fp-exec" {
		t.Errorf("AuthARN() = %s", auth)
	}
}

func TestParseRoleARN_Refuses(t *testing.T) {
	tests := map[string]struct{ arn, reason string }{
		"nothing":                 {"", "want arn:<partition>:iam::<account>:role/<name>"},
		"a name":                  {"fp-exec", "want arn:<partition>:iam::<account>:role/<name>"},
		"a session":               {"arn:aws:sts::111122223333:assumed-role/fp-exec/me", "that is a session of a role"},
		"a Fargate profile":       {demoProfile, "that is a Fargate profile; want its pod execution role"},
		"an instance profile":     {"arn:aws:iam::111122223333:instance-profile/x", "that is an instance profile"},
		"another service":         {"arn:aws:s3:::role/x", "not an ARN of IAM"},
		"a region":                {"arn:aws:iam:us-east-1:111122223333:role/x", "not an ARN of IAM"},
		"an unknown partition":    {"arn:gcp:iam::111122223333:role/x", "the partition is unknown"},
		"a word like a partition": {"arn:awsome:iam::111122223333:role/x", "the partition is unknown"},
		"a partition cut off":     {"arn:aws-:iam::111122223333:role/x", "the partition is unknown"},
		"a partition in capitals": {"arn:AWS:iam::111122223333:role/x", "the partition is unknown"},
		"a short account":         {"arn:aws:iam::1111:role/x", "the account must have 12 digits"},
		"the AWS account":         {"arn:aws:iam::aws:role/x", "the account must have 12 digits"},
		"a user":                  {"arn:aws:iam::111122223333:user/x", "that is not a role"},
		"no name":                 {"arn:aws:iam::111122223333:role/", "the name of the role"},
		"a name with a space":     {"arn:aws:iam::111122223333:role/a b", "the name of the role"},
		"a name with a newline":   {"arn:aws:iam::111122223333:role/a\n", "the name of the role"},
		"a name of 65":            {"arn:aws:iam::111122223333:role/" + strings.Repeat("a", 65), "the name of the role"},
		"an empty path":           {"arn:aws:iam::111122223333:role//x", "the path of the role"},
		"a path with a space":     {"arn:aws:iam::111122223333:role/a b/x", "the path of the role"},
		"a path of 513":           {"arn:aws:iam::111122223333:role/" + strings.Repeat("p", 511) + "/x", "the path of the role"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := iam.ParseRoleARN(tc.arn)
			e, ok := errors.AsType[*iam.ARNError](err)
			if !ok || e.ARN != tc.arn || !strings.Contains(err.Error(), tc.reason) {
				t.Errorf("error = %v, want an *ARNError with %q", err, tc.reason)
			}
		})
	}
}

// The longest name and the longest path that IAM takes, together: package fargate
// must not give us an ARN that we then refuse.
func TestParseRoleARN_TakesTheLongest(t *testing.T) {
	name, path := strings.Repeat("n", 64), "/"+strings.Repeat("p", 510)+"/"
	got, err := iam.ParseRoleARN("arn:aws-iso-b:iam::111122223333:role" + path + name)
	if err != nil || got.Name != name || got.Path != path {
		t.Errorf("ParseRoleARN() = %+v, %v", got, err)
	}
}

// What package iam takes for the ARN of a role, package fargate takes, too.
func TestParseRoleARN_AgreesWithTheSpecOfAProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arn := rapid.StringMatching(`arn:(aws|aws-[a-z]{0,3}|awsx|):iam::(\d{12}|1):(role|user)/([a-z!]{0,2}/){0,2}[a-z+ ]{0,3}`).Draw(t, "arn")
		if rapid.Bool().Draw(t, "long") {
			arn += strings.Repeat("x", rapid.IntRange(60, 70).Draw(t, "more"))
		}
		_, err := iam.ParseRoleARN(arn)
		spec := fargate.Spec{ClusterName: "demo", Name: "web", PodExecutionRoleARN: arn, Selectors: []selector.Selector{{Namespace: "web"}}}
		if valid := spec.Validate(); err == nil && valid != nil {
			t.Fatalf("%s: fargate refuses it: %v", arn, valid)
		}
	})
}

func TestParseRoleARN_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := iam.RoleARN{
			Partition: rapid.SampledFrom(iam.Partitions()).Draw(t, "partition"),
			Account:   rapid.StringMatching(`\d{12}`).Draw(t, "account"),
			Path:      rapid.StringMatching(`/([!-~]{1,20}/)?`).Draw(t, "path"),
			Name:      rapid.StringMatching(`[\w+=,.@-]{1,64}`).Draw(t, "name"),
		}
		got, err := iam.ParseRoleARN(want.String())
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}
