// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// goClient calls the methods of clients for Go by their names.
type goClient struct {
	services map[string]any // by service
	profiles interface {
		eks.DescribeFargateProfileAPIClient
		eks.ListFargateProfilesAPIClient
	}
}

func startTyped(*testing.T) func(*testing.T, *fake.Cloud) client {
	return func(_ *testing.T, c *fake.Cloud) client {
		api := c.EKS()
		return goClient{map[string]any{"eks": api, "iam": c.IAM(), "sts": c.STS()}, api}
	}
}

func startInProcess(*testing.T) func(*testing.T, *fake.Cloud) client {
	return func(_ *testing.T, c *fake.Cloud) client { return goSDK(c.HTTPClient(), "http://fake.invalid") }
}

func startSocket(t *testing.T) func(*testing.T, *fake.Cloud) client {
	t.Helper()
	sockets := &http.Transport{}
	t.Cleanup(sockets.CloseIdleConnections)
	return func(t *testing.T, c *fake.Cloud) client {
		t.Helper()
		return goSDK(&http.Client{Transport: sockets}, listen(t, c))
	}
}

// goSDK makes the real clients, which try once.
func goSDK(h *http.Client, endpoint string) client {
	const region = "us-east-1"
	identity := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "AKIAFAKE", SecretAccessKey: "secret"}, nil
	})
	api := eks.New(eks.Options{
		Region: region, BaseEndpoint: &endpoint, HTTPClient: h, Credentials: identity, RetryMaxAttempts: 1,
	})
	return goClient{map[string]any{
		"eks": api,
		"iam": iam.New(iam.Options{
			Region: region, BaseEndpoint: &endpoint, HTTPClient: h, Credentials: identity, RetryMaxAttempts: 1,
		}),
		"sts": sts.New(sts.Options{
			Region: region, BaseEndpoint: &endpoint, HTTPClient: h, Credentials: identity, RetryMaxAttempts: 1,
		}),
	}, api}
}

func (g goClient) call(t *testing.T, service, operation string, input object) answer {
	t.Helper()
	method := reflect.ValueOf(g.services[service]).MethodByName(operation)
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	// JSON finds the fields of the SDK's structs: their names differ by case only.
	in := reflect.New(method.Type().In(1).Elem())
	if err := json.Unmarshal(text, in.Interface()); err != nil {
		t.Fatal(err)
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(t.Context()), in})
	if err, _ := reflect.TypeAssert[error](out[1]); err != nil {
		return answer{failure: goFailure(t, err)}
	}
	output, _ := shown(out[0], service != "eks").(object)
	delete(output, "ResultMetadata")
	delete(output, "resultMetadata")
	return answer{output: output}
}

func goFailure(t *testing.T, err error) *failure {
	t.Helper()
	api, ok := errors.AsType[smithy.APIError](err)
	var response interface{ HTTPStatusCode() int }
	if !ok || !errors.As(err, &response) {
		t.Fatalf("%v is no error of an API", err)
	}
	return &failure{api.ErrorCode(), api.ErrorMessage(), response.HTTPStatusCode(), reflect.TypeOf(api).Elem().Name()}
}

// shown turns an output of the SDK into what other clients show: members that are
// nil are absent, and members of EKS begin with a small letter.
func shown(v reflect.Value, capital bool) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return shown(v.Elem(), capital)
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, shown(v.Index(i), capital))
		}
		return list
	case reflect.Map:
		out := object{}
		for key, value := range v.Seq2() {
			out[key.String()] = shown(value, capital)
		}
		return out
	case reflect.Struct:
		return shownStruct(v, capital)
	case reflect.String:
		return v.String()
	default:
		return v.Interface()
	}
}

func shownStruct(v reflect.Value, capital bool) any {
	if at, ok := reflect.TypeAssert[time.Time](v); ok {
		return at.Format(time.RFC3339Nano)
	}
	out := object{}
	for field, value := range v.Fields() {
		if !field.IsExported() || isNil(value) {
			continue
		}
		name := field.Name
		if !capital {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		out[name] = shown(value, capital)
	}
	return out
}

func isNil(v reflect.Value) bool {
	nilable := v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map
	return nilable && v.IsNil()
}

func (g goClient) list(t *testing.T, cluster string, pageSize int) []string {
	t.Helper()
	pages := eks.NewListFargateProfilesPaginator(g.profiles, &eks.ListFargateProfilesInput{
		ClusterName: &cluster, MaxResults: aws.Int32(int32(pageSize)), //nolint:gosec // page sizes are small
	})
	var names []string
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, page.FargateProfileNames...)
	}
	return names
}

func (g goClient) wait(t *testing.T, waiter string, input object) string {
	t.Helper()
	cluster, name := input["clusterName"].(string), input["fargateProfileName"].(string)
	in := &eks.DescribeFargateProfileInput{ClusterName: &cluster, FargateProfileName: &name}
	if waiter == "FargateProfileDeleted" {
		return complaint(eks.NewFargateProfileDeletedWaiter(g.profiles, func(o *eks.FargateProfileDeletedWaiterOptions) {
			o.MinDelay, o.MaxDelay = time.Millisecond, time.Millisecond
		}).Wait(t.Context(), in, time.Minute))
	}
	return complaint(eks.NewFargateProfileActiveWaiter(g.profiles, func(o *eks.FargateProfileActiveWaiterOptions) {
		o.MinDelay, o.MaxDelay = time.Millisecond, time.Millisecond
	}).Wait(t.Context(), in, time.Minute))
}

func complaint(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
