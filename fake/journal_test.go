// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

func TestJournalHasTypedInputs(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		in := createInput(c, "web")
		in.Tags = map[string]string{"team": "x"}
		if _, err := api.CreateFargateProfile(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		in.Tags["team"] = "spoilt"
		if _, err := api.DescribeFargateProfile(t.Context(), describeInput("none")); err == nil {
			t.Fatal("a profile that does not exist was described")
		}
		calls := slices.Collect(c.Calls())
		if len(calls) != 2 {
			t.Fatalf("%d calls, want 2", len(calls))
		}
		created, ok := calls[0].Input.(*eks.CreateFargateProfileInput)
		if !ok || created.Tags["team"] != "x" || *created.ClusterName != "demo" || aws.ToString(created.ClientRequestToken) == "" {
			t.Errorf("first input %#v", calls[0].Input)
		}
		want := fake.Target{Cluster: "demo", Profile: "none"}
		second := calls[1]
		if second.Number != 2 || second.Service != "EKS" || second.Operation != "DescribeFargateProfile" ||
			second.Target != want || second.Status != 404 || second.Code != "ResourceNotFoundException" ||
			second.Caller.Region != "us-east-1" || second.Caller.Account != "111122223333" {
			t.Errorf("second call %+v", second)
		}
	})
}

func TestJournalKeepsTheNewestCalls(t *testing.T) {
	numbers := func(size, calls int) []int {
		c := fake.New(func(o *fake.Options) { o.JournalSize = size })
		pattern(t, c, calls)
		var out []int
		for call := range c.Calls() {
			out = append(out, call.Number)
		}
		if n := c.CallCount(); n != calls {
			t.Errorf("size %d: counted %d calls, want %d", size, n, calls)
		}
		return out
	}
	if got := numbers(3, 7); !slices.Equal(got, []int{5, 6, 7}) {
		t.Errorf("kept %v", got)
	}
	if got := numbers(3, 2); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("kept %v", got)
	}
	if got := numbers(-1, 2); len(got) != 0 {
		t.Errorf("kept %v", got)
	}
}

func TestCountersAndForgetting(t *testing.T) {
	c := fake.New()
	pattern(t, c, 3)
	mustCreate(t, c, c.EKS(), "web")
	if n := c.CallCount("DescribeCluster", "CreateFargateProfile"); n != 4 {
		t.Errorf("%d calls of two operations, want 4", n)
	}
	if n := c.CallCount("DeleteCluster"); n != 0 {
		t.Errorf("%d calls of an operation that nobody called", n)
	}
	for range c.Calls() {
		break // an iterator may be left early
	}
	c.ForgetCalls()
	if n := c.CallCount(); n != 0 || len(slices.Collect(c.Calls())) != 0 {
		t.Errorf("%d calls after ForgetCalls", n)
	}
}
