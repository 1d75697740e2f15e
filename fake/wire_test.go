// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

// exchange sends one raw request to the handler.
func exchange(t *testing.T, c *fake.Cloud, method, target, body string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	recorder := httptest.NewRecorder()
	c.Handler().ServeHTTP(recorder, request)
	return recorder
}

func TestRawReplies(t *testing.T) {
	const create = `{"fargateProfileName":"web","podExecutionRoleArn":"arn:aws:iam::111122223333:role/fargate-pods",` +
		`"selectors":[{"namespace":"web","labels":null}],"unknown":1}`
	cases := map[string]struct {
		method, target, body string
		status               int
		errorType            string
		want                 string // a part of the reply's body
	}{
		"create": {
			"POST", "/clusters/demo/fargate-profiles", create, 200, "",
			`"status":"CREATING","tags":{},"health":{"issues":[]}}}`,
		},
		"list": {"GET", "/clusters/demo/fargate-profiles", "", 200, "", `{"fargateProfileNames":[],"nextToken":null}`},
		"list with an empty token": {
			"GET", "/clusters/demo/fargate-profiles?nextToken=", "", 200, "", `{"fargateProfileNames":[],"nextToken":null}`,
		},
		"list with a size that is no number": {
			"GET", "/clusters/demo/fargate-profiles?maxResults=x", "", 400, "SerializationException", `maxResults \"x\" is not a number.`,
		},
		"describe what is not there": {
			"GET", "/clusters/demo/fargate-profiles/none", "", 404, "ResourceNotFoundException",
			`{"message":"No Fargate Profile found with name: none."}`,
		},
		"an empty name in the path": {
			"GET", "/clusters//fargate-profiles", "", 404, "ResourceNotFoundException", `{"message":"No cluster found for name: ."}`,
		},
		"a body that is no JSON": {
			"POST", "/clusters/demo/fargate-profiles", "{", 400, "SerializationException", "The body is not valid JSON",
		},
		"a member of the wrong type": {
			"POST", "/clusters/demo/fargate-profiles", `{"subnets":"a"}`, 400, "SerializationException",
			`The member \"subnets\" has the wrong type: string`,
		},
		"a create without anything": {
			"POST", "/clusters/demo/fargate-profiles", "", 400, "InvalidParameterException", "invalid characters",
		},
		"an escaped ARN": {
			"GET", "/tags/arn%3Aaws%3Aeks%3Aus-east-1%3A111122223333%3Acluster%2Fdemo", "", 200, "", `{"tags":{}}`,
		},
		"an ARN that is not escaped": {
			"GET", "/tags/arn:aws:eks:us-east-1:111122223333:cluster/demo", "", 200, "", `{"tags":{}}`,
		},
		"versions with a flag that is no boolean": {
			"GET", "/cluster-versions?defaultOnly=x", "", 400, "SerializationException", `defaultOnly \"x\" is not a boolean.`,
		},
		"versions with another one": {
			"GET", "/cluster-versions?includeAll=2", "", 400, "SerializationException", `includeAll \"2\" is not a boolean.`,
		},
		"an access entry of the wrong type": {
			"POST", "/clusters/demo/access-entries", `{"principalArn":1}`, 400, "SerializationException", "principalArn",
		},
		"an update that is no JSON": {
			"POST", "/clusters/demo/update-config", "x", 400, "SerializationException", "The body is not valid JSON",
		},
		"a path of no operation": {"GET", "/x", "", 404, "UnknownOperationException", "GET /x."},
		"an operation that is not implemented": {
			"GET", "/clusters/demo/node-groups", "", 404, "UnknownOperationException",
			"The fake does not implement the operation GET /clusters/demo/node-groups.",
		},
		"a body that is too long": {
			"POST", "/clusters/demo/fargate-profiles", strings.Repeat(" ", 1<<20+1), 413, "RequestEntityTooLargeException",
			"longer than 1048576 bytes",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			reply := exchange(t, fake.New(), tc.method, tc.target, tc.body)
			if body := reply.Body.String(); reply.Code != tc.status || !strings.Contains(body, tc.want) {
				t.Errorf("status %d, body %s\nwant %d and %s", reply.Code, body, tc.status, tc.want)
			}
			if got := reply.Header().Get("X-Amzn-ErrorType"); got != tc.errorType {
				t.Errorf("error type %q, want %q", got, tc.errorType)
			}
			if reply.Header().Get("x-amzn-RequestId") == "" || reply.Header().Get("Content-Type") != "application/json" {
				t.Errorf("headers %v", reply.Header())
			}
		})
	}
}

