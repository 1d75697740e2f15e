// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/aws-sdk-go-v2/service/sts/types"

	"github.com/eksfargate/eksfargate/fake"
)

// trustIn is a trust document for one principal, with more in the statement.
func trustIn(principal, more string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":` + principal + `,"Action":["sts:AssumeRole"]` + more + `}]}`
}

func (e iamEnv) assume(role string, edits ...func(*sts.AssumeRoleInput)) (*sts.AssumeRoleOutput, error) {
	in := &sts.AssumeRoleInput{RoleArn: &role, RoleSessionName: aws.String("test")}
	for _, edit := range edits {
		edit(in)
	}
	return e.sts.AssumeRole(e.t.Context(), in)
}

func TestSTSCallerIdentity(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		got, err := e.sts.GetCallerIdentity(e.t.Context(), &sts.GetCallerIdentityInput{})
		e.must(err)
		again, err := e.sts.GetCallerIdentity(e.t.Context(), nil)
		e.must(err)
		if *got.Account != "111122223333" || *got.Arn != "arn:aws:iam::111122223333:user/fake" || !strings.HasPrefix(*got.UserId, "AIDA") {
			e.t.Errorf("identity %s, %s, %s", *got.Account, *got.Arn, *got.UserId)
		}
		if *again.UserId != *got.UserId {
			e.t.Error("the same user has another id")
		}
	})
}

// An access key of twelve digits is an account.
func TestSTSCallerIdentityByCredential(t *testing.T) {
	c := fake.New()
	client := stsSDK(c, func(o *sts.Options) { o.Credentials = credentials("999999999999") })
	got, err := client.GetCallerIdentity(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "arn:aws:iam::999999999999:user/fake"; *got.Account != "999999999999" || *got.Arn != want {
		t.Errorf("identity %s, %s", *got.Account, *got.Arn)
	}
	root := c.STS(func(caller *fake.Caller) { caller.ARN = "arn:aws:iam::111122223333:root" })
	got, err = root.GetCallerIdentity(t.Context(), nil)
	if err != nil || *got.UserId != "111122223333" {
		t.Errorf("identity of the root user %v, error %v", got, err)
	}
}

// The credentials of a session act as the role.
func TestSTSSessionsAct(t *testing.T) {
	c := fake.New(stopped)
	e := iamEnv{t: t, c: c, api: c.IAM(), sts: stsSDK(c)}
	arn := c.AddRole("team/deploy", trustIn(`{"AWS":"111122223333"}`, ""))
	out, err := e.assume(arn)
	e.must(err)
	if !strings.HasPrefix(*out.Credentials.AccessKeyId, "ASIA") || len(*out.Credentials.AccessKeyId) != 20 {
		t.Errorf("access key %s", *out.Credentials.AccessKeyId)
	}
	if want := c.Now().Add(time.Hour); !out.Credentials.Expiration.Equal(want) {
		t.Errorf("expiration %v, want %v", out.Credentials.Expiration, want)
	}
	session := stsSDK(c, func(o *sts.Options) { o.Credentials = credentials(*out.Credentials.AccessKeyId) })
	got, err := session.GetCallerIdentity(t.Context(), nil)
	e.must(err)
	id := *e.getRole("deploy").RoleId + ":test"
	if want := "arn:aws:sts::111122223333:assumed-role/deploy/test"; *got.Arn != want || *out.AssumedRoleUser.Arn != want {
		t.Errorf("ARNs %s and %s, want %s", *got.Arn, *out.AssumedRoleUser.Arn, want)
	}
	if *got.UserId != id || *out.AssumedRoleUser.AssumedRoleId != id {
		t.Errorf("ids %s and %s, want %s", *got.UserId, *out.AssumedRoleUser.AssumedRoleId, id)
	}
	var callers []string
	for call := range c.Calls() {
		callers = append(callers, call.Caller.ARN)
	}
	if want := *got.Arn; callers[1] != want {
		t.Errorf("callers %v, want the second to be %s", callers, want)
	}
	c.Advance(24 * time.Hour)
	if late, err := session.GetCallerIdentity(t.Context(), nil); err != nil || *late.Arn != *got.Arn {
		t.Errorf("a day later the identity is %v, error %v", late, err)
	}
	e.sts = session
	chained := c.AddRole("chained", trustIn(`{"AWS":"`+arn+`"}`, ""))
	_, err = e.assume(chained)
	e.must(err)
	_, err = e.assume(chained, func(in *sts.AssumeRoleInput) { in.DurationSeconds = aws.Int32(3601) })
	wantError(t, err, "ValidationError", 400,
		"The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining")
}

// Which trust documents let arn:aws:iam::111122223333:user/fake in.
func TestSTSTrustIsEvaluated(t *testing.T) {
	const user = `{"AWS":"arn:aws:iam::111122223333:user/fake"}`
	cases := map[string]struct {
		document string
		edit     func(*sts.AssumeRoleInput)
		denied   string // the action that is refused, or ""
	}{
		"the user":                 {document: trustIn(user, "")},
		"the account":              {document: trustIn(`{"AWS":["111122223333"]}`, "")},
		"the root":                 {document: trustIn(`{"AWS":"arn:aws:iam::111122223333:root"}`, "")},
		"everybody":                {document: trustIn(`"*"`, "")},
		"another user":             {document: trustIn(`{"AWS":"arn:aws:iam::111122223333:user/other"}`, ""), denied: "sts:AssumeRole"},
		"another account":          {document: trustIn(`{"AWS":"999999999999"}`, ""), denied: "sts:AssumeRole"},
		"a provider":               {document: trustIn(`{"Federated":"accounts.google.com"}`, ""), denied: "sts:AssumeRole"},
		"for a quarter of an hour": {document: trustIn(user, ""), edit: func(in *sts.AssumeRoleInput) { in.DurationSeconds = aws.Int32(900) }},
		"a service":                {document: fake.PodTrust, denied: "sts:AssumeRole"},
		"no document":              {document: "x", denied: "sts:AssumeRole"},
		"by external id":           {document: trustIn(user, `,"Condition":{"StringEquals":{"sts:ExternalId":"7"}}`), edit: func(in *sts.AssumeRoleInput) { in.ExternalId = aws.String("7") }},
		"no external id":           {document: trustIn(user, `,"Condition":{"StringEquals":{"sts:ExternalId":"7"}}`), denied: "sts:AssumeRole"},
		"by own ARN":               {document: trustIn(`"*"`, `,"Condition":{"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::*:user/fake"}}`)},
		"by session name":          {document: trustIn(`"*"`, `,"Condition":{"StringLike":{"sts:RoleSessionName":"x*"}}`), denied: "sts:AssumeRole"},
		"tags are refused":         {document: trustIn(user, ""), edit: func(in *sts.AssumeRoleInput) { in.Tags = sessionTags() }, denied: "sts:TagSession"},
		"tags are allowed": {
			document: strings.Replace(trustIn(user, ""), `["sts:AssumeRole"]`, `["sts:AssumeRole","sts:TagSession"]`, 1),
			edit:     func(in *sts.AssumeRoleInput) { in.Tags = sessionTags() },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overIAMTransports(t, func(e iamEnv) {
				arn := e.c.AddRole("web", tc.document)
				edit := tc.edit
				if edit == nil {
					edit = func(*sts.AssumeRoleInput) {}
				}
				_, err := e.assume(arn, edit)
				if tc.denied == "" {
					e.must(err)
					return
				}
				wantError(e.t, err, "AccessDenied", 403, "User: arn:aws:iam::111122223333:user/fake is not authorized to perform: "+
					tc.denied+" on resource: "+arn)
			})
		})
	}
}

