// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// snapshotDir finds the golden bytes that an SDK's module ships.
func snapshotDir(t *testing.T, service string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}",
		"github.com/aws/aws-sdk-go-v2/service/eks", "github.com/aws/aws-sdk-go-v2/service/iam",
		"github.com/aws/aws-sdk-go-v2/service/sts").Output()
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasSuffix(path, service) && dir != "" {
			return dir
		}
	}
	t.Skipf("the module of service/%s is not on this machine: %v", service, err)
	return ""
}

// tap answers every request with one body, and keeps what was sent.
type tap struct {
	sent   []byte
	answer []byte
}

func (r *tap) Do(request *http.Request) (*http.Response, error) {
	r.sent, _ = io.ReadAll(request.Body)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/xml"}},
		Body: io.NopCloser(bytes.NewReader(r.answer)), Request: request,
	}, nil
}

// callSDK calls an operation of a real client by name.
func callSDK(ctx context.Context, service, name string, input any, r *tap) (any, error) {
	var client any = iam.New(iam.Options{Region: "us-east-1", HTTPClient: r, Credentials: credentials("x")})
	if service == "STS" {
		client = sts.New(sts.Options{Region: "us-east-1", HTTPClient: r, Credentials: credentials("x")})
	}
	out := reflect.ValueOf(client).MethodByName(name).Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(input)})
	err, _ := reflect.TypeAssert[error](out[1])
	return out[0].Interface(), err
}

// eachQueryOperation runs a test for every operation of the query protocol.
func eachQueryOperation(t *testing.T, run func(t *testing.T, o snapshot)) {
	t.Helper()
	for service, names := range fake.QueryOperations(fake.New()) {
		dir := snapshotDir(t, strings.ToLower(service))
		slices.Sort(names)
		for _, name := range names {
			t.Run(service+" "+name, func(t *testing.T) { run(t, snapshot{dir, service, name}) })
		}
	}
}

// snapshot is an operation and where its golden bytes are.
type snapshot struct{ dir, service, name string }

// body returns what comes after the head of the golden request or response.
func (s snapshot) body(t *testing.T, kind string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, kind+"_snapshot", s.name+"."+kind+".snap"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(text), "\n\n", 3)
	return parts[len(parts)-1]
}

// input is what our decoder makes of the golden request.
func (s snapshot) input(t *testing.T) any {
	t.Helper()
	c := fake.New()
	post(t, c, s.body(t, "request"))
	for call := range c.Calls() {
		if call.Operation != s.name || call.Service != s.service {
			t.Fatalf("the call was %s %s", call.Service, call.Operation)
		}
		return call.Input
	}
	t.Fatal("the request was no call")
	return nil
}

// Each request in the SDK's golden bytes is decoded to an input from which the
// SDK makes the same bytes again.
func TestQueryRequestsOfTheSDK(t *testing.T) {
	eachQueryOperation(t, func(t *testing.T, o snapshot) {
		t.Helper()
		r := &tap{answer: []byte("<x/>")}
		_, _ = callSDK(t.Context(), o.service, o.name, o.input(t), r) // the answer is none
		if diff := cmp.Diff(form(t, o.body(t, "request")), form(t, string(r.sent))); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
	})
}

func form(t *testing.T, body string) url.Values {
	t.Helper()
	values, err := url.ParseQuery(body)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// post sends a request of the query protocol in process.
func post(t *testing.T, c *fake.Cloud, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://fake.invalid/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.HTTPClient().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if id := response.Header.Get("X-Amzn-Requestid"); id == "" || !strings.Contains(string(text), "<RequestId>"+id+"</RequestId>") {
		t.Errorf("the request id %q of the header is not in %s", id, text)
	}
	return response.StatusCode, string(text)
}

// Each response in the SDK's golden bytes is encoded here to bytes that the SDK
// takes for the same output.
func TestQueryResponsesOfTheSDK(t *testing.T) {
	c := fake.New()
	eachQueryOperation(t, func(t *testing.T, o snapshot) {
		t.Helper()
		input := o.input(t)
		want, err := callSDK(t.Context(), o.service, o.name, input, &tap{answer: []byte(o.body(t, "response"))})
		if err != nil {
			t.Fatal(err)
		}
		ours := fake.EncodeQuery(c, o.service, o.name, want)
		got, err := callSDK(t.Context(), o.service, o.name, input, &tap{answer: ours})
		if err != nil {
			t.Fatal(err)
		}
		clearMetadata(want)
		clearMetadata(got)
		if !reflect.DeepEqual(want, got) {
			t.Errorf("want %#v\ngot %#v\nfrom %s", want, got, ours)
		}
	})
}

func clearMetadata(output any) {
	field := reflect.ValueOf(output).Elem().FieldByName("ResultMetadata")
	field.Set(reflect.Zero(field.Type()))
}
