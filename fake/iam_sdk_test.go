// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// callByName calls a method of a client with an input.
func callByName(t *testing.T, client any, name string, input reflect.Value) error {
	t.Helper()
	out := reflect.ValueOf(client).MethodByName(name).Call([]reflect.Value{reflect.ValueOf(t.Context()), input})
	err, _ := reflect.TypeAssert[error](out[1])
	return err
}

// What lacks a required member is refused before it is sent, with the SDK's
// words. What lacks none is sent.
func TestIAMMissingParametersAreFoundBeforeTheCall(t *testing.T) {
	c := fake.New()
	clients := map[string][2]any{"IAM": {c.IAM(), iamSDK(c)}, "STS": {c.STS(), stsSDK(c)}}
	for service, names := range fake.QueryOperations(c) {
		for _, name := range names {
			pair := clients[service]
			method, _ := reflect.TypeOf(pair[0]).MethodByName(name)
			input := method.Type.In(2)
			for what, value := range map[string]reflect.Value{"nil": reflect.Zero(input), "nothing": reflect.New(input.Elem())} {
				c.ForgetCalls()
				direct, sdk := callByName(t, pair[0], name, value), callByName(t, pair[1], name, value)
				if anonymous(direct) != anonymous(sdk) {
					t.Errorf("%s of %s: direct client and SDK differ:\n%v\n%v", name, what, direct, sdk)
				}
				if n := c.CallCount(); (direct == nil) != (n == 2) || direct != nil && n > 0 {
					t.Errorf("%s of %s: %d calls reached the Cloud, error %v", name, what, n, direct)
				}
			}
		}
	}
}

func TestIAMTagsWithoutKeyOrValue(t *testing.T) {
	c := fake.New()
	calls := map[string]func(api iamAPI, tags []types.Tag) error{
		"TagRole": func(api iamAPI, tags []types.Tag) error {
			_, err := api.TagRole(t.Context(), &iam.TagRoleInput{RoleName: aws.String("a"), Tags: tags})
			return err
		},
		"CreateRole": func(api iamAPI, tags []types.Tag) error {
			_, err := api.CreateRole(t.Context(), &iam.CreateRoleInput{Tags: tags})
			return err
		},
		"CreatePolicy": func(api iamAPI, tags []types.Tag) error {
			_, err := api.CreatePolicy(t.Context(), &iam.CreatePolicyInput{Tags: tags})
			return err
		},
	}
	for name, call := range calls {
		tags := []types.Tag{tag("a", "b"), {Key: aws.String("a")}, {Value: aws.String("b")}}
		direct, sdk := call(c.IAM(), tags), call(iamSDK(c), tags)
		if direct == nil || direct.Error() != sdk.Error() {
			t.Errorf("%s: direct client and SDK differ:\n%v\n%v", name, direct, sdk)
		}
	}
	input := &sts.AssumeRoleInput{RoleArn: aws.String("a"), Tags: sessionTags()[:1:1]}
	input.Tags[0].Key = nil
	_, direct := c.STS().AssumeRole(t.Context(), input)
	_, sdk := stsSDK(c).AssumeRole(t.Context(), input)
	if direct == nil || direct.Error() != sdk.Error() {
		t.Errorf("AssumeRole: direct client and SDK differ:\n%v\n%v", direct, sdk)
	}
}

// Every error that a fault can give has the SDK's type.
func TestIAMErrorsOfFaultsLookLikeTheSDKs(t *testing.T) {
	codes := strings.FieldsSeq("ConcurrentModification DeleteConflict EntityAlreadyExists EntityTemporarilyUnmodifiable " +
		"InvalidInput LimitExceeded MalformedPolicyDocument NoSuchEntity NotSupportedService PolicyEvaluation " +
		"PolicyNotAttachable ServiceFailure UnmodifiableEntity AccessDenied Throttling Unheard")
	for code := range codes {
		c := fake.New()
		c.Inject(fake.Fault{Operation: "ListRoles", Count: -1, Code: code, Message: "why"})
		_, direct := c.IAM().ListRoles(t.Context(), nil)
		_, sdk := iamSDK(c, func(o *iam.Options) { o.Retryer = aws.NopRetryer{} }).ListRoles(t.Context(), nil)
		wantSameError(t, code, direct, sdk)
	}
	for code := range strings.FieldsSeq("ExpiredTokenException MalformedPolicyDocument PackedPolicyTooLarge RegionDisabledException AccessDenied") {
		c := fake.New()
		c.Inject(fake.Fault{Operation: "GetCallerIdentity", Count: -1, Code: code, Message: "why"})
		_, direct := c.STS().GetCallerIdentity(t.Context(), nil)
		_, sdk := stsSDK(c, func(o *sts.Options) { o.Retryer = aws.NopRetryer{} }).GetCallerIdentity(t.Context(), nil)
		wantSameError(t, code, direct, sdk)
	}
}

func wantSameError(t *testing.T, code string, direct, sdk error) {
	t.Helper()
	one, ok := errors.AsType[smithy.APIError](direct)
	two, okToo := errors.AsType[smithy.APIError](sdk)
	if !ok || !okToo {
		t.Fatalf("%s: no API errors:\n%v\n%v", code, direct, sdk)
	}
	if one.ErrorCode() != code || fmt.Sprintf("%T", one) != fmt.Sprintf("%T", two) || anonymous(direct) != anonymous(sdk) {
		t.Errorf("%s: direct client and SDK differ:\n%T %v\n%T %v", code, one, direct, two, sdk)
	}
}

// The region of one call names the partition.
func TestIAMRegionOfACall(t *testing.T) {
	c := fake.New()
	role, err := c.IAM().CreateRole(t.Context(), roleInput("web"), func(o *iam.Options) { o.Region = "cn-north-1" })
	if err != nil || *role.Role.Arn != "arn:aws-cn:iam::111122223333:role/web" {
		t.Errorf("role %v, error %v", role, err)
	}
	session, err := c.STS().AssumeRole(t.Context(), &sts.AssumeRoleInput{
		RoleArn: aws.String(c.AddRole("all", trustIn(`"*"`, ""))), RoleSessionName: aws.String("test"),
	}, func(o *sts.Options) { o.Region = "cn-north-1" })
	if err != nil || *session.AssumedRoleUser.Arn != "arn:aws-cn:sts::111122223333:assumed-role/all/test" {
		t.Errorf("session %v, error %v", session, err)
	}
}
