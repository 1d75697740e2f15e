// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// pattern calls DescribeCluster n times and writes x for a fault, . for none.
func pattern(t *testing.T, c *fake.Cloud, n int) string {
	t.Helper()
	var out strings.Builder
	for range n {
		_, err := c.EKS().DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
		out.WriteString(map[bool]string{true: ".", false: "x"}[err == nil])
	}
	return out.String()
}

func TestWhichCallsAFaultStrikes(t *testing.T) {
	const code = "ServerException"
	cases := map[string]struct {
		faults []fake.Fault
		want   string
	}{
		"the first one":         {[]fake.Fault{{Code: code}}, "x....."},
		"the third one":         {[]fake.Fault{{Code: code, Skip: 2}}, "..x..."},
		"two from the second":   {[]fake.Fault{{Code: code, Skip: 1, Count: 2}}, ".xx..."},
		"every one":             {[]fake.Fault{{Code: code, Count: -1}}, "xxxxxx"},
		"of this operation":     {[]fake.Fault{{Code: code, Operation: "DescribeCluster"}}, "x....."},
		"of another operation":  {[]fake.Fault{{Code: code, Operation: "ListClusters"}}, "......"},
		"of this cluster":       {[]fake.Fault{{Code: code, Target: fake.Target{Cluster: "demo"}}}, "x....."},
		"of another cluster":    {[]fake.Fault{{Code: code, Target: fake.Target{Cluster: "other"}}}, "......"},
		"of a profile":          {[]fake.Fault{{Code: code, Target: fake.Target{Profile: "web"}}}, "......"},
		"one fault, then other": {[]fake.Fault{{Code: code}, {Code: code, Skip: 2}}, "x..x.."},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			c.Inject(tc.faults...)
			if got := pattern(t, c, 6); got != tc.want {
				t.Errorf("struck %s, want %s", got, tc.want)
			}
			c.ClearFaults()
			if got := pattern(t, c, 3); got != "..." {
				t.Errorf("struck %s after ClearFaults", got)
			}
		})
	}
}

func TestProbabilityFollowsTheSeed(t *testing.T) {
	run := func(seed uint64) string {
		c := fake.New(func(o *fake.Options) { o.Seed = seed })
		c.Inject(fake.Fault{Code: "ServerException", Count: -1, Probability: 0.5})
		return pattern(t, c, 64)
	}
	one, again, other := run(1), run(1), run(2)
	if one != again || one == other {
		t.Error("the pattern does not follow the seed")
	}
}

func TestFaultOfAnyCode(t *testing.T) {
	cases := map[string]struct {
		fault  fake.Fault
		status int
	}{
		"a code of the model":            {fake.Fault{Code: "ServerException", Message: "m"}, 500},
		"a code with a status":           {fake.Fault{Code: "ServerException", Message: "m", Status: 502}, 502},
		"a code of no model":             {fake.Fault{Code: "OptInRequired", Message: "m"}, 400},
		"the older code for too many":    {fake.Fault{Code: "TooManyRequestsException", Message: "m"}, 429},
		"a service that is not there":    {fake.Fault{Code: "ServiceUnavailableException", Message: "m"}, 503},
		"access that is denied":          {fake.Fault{Code: "AccessDeniedException", Message: "m"}, 403},
		"a region without the service":   {fake.Fault{Code: "UnsupportedAvailabilityZoneException", Message: "m"}, 400},
		"a change that is not there yet": {fake.Fault{Code: "ResourcePropagationDelayException", Message: "m"}, 428},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var texts []string
			overTransports(t, func(e env) {
				tc.fault.Count = -1
				e.c.Inject(tc.fault)
				_, err := e.api.ListClusters(e.t.Context(), nil, func(o *eks.Options) { o.RetryMaxAttempts = 1 })
				wantError(e.t, err, tc.fault.Code, tc.status, "m")
				texts = append(texts, anonymous(err))
			})
			if texts[0] != texts[1] && !retryable(tc.status) {
				t.Errorf("texts differ:\n%s\n%s", texts[0], texts[1])
			}
		})
	}
}

// retryable errors have a sentence of the SDK's about attempts in them.
func retryable(status int) bool { return status == 429 || status >= 500 }

func TestRefusedCallHasNoEffect(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: "ServerException"})
	if err := create(t, c, c.EKS(), "web"); err == nil {
		t.Fatal("the fault did not strike")
	}
	_, err := c.EKS().DescribeFargateProfile(t.Context(), describeInput("web"))
	wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
}

func TestDelayedReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		for _, api := range []eksAPI{c.EKS(), sdkClient(c)} {
			c.Inject(fake.Fault{Operation: "ListClusters", Delay: 7 * time.Second})
			begin := time.Now()
			if _, err := api.ListClusters(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begin); took != 7*time.Second {
				t.Errorf("%T: the reply took %v, want 7 s", api, took)
			}
		}
	})
}

func TestFaultIsData(t *testing.T) {
	want := fake.Fault{
		Operation: "CreateFargateProfile", Target: fake.Target{Cluster: "demo", Profile: "web"},
		Skip: 1, Count: 2, Probability: 0.5, Delay: time.Second, Stale: 90 * time.Second,
		Deny: "eks:*", LoseRequest: true, LoseReply: true, Code: "c", Message: "m", Status: 418,
		Outcome: fake.FailAfter(time.Minute, "AccessDenied", "no", "role"),
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got fake.Fault
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %s (-want +got):\n%s", text, diff)
	}
}

func TestDurationsOfFaultsAreText(t *testing.T) {
	text, err := json.Marshal(fake.Fault{Delay: 90 * time.Second, Outcome: &fake.Outcome{After: time.Minute, Stuck: true}})
	const want = `{"outcome":{"stuck":true,"after":"1m0s"},"delay":"1m30s"}`
	if err != nil || string(text) != want {
		t.Errorf("%s, error %v, want %s", text, err, want)
	}
	for _, wrong := range []string{`{"delay":"-1s"}`, `{"delay":"soon"}`, `{"stale":7}`, `{"outcome":{"after":"x"}}`, `[]`} {
		var f fake.Fault
		if err := json.Unmarshal([]byte(wrong), &f); err == nil {
			t.Errorf("%s was read as %+v", wrong, f)
		}
	}
}
