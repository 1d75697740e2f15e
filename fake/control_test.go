// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

// control sends a request to the control API and decodes the answer.
func control(t *testing.T, c *fake.Cloud, method, name, body string) map[string]any {
	t.Helper()
	reply := exchange(t, c, method, "/_fake/"+name, body)
	if reply.Code != http.StatusOK {
		t.Fatalf("%s %s: status %d, %s", method, name, reply.Code, reply.Body)
	}
	var out map[string]any
	if err := json.Unmarshal(reply.Body.Bytes(), &out); err != nil {
		t.Fatalf("%s %s: %v in %s", method, name, err, reply.Body)
	}
	return out
}

// What follows is a test as a program in another language would write it.
func TestControlAPI(t *testing.T) {
	c := fake.New(atRest)
	control(t, c, "POST", "role", `{"name":"extra"}`)
	control(t, c, "POST", "subnet", `{"id":"subnet-1"}`)
	cluster := control(t, c, "POST", "cluster", `{"name":"more","subnets":["subnet-1"],"version":"1.33"}`)
	if cluster["arn"] != "arn:aws:eks:us-east-1:111122223333:cluster/more" {
		t.Errorf("cluster %v", cluster)
	}
	if err := create(t, c, sdkClient(c), "web", func(in *eks.CreateFargateProfileInput) {
		in.ClusterName, in.Subnets, in.PodExecutionRoleArn = aws.String("more"), nil, aws.String(c.RoleARN("extra"))
	}); err != nil {
		t.Fatal(err)
	}
	control(t, c, "POST", "profile", `{"name":"seeded","tags":{"aws:x":"y"},"selectors":[{"namespace":"s"}]}`)
	if got := control(t, c, "GET", "inventory", ""); !strings.Contains(got["profile demo/seeded"].(string), `"aws:x":"y"`) {
		t.Errorf("inventory %v", got)
	}
	before := c.Now()
	now := control(t, c, "POST", "advance", `{"duration":"1h30m"}`)["now"]
	if want := before.Add(90 * time.Minute).Format(time.RFC3339Nano); now != want {
		t.Errorf("now %v, want %s", now, want)
	}
	pod := control(t, c, "POST", "pod", `{"cluster":"more","namespace":"web","name":"p"}`)
	if pod["profile"] != "web" || pod["scheduler"] != "fargate-scheduler" || pod["pending"] != "0s" {
		t.Errorf("pod %v", pod)
	}
	saved := exchange(t, c, "GET", "/_fake/snapshot", "").Body.String()
	if got := control(t, c, "DELETE", "pod?cluster=more&namespace=web&name=p", ""); got["deleted"] != true {
		t.Errorf("deleted %v", got)
	}
	if pods := control(t, c, "GET", "pods", "")["pods"].([]any); len(pods) != 0 {
		t.Errorf("pods %v", pods)
	}
	if events := control(t, c, "GET", "events", "")["events"].([]any); len(events) != 1 {
		t.Errorf("events %v", events)
	}
	control(t, c, "POST", "restore", saved)
	if pods := control(t, c, "GET", "pods", "")["pods"].([]any); len(pods) != 1 {
		t.Errorf("restored pods %v", pods)
	}
	control(t, c, "POST", "reset", "")
	if got := listed(t, c.EKS()); len(got) > 0 || !c.Now().Equal(before) {
		t.Errorf("after the reset: profiles %v, time %v", got, c.Now())
	}
}

func TestControlOfFaults(t *testing.T) {
	c := fake.New()
	control(t, c, "POST", "fault", `{"code":"ServerException","skip":1}`)
	control(t, c, "POST", "fault", `[{"code":"ServerException","skip":1},{"operation":"ListClusters","delay":"1h"}]`)
	if got := pattern(t, c, 4); got != ".x.x" && got != ".xx." {
		t.Errorf("struck %s", got)
	}
	control(t, c, "DELETE", "fault", "")
	control(t, c, "POST", "policy", `{"document":"{\"Statement\":[]}"}`)
	if got := pattern(t, c, 2); got != "xx" {
		t.Errorf("with a policy: struck %s", got)
	}
	control(t, c, "POST", "policy", `{}`)
	if seed := control(t, c, "POST", "chaos", `{"seed":5,"throttle":1}`)["seed"]; seed != 5.0 {
		t.Errorf("seed %v", seed)
	}
	if got := pattern(t, c, 2); got != "xx" {
		t.Errorf("in chaos: struck %s", got)
	}
}

