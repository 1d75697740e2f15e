// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// unread are the members of golden requests that the fake leaves out of its
// inputs, by operation: what it says of itself under "Differences from AWS".
func unread() map[string][]string {
	cluster := []string{
		"bootstrapSelfManagedAddons", "computeConfig", "controlPlaneScalingConfig", "deletionProtection",
		"encryptionConfig", "kubeApiServerConfig", "kubeControllerManagerConfig", "kubeSchedulerConfig",
		"kubernetesNetworkConfig", "logging", "outpostConfig", "remoteNetworkConfig", "storageConfig",
		"upgradePolicy", "zonalShiftConfig",
		"accessConfig.bootstrapClusterCreatorAdminPermissions", "resourcesVpcConfig.controlPlaneEgressMode",
	}
	return map[string][]string{
		"CreateCluster":           cluster,
		"UpdateClusterConfig":     cluster,
		"UpdateClusterVersion":    {"rollbackConfig"},
		"DescribeClusterVersions": {"clusterType", "status"},
		"DescribeUpdate":          {"addonName", "capabilityName", "nodegroupName"},
		"ListAccessEntries":       {"associatedPolicyArn"},
		"ListUpdates":             {"addonName", "capabilityName", "nodegroupName"},
	}
}

// unwritten are the members of golden responses that the fake never sends.
func unwritten() map[string][]string {
	cluster := []string{
		"computeConfig", "connectorConfig", "controlPlaneScalingConfig", "clientRequestToken", "deletionProtection",
		"encryptionConfig", "health", "id", "kubeApiServerConfig", "kubeControllerManagerConfig", "kubeSchedulerConfig",
		"logging", "outpostConfig", "remoteNetworkConfig", "storageConfig", "upgradePolicy", "zonalShiftConfig",
		"accessConfig.bootstrapClusterCreatorAdminPermissions", "certificateAuthority.active",
		"kubernetesNetworkConfig.elasticLoadBalancing", "kubernetesNetworkConfig.serviceIpv6Cidr",
		"resourcesVpcConfig.controlPlaneEgressMode",
	}
	for i, path := range cluster {
		cluster[i] = "cluster." + path
	}
	update := []string{"update.cancellation"}
	return map[string][]string{
		"CreateCluster": cluster, "DescribeCluster": cluster, "DeleteCluster": cluster,
		"DescribeClusterVersions": {"clusterVersions.controlPlaneComponentConfig", "clusterVersions.controlPlaneScalingTiers"},
		"UpdateClusterConfig":     update, "UpdateClusterVersion": update, "DescribeUpdate": update,
	}
}

// goldenRequest is a request as an SDK sends it.
type goldenRequest struct {
	Method string
	Path   string // escaped
	Query  url.Values
	Body   any // parsed JSON
}

func requestOf(t *testing.T, method, target string, body []byte) goldenRequest {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	return goldenRequest{Method: method, Path: u.EscapedPath(), Query: u.Query(), Body: parsed(t, body)}
}

// parsed returns the tree of a JSON document; that of nothing is an empty one.
func parsed(t *testing.T, body []byte) any {
	t.Helper()
	var tree any = map[string]any{}
	if len(bytes.TrimSpace(body)) == 0 {
		return tree
	}
	if err := json.Unmarshal(body, &tree); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return tree
}

// without removes members, whose paths have dots, from a tree, also from each
// element of a list.
func without(tree any, paths []string) any {
	for _, path := range paths {
		removeMember(tree, strings.Split(path, "."))
	}
	return tree
}

func removeMember(tree any, path []string) {
	if list, ok := tree.([]any); ok {
		for _, element := range list {
			removeMember(element, path)
		}
	}
	members, ok := tree.(map[string]any)
	if !ok {
		return
	}
	if len(path) == 1 {
		delete(members, path[0])
		return
	}
	removeMember(members[path[0]], path[1:])
}

// catch answers every request with one response, and keeps the last request.
type catch struct {
	method, target string
	request        []byte

	status int
	header http.Header
	body   []byte
}

func (c *catch) Do(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	c.method, c.target, c.request = r.Method, r.URL.EscapedPath()+"?"+r.URL.RawQuery, body
	return &http.Response{
		StatusCode: c.status, Header: c.header, ContentLength: int64(len(c.body)),
		Body: io.NopCloser(bytes.NewReader(c.body)), Request: r,
	}, nil
}

// callEKS calls an operation of the real client by name.
func callEKS(t *testing.T, c *catch, name string, input any) (any, error) {
	t.Helper()
	client := eks.New(eks.Options{
		Region: "us-east-1", HTTPClient: c, Credentials: credentials("x"),
		BaseEndpoint: aws.String("http://fake.invalid"), RetryMaxAttempts: 1,
	})
	out := reflect.ValueOf(client).MethodByName(name).Call(
		[]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(input)})
	err, _ := reflect.TypeAssert[error](out[1])
	return out[0].Interface(), err
}

// eachRESTOperation runs a test for every operation of EKS and the requests in
// the SDK's golden bytes.
func eachRESTOperation(t *testing.T, run func(t *testing.T, o snapshot)) {
	t.Helper()
	dir := snapshotDir(t, "eks")
	names := fake.RESTOperations(fake.New())
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) { run(t, snapshot{dir, "EKS", name}) })
	}
}

// head is the first line of the golden request: method and target.
func (s snapshot) head(t *testing.T) (method, target string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "request_snapshot", s.name+".request.snap"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	method, target, _ = strings.Cut(line, " ")
	return method, target
}

// restInput is what our decoder makes of the golden request of EKS.
func (s snapshot) restInput(t *testing.T) any {
	t.Helper()
	c := fake.New()
	method, target := s.head(t)
	request, err := http.NewRequestWithContext(t.Context(), method, "http://fake.invalid"+target,
		strings.NewReader(strings.TrimSpace(s.body(t, "request"))))
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.HTTPClient().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	for call := range c.Calls() {
		if call.Operation != s.name {
			t.Fatalf("the call was %s", call.Operation)
		}
		return call.Input
	}
	t.Fatalf("the request was no call: status %d", response.StatusCode)
	return nil
}

// Each request in the SDK's golden bytes is decoded to an input from which the
// SDK makes the same request again, but for the members that the fake ignores.
func TestRESTRequestsOfTheSDK(t *testing.T) {
	eachRESTOperation(t, func(t *testing.T, o snapshot) {
		t.Helper()
		method, target := o.head(t)
		want := requestOf(t, method, target, []byte(o.body(t, "request")))
		without(want.Body, unread()[o.name])
		for _, name := range unread()[o.name] {
			want.Query.Del(name)
		}
		sender := &catch{status: http.StatusOK, body: []byte("{}")}
		if _, err := callEKS(t, sender, o.name, o.restInput(t)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, requestOf(t, sender.method, sender.target, sender.request)); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
	})
}

// Each response in the SDK's golden bytes is decoded by the SDK and encoded here
// to the same bytes, but for order and for the members that the fake never sends.
func TestRESTResponsesOfTheSDK(t *testing.T) {
	c := fake.New()
	eachRESTOperation(t, func(t *testing.T, o snapshot) {
		t.Helper()
		golden := []byte(o.body(t, "response"))
		answer := &catch{status: http.StatusOK, body: golden}
		output, err := callEKS(t, answer, o.name, o.restInput(t))
		if err != nil {
			t.Fatal(err)
		}
		want := without(parsed(t, golden), unwritten()[o.name])
		if diff := cmp.Diff(want, parsed(t, fake.EncodeREST(c, o.name, output))); diff != "" {
			t.Errorf("response (-want +got):\n%s", diff)
		}
	})
}
