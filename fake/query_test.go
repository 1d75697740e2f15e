// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// The answers of a whole session, byte for byte.
func TestQueryAnswers(t *testing.T) {
	c := fake.New(stopped)
	const api = "&Version=2010-05-08&RoleName=web"
	trust := "&AssumeRolePolicyDocument=" + url.QueryEscape(fake.PodTrust)
	var transcript strings.Builder
	for _, body := range []string{
		"Action=CreateRole" + api + trust + "&Tags.member.2.Key=b&Tags.member.2.Value=&Tags.member.1.Key=a&Tags.member.1.Value=%2B",
		"Action=CreateRole" + api + trust,
		"Action=GetRole" + api,
		"Action=AttachRolePolicy" + api + "&PolicyArn=" + executionPolicy,
		"Action=ListAttachedRolePolicies" + api,
		"Action=ListRolePolicies" + api,
		"Action=ListRoles&Version=2010-05-08&MaxItems=1",
		"Action=UpdateRole" + api,
		"Action=DeleteRole" + api,
		"Action=GetRole&Version=2010-05-08",
		"Action=ListRoles&Version=2010-05-08&MaxItems=many",
		"Action=TagRole" + api + "&Tags.member.x.Key=a",
		"Action=TagRole" + api + "&Tags=",
		"Action=GetRole&Version=2010-05-09",
		"Action=GetCallerIdentity&Version=2011-06-15",
	} {
		status, answer := post(t, c, body)
		transcript.WriteString("> " + body + "\n" + http.StatusText(status) + "\n" + strings.ReplaceAll(answer, "><", ">\n<") + "\n\n")
	}
	golden(t, filepath.Join("testdata", "query.golden"), transcript.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// The query protocol is spoken at / with POST, and with nothing else.
func TestQueryElsewhere(t *testing.T) {
	c := fake.New()
	for _, target := range []string{"POST /x", "GET /", "PUT /"} {
		method, path, _ := strings.Cut(target, " ")
		request, err := http.NewRequestWithContext(t.Context(), method, "http://fake.invalid"+path,
			strings.NewReader("Action=ListRoles&Version=2010-05-08"))
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.HTTPClient().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", target, response.StatusCode)
		}
	}
	if n := c.CallCount(); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestQueryLostReply(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "CreateRole", LoseReply: true})
	_, err := iamSDK(c).CreateRole(t.Context(), roleInput("web"), func(o *iam.Options) { o.RetryMaxAttempts = 1 })
	if err == nil {
		t.Error("the reply was not lost")
	}
	if _, err := c.IAM().GetRole(t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")}); err != nil {
		t.Errorf("the role is not there: %v", err)
	}
}

// An input in the journal is not the caller's.
func TestQueryInputsAreCopied(t *testing.T) {
	c := fake.New()
	in := roleInput("web")
	in.Tags = append(in.Tags, tag("a", "b"))
	if _, err := c.IAM().CreateRole(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	*in.RoleName, *in.Tags[0].Key = "changed", "changed"
	for call := range c.Calls() {
		kept, ok := call.Input.(*iam.CreateRoleInput)
		if !ok || *kept.RoleName != "web" || *kept.Tags[0].Key != "a" {
			t.Errorf("the journal has %v", call.Input)
		}
	}
}

// Whatever is posted, the answer is well-formed and no failure of the fake.
func FuzzQuery(f *testing.F) {
	f.Add("Action=CreateRole&Version=2010-05-08&RoleName=a&AssumeRolePolicyDocument=" + url.QueryEscape(fake.PodTrust))
	f.Add("Action=TagRole&Version=2010-05-08&RoleName=fargate-pods&Tags.member.1.Key=a&Tags.member.1.Value=%00")
	f.Add("Action=AttachRolePolicy&Version=2010-05-08&RoleName=fargate-pods&PolicyArn=arn:aws:iam::aws:policy/%ff%01")
	f.Add("Action=ListRoles&Version=2010-05-08&MaxItems=99999999999&Marker=%3c")
	f.Add("Action=AssumeRole&Version=2011-06-15&RoleArn=arn:aws:iam::111122223333:role/fargate-pods&RoleSessionName=ab")
	f.Add("Action=UntagRole&Version=2010-05-08&RoleName=fargate-pods&TagKeys.member.-1=a&TagKeys....=&.=")
	f.Add("Action=UpdateAssumeRolePolicy&Version=2010-05-08&RoleName=fargate-pods&PolicyDocument={\"Statement\":{\"Effect\":\"Allow\",\"Principal\":null,\"Action\":1}}")
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := url.ParseQuery(body); err != nil {
			t.Skip("no query")
		}
		// The first Action counts; without one this is a list.
		status, answer := post(t, fake.New(), body+"&Action=ListRoles&Version=2010-05-08")
		if status >= http.StatusInternalServerError {
			t.Errorf("%q: status %d, %s", body, status, answer)
		}
		wellFormed(t, answer)
	})
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
	}
}
