// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// goldenError is an error as an SDK's module has it.
type goldenError struct {
	status int
	body   []byte
}

// goldenErrors reads the errors in the golden bytes of a service.
func goldenErrors(t *testing.T, service string) map[string]goldenError {
	t.Helper()
	dir := filepath.Join(snapshotDir(t, strings.ToLower(service)), "response_snapshot")
	files, err := filepath.Glob(filepath.Join(dir, "*.error.snap"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no errors in %s: %v", dir, err)
	}
	out := map[string]goldenError{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(string(text), "\n\n")
		line, _, _ := strings.Cut(head, "\n")
		status, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".error.snap")] = goldenError{status, []byte(body)}
	}
	return out
}

// decodeError is the error that the real client of a service makes of an answer.
func decodeError(t *testing.T, service string, status int, header http.Header, body []byte) smithy.APIError {
	t.Helper()
	answer := &catch{status: status, header: header, body: body}
	var err error
	switch service {
	case "EKS":
		_, err = callEKS(t, answer, "DescribeCluster", &eks.DescribeClusterInput{Name: aws.String("a")})
	case "IAM":
		_, err = iam.New(iam.Options{
			Region: "us-east-1", HTTPClient: answer, Credentials: credentials("x"), RetryMaxAttempts: 1,
		}).ListRoles(t.Context(), nil)
	default:
		_, err = sts.New(sts.Options{
			Region: "us-east-1", HTTPClient: answer, Credentials: credentials("x"), RetryMaxAttempts: 1,
		}).GetCallerIdentity(t.Context(), nil)
	}
	typed, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		t.Fatalf("error %v is no smithy.APIError", err)
	}
	return typed
}

// Each error of EKS in the SDK's golden bytes is produced here to the last
// member, and both decode to the same typed error.
func TestRESTErrorsOfTheSDK(t *testing.T) {
	for code, golden := range goldenErrors(t, "EKS") {
		t.Run(code, func(t *testing.T) {
			want := parsed(t, golden.body).(map[string]any)
			delete(want, "validZones") // nobody has reported the exception, and the fake only sends it as a fault
			members := map[string]string{}
			for name, value := range want {
				if name != "__type" && name != "message" {
					members[name] = value.(string)
				}
			}
			status, header, body := fake.EncodeError("EKS", code, "__Message__", members)
			got := parsed(t, body).(map[string]any)
			got["__type"] = header.Get("X-Amzn-ErrorType")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if status != golden.status {
				t.Errorf("status %d, want %d", status, golden.status)
			}
			fromGolden := decodeError(t, "EKS", golden.status, nil, golden.body)
			forgetZones(fromGolden)
			if fromUs := decodeError(t, "EKS", status, header, body); !reflect.DeepEqual(fromGolden, fromUs) {
				t.Errorf("errors differ: %#v and %#v", fromGolden, fromUs)
			}
		})
	}
}

func forgetZones(err error) {
	if zones := reflect.ValueOf(err).Elem().FieldByName("ValidZones"); zones.IsValid() {
		zones.SetZero()
	}
}

// An error that is injected by its code alone has the status, the type and the
// text of the SDK's golden bytes, over the wire and from the typed clients. Errors
// of IAM and STS that no operation of the fake has are left out.
func TestErrorCodesOfTheSDK(t *testing.T) {
	for _, service := range []string{"EKS", "IAM", "STS"} {
		for name, golden := range goldenErrors(t, service) {
			code := codeIn(t, golden.body)
			direct := fake.TypedError(service, code, "text")
			if _, generic := errors.AsType[*smithy.GenericAPIError](direct); generic && service != "EKS" {
				continue
			}
			t.Run(service+" "+name, func(t *testing.T) {
				want := decodeError(t, service, golden.status, nil, golden.body)
				status, header, body := fake.EncodeError(service, code, "text", nil)
				if status != golden.status {
					t.Errorf("status of %s is %d, want %d", code, status, golden.status)
				}
				wantSameType(t, want, direct)
				wantSameType(t, want, decodeError(t, service, status, header, body))
			})
		}
	}
}

// codeIn finds the error's code in a body of either protocol.
func codeIn(t *testing.T, body []byte) string {
	t.Helper()
	groups := regexp.MustCompile(`"__type":"(\w+)"|<Code>(\w+)</Code>`).FindSubmatch(body)
	if groups == nil {
		t.Fatalf("no code in %s", body)
	}
	return string(groups[1]) + string(groups[2])
}

func wantSameType(t *testing.T, want, got error) {
	t.Helper()
	if reflect.TypeOf(got) != reflect.TypeOf(want) {
		t.Errorf("error %T, want %T", got, want)
	}
	if api, ok := errors.AsType[smithy.APIError](got); !ok || api.ErrorMessage() != "text" {
		t.Errorf("text of %v, want %q", got, "text")
	}
}