// Clients of the query protocol read XML, also when the operation is not there.
func TestUnknownQueryOperationAnswersInXML(t *testing.T) {
	reply := exchange(t, fake.New(), "POST", "/", "Action=DescribeVpcs&Version=2016-11-15")
	const want = "<ErrorResponse><Error><Type>Sender</Type><Code>UnknownOperationException</Code>" +
		"<Message>The fake does not implement the operation DescribeVpcs (version 2016-11-15).</Message></Error><RequestId>"
	if body := reply.Body.String(); reply.Code != 404 || !strings.HasPrefix(body, want) {
		t.Errorf("status %d, body %s", reply.Code, body)
	}
	if got := reply.Header().Get("Content-Type"); got != "text/xml" {
		t.Errorf("content type %s", got)
	}
}

func TestCreatedAtIsEpochSeconds(t *testing.T) {
	c := fake.New()
	mustCreate(t, c, c.EKS(), "web")
	body := get(t, c, "/clusters/demo/fargate-profiles/web")
	_, rest, _ := strings.Cut(body, `"createdAt":`)
	number, _, _ := strings.Cut(rest, ",")
	if whole, fraction, found := strings.Cut(number, "."); !found || len(whole) < 10 || len(fraction) != 3 {
		t.Errorf("createdAt is %s in %s", number, body)
	}
}

func TestCallerFollowsFromTheCredentialScope(t *testing.T) {
	c := fake.New()
	client := sdkClient(c, func(o *eks.Options) {
		o.Region, o.Credentials = "eu-west-1", credentials("444455556666")
	})
	_, err := client.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
	wantError(t, err, "ResourceNotFoundException", 404, "No cluster found for name: demo.")
	for call := range c.Calls() {
		want := fake.Caller{Account: "444455556666", Region: "eu-west-1", ARN: "arn:aws:iam::444455556666:user/fake"}
		if call.Caller != want {
			t.Errorf("caller %+v, want %+v", call.Caller, want)
		}
	}
}

func TestDirectClientOfAnotherRegion(t *testing.T) {
	c := fake.New()
	elsewhere := c.EKS(func(caller *fake.Caller) { caller.Region = "eu-west-1" })
	in := &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)}
	if _, err := elsewhere.DescribeCluster(t.Context(), in); err == nil {
		t.Error("a cluster of another region was described")
	}
	if _, err := elsewhere.DescribeCluster(t.Context(), in, func(o *eks.Options) { o.Region = "us-east-1" }); err != nil {
		t.Errorf("a call with the cluster's region: %v", err)
	}
}

// The handler must answer anything, and never with a success that changes state
// unless the state allows it.
func FuzzHandler(f *testing.F) {
	f.Add("POST", "/clusters/demo/fargate-profiles", `{"fargateProfileName":"a","selectors":[{"namespace":"n"}]}`)
	f.Add("GET", "/clusters/demo/fargate-profiles?maxResults=1&nextToken=x", "")
	f.Add("DELETE", "/tags/arn%3Aaws%3Aeks%3A?tagKeys=a&tagKeys=%zz", "")
	f.Add("POST", "/clusters", `{"name":"x","resourcesVpcConfig":{"subnetIds":["s"]}}`)
	f.Add("POST", "/clusters/demo/access-entries", `{"principalArn":"arn:aws:iam::111122223333:role/fargate-pods","type":"EC2"}`)
	f.Add("POST", "/clusters/demo/update-config", `{"resourcesVpcConfig":{"endpointPublicAccess":false}}`)
	f.Add("POST", "/clusters/demo/updates", `{"version":"1.35"}`)
	f.Add("GET", "/cluster-versions?clusterVersions=1.34&maxResults=1", "")
	f.Add("POST", "/", "Action=GetRole&Version=2010-05-08")
	f.Fuzz(func(t *testing.T, method, target, body string) {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://fake.invalid"+target, strings.NewReader(body))
		if err != nil {
			t.Skip("no client can send this")
		}
		reply, err := fake.New().HTTPClient().Do(request)
		if err != nil {
			t.Fatalf("%s %q: %v", method, target, err)
		}
		text, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if reply.StatusCode >= 500 {
			t.Errorf("%s %q with %q: status %d, %s", method, target, body, reply.StatusCode, text)
		}
		named := reply.Header.Get("X-Amzn-ErrorType") != "" || bytes.HasPrefix(text, []byte("<ErrorResponse"))
		if failed := reply.StatusCode >= 400; failed != named {
			t.Errorf("%s %q: status %d with error type %q", method, target, reply.StatusCode, reply.Header.Get("X-Amzn-ErrorType"))
		}
	})
}