func TestControlShowsTheJournal(t *testing.T) {
	c := fake.New(atRest)
	pattern(t, c, 1)
	_, _ = c.EKS().DescribeFargateProfile(t.Context(), describeInput("none"))
	calls := control(t, c, "GET", "calls", "")["calls"].([]any)
	last := control(t, c, "GET", "calls?operation=DescribeFargateProfile", "")["calls"].([]any)
	if len(calls) != 2 || len(last) != 1 {
		t.Fatalf("calls %v, of one operation %v", calls, last)
	}
	got := last[0].(map[string]any)
	if got["number"] != 2.0 || got["code"] != "ResourceNotFoundException" || got["status"] != 404.0 || got["region"] != "us-east-1" ||
		got["target"].(map[string]any)["profile"] != "none" {
		t.Errorf("call %v", got)
	}
	permissions := control(t, c, "GET", "permissions", "")["permissions"].([]any)
	if len(permissions) != 2 || permissions[0].(map[string]any)["action"] != "eks:DescribeCluster" {
		t.Errorf("permissions %v", permissions)
	}
	operations := control(t, c, "GET", "operations", "")["operations"].([]any)
	if !slices.Contains(operations, any("EKS.CreateFargateProfile")) {
		t.Errorf("operations %v", operations)
	}
}

func TestControlRefusesWhatItDoesNotUnderstand(t *testing.T) {
	cases := map[string]struct {
		method, name, body string
		status             int
		want               string
	}{
		"another name":          {"POST", "explode", "", 404, "POST explode is not part of the control API: DELETE fault, "},
		"another method":        {"GET", "reset", "", 404, "GET reset is not part of the control API"},
		"no JSON":               {"POST", "advance", "x", 400, "reading the body"},
		"a misspelt member":     {"POST", "fault", `{"operatoin":"x"}`, 400, `unknown field`},
		"a duration of nothing": {"POST", "advance", `{"duration":"soon"}`, 400, "reading a duration"},
		"a chaos of text":       {"POST", "chaos", `{"throttle":"often"}`, 400, "reading the body"},
		"a policy of nonsense":  {"POST", "policy", `{"document":"["}`, 400, "reading the policy"},
		"a policy of a list":    {"POST", "policy", `[]`, 400, "reading the body"},
		"no snapshot":           {"POST", "restore", "", 400, "the body must be a snapshot"},
		"another snapshot":      {"POST", "restore", "{}", 400, "the snapshot has version 0"},
		"a pod without a name":  {"POST", "pod", `{}`, 400, "it has no name"},
		"a pod of text":         {"POST", "pod", `"p"`, 400, "reading the body"},
		"a profile of text":     {"POST", "profile", `"p"`, 400, "reading the body"},
		"a profile of nowhere":  {"POST", "profile", `{"name":"p","cluster":"none"}`, 400, "no cluster"},
		"a cluster of text":     {"POST", "cluster", `"c"`, 400, "reading the body"},
		"a role of text":        {"POST", "role", `"r"`, 400, "reading the body"},
		"a subnet of text":      {"POST", "subnet", `"s"`, 400, "reading the body"},
		"moto's reset":          {"POST", "../moto-api/reset", "", 404, "does not implement"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			target := "/_fake/" + tc.name
			if tc.name == "../moto-api/reset" {
				target = "/moto-api/reset"
			}
			reply := exchange(t, fake.New(), tc.method, target, tc.body)
			if reply.Code != tc.status || !strings.Contains(reply.Body.String(), tc.want) {
				t.Errorf("status %d, %s", reply.Code, reply.Body)
			}
		})
	}
}

func TestControlBodiesAreBounded(t *testing.T) {
	request := httptest.NewRequestWithContext(t.Context(), "POST", "/_fake/restore", endless{})
	recorder := httptest.NewRecorder()
	fake.New().Handler().ServeHTTP(recorder, request)
	if recorder.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, %s", recorder.Code, recorder.Body)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func FuzzControl(f *testing.F) {
	f.Add("POST", "fault", `[{"operation":"x","delay":"1s","outcome":{"stuck":true}}]`)
	f.Add("POST", "pod", `{"name":"p","unsupported":{"privileged":-1}}`)
	f.Add("POST", "cluster", `{"name":"","subnets":[]}`)
	f.Add("POST", "role", `{"name":"/","trust":"x"}`)
	f.Add("POST", "policy", `{"document":"{\"Statement\":{\"Effect\":\"Allow\"}}"}`)
	f.Fuzz(func(t *testing.T, method, name, body string) {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://fake.invalid/_fake/"+name, strings.NewReader(body))
		if err != nil {
			t.Skip("no client can send this")
		}
		c := fake.New(atRest)
		reply, err := c.HTTPClient().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if reply.StatusCode >= 500 {
			t.Errorf("%s %q with %q: status %d", method, name, body, reply.StatusCode)
		}
		c.ClearFaults()
		mustAnswer(t, c)
	})
}