func sessionTags() []types.Tag { return []types.Tag{{Key: aws.String("a"), Value: aws.String("b")}} }

func TestSTSRefusals(t *testing.T) {
	denied := func(role string) string {
		return "User: arn:aws:iam::111122223333:user/fake is not authorized to perform: sts:AssumeRole on resource: " + role
	}
	const none = "arn:aws:iam::111122223333:role/none"
	longer := func(in *sts.AssumeRoleInput) { in.DurationSeconds = aws.Int32(3601) }
	runIAMCases(t, map[string]iamCase{
		"a role that does not exist": {"AccessDenied", 403, denied(none), func(e iamEnv) error {
			_, err := e.assume(none)
			return err
		}},
		"a role that is too new": {"AccessDenied", 403, denied("arn:aws:iam::111122223333:role/web"), func(e iamEnv) error {
			_, err := e.assume(*e.createRole("web", func(in *iam.CreateRoleInput) { in.AssumeRolePolicyDocument = aws.String(trustIn(`"*"`, "")) }).Arn)
			return err
		}},
		"what is no role": {"ValidationError", 400, "arn:aws:iam::111122223333:user/somebody is invalid", func(e iamEnv) error {
			_, err := e.assume("arn:aws:iam::111122223333:user/somebody")
			return err
		}},
		"longer than the role allows": {
			"ValidationError", 400, "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.",
			func(e iamEnv) error {
				_, err := e.assume(e.c.AddRole("web", trustIn(`"*"`, "")), longer)
				return err
			},
		},
		"shorter than AWS allows": {
			"ValidationError", 400, iamValidation("durationSeconds have value greater than or equal to 900"),
			func(e iamEnv) error {
				_, err := e.assume(none, func(in *sts.AssumeRoleInput) { in.DurationSeconds = aws.Int32(899) })
				return err
			},
		},
		"a name of one character": {
			"ValidationError", 400, iamValidation("roleSessionName have length greater than or equal to 2"),
			func(e iamEnv) error {
				_, err := e.assume(none, func(in *sts.AssumeRoleInput) { in.RoleSessionName = aws.String("x") })
				return err
			},
		},
	})
}

func TestSTSRoleOfAnotherAccount(t *testing.T) {
	c := fake.New()
	arn := c.AddRole("web", trustIn(`{"AWS":"999999999999"}`, ""))
	e := iamEnv{t: t, c: c, sts: c.STS(func(caller *fake.Caller) { caller.Account = "999999999999" })}
	out, err := e.assume(arn)
	e.must(err)
	got, err := stsSDK(c, func(o *sts.Options) { o.Credentials = credentials(*out.Credentials.AccessKeyId) }).GetCallerIdentity(t.Context(), nil)
	if err != nil || *got.Account != "111122223333" {
		t.Errorf("identity %v, error %v: want the role's account", got, err)
	}
}

// Sessions of a role that is gone keep their ARN.
func TestSTSIdentityOfASessionWithoutRole(t *testing.T) {
	c := fake.New()
	client := c.STS(func(caller *fake.Caller) { caller.ARN = "arn:aws:sts::111122223333:assumed-role/gone/x" })
	got, err := client.GetCallerIdentity(t.Context(), nil)
	if err != nil || !strings.HasSuffix(*got.UserId, ":x") || !strings.HasPrefix(*got.UserId, "AROA") {
		t.Errorf("identity %v, error %v", got, err)
	}
}
