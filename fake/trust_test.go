// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// statement is one trust statement with the usual parts and one more.
func statement(effect, more string) string {
	return `{"Effect":"` + effect + `","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"` +
		more + `}`
}

func condition(text string) string { return statement("Allow", `,"Condition":`+text) }

func document(statements ...string) string {
	return `{"Version":"2012-10-17","Statement":[` + strings.Join(statements, ",") + `]}`
}

// Which trust documents let a profile "web" of cluster "demo" be created.
func TestTrustIsEvaluated(t *testing.T) {
	const profiles = "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/"
	cases := map[string]struct {
		document string
		trusted  bool
	}{
		"the plain document":                     {fake.PodTrust, true},
		"no statement":                           {document(), false},
		"not JSON":                               {"{", false},
		"a statement without a list":             {`{"Statement":` + statement("Allow", "") + `}`, true},
		"another service":                        {strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods", "ec2"), false},
		"a service in another domain":            {strings.ReplaceAll(fake.PodTrust, ".com", ".com.cn"), false},
		"a list of services":                     {document(`{"Effect":"Allow","Principal":{"Service":["ec2.amazonaws.com","eks-fargate-pods.amazonaws.com"]},"Action":["sts:TagSession","sts:AssumeRole"]}`), true},
		"everybody":                              {document(`{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}`), true},
		"everybody as an AWS principal":          {document(`{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sts:AssumeRole"}`), true},
		"an account":                             {document(`{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole"}`), false},
		"all but another service":                {document(`{"Effect":"Allow","NotPrincipal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}`), true},
		"no principal":                           {document(`{"Effect":"Allow","Action":"sts:AssumeRole"}`), false},
		"a principal that is another string":     {document(`{"Effect":"Allow","Principal":"me","Action":"sts:AssumeRole"}`), false},
		"every action of STS":                    {document(`{"Effect":"Allow","Principal":"*","Action":"STS:*"}`), true},
		"another action":                         {document(`{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRoleWithWebIdentity"}`), false},
		"all but another action":                 {document(`{"Effect":"Allow","Principal":"*","NotAction":"sts:TagSession"}`), true},
		"all but this action":                    {document(`{"Effect":"Allow","Principal":"*","NotAction":"sts:Assume*"}`), false},
		"deny after allow":                       {document(statement("Allow", ""), statement("Deny", "")), false},
		"deny before allow":                      {document(statement("Deny", ""), statement("Allow", "")), false},
		"deny under a condition that is not met": {document(statement("Allow", ""), statement("Deny", `,"Condition":{"StringNotEquals":{"aws:SourceAccount":"111122223333"}}`)), true},
		"an effect in lower case":                {document(statement("allow", "")), false},

		"the profiles of the cluster":            {document(condition(`{"ArnLike":{"aws:SourceArn":"` + profiles + `*"}}`)), true},
		"the key in another case":                {document(condition(`{"ArnLike":{"AWS:sourcearn":"` + profiles + `*"}}`)), true},
		"profiles of another cluster":            {document(condition(`{"ArnLike":{"aws:SourceArn":"` + strings.Replace(profiles, "demo", "other", 1) + `*"}}`)), false},
		"one of two clusters":                    {document(condition(`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:*:*:fargateprofile/x/*","` + profiles + `*"]}}`)), true},
		"any region and cluster":                 {document(condition(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:111122223333:fargateprofile/*"}}`)), true},
		"a wildcard does not reach over a colon": {document(condition(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:fargateprofile/demo/web/*"}}`)), false},
		"ArnEquals takes wildcards too":          {document(condition(`{"ArnEquals":{"aws:SourceArn":"` + profiles + `web/*"}}`)), true},
		"any ARN":                                {document(condition(`{"ArnLike":{"aws:SourceArn":"*"}}`)), true},
		"an ARN in a string":                     {document(condition(`{"StringLike":{"aws:SourceArn":"` + profiles + `*"}}`)), true},
		"StringEquals takes no wildcards":        {document(condition(`{"StringEquals":{"aws:SourceArn":"` + profiles + `*"}}`)), false},
		"the account":                            {document(condition(`{"StringEquals":{"aws:SourceAccount":"111122223333"}}`)), true},
		"the account as a number":                {document(condition(`{"StringEquals":{"aws:SourceAccount":111122223333}}`)), true},
		"another account":                        {document(condition(`{"StringEquals":{"aws:SourceAccount":"999999999999"}}`)), false},
		"two operators, one not met":             {document(condition(`{"StringEquals":{"aws:SourceAccount":"111122223333"},"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-west-2:*:*"}}`)), false},
		"not another ARN":                        {document(condition(`{"ArnNotLike":{"aws:SourceArn":"arn:aws:eks:us-west-2:*:*"}}`)), true},
		"not this ARN":                           {document(condition(`{"ArnNotLike":{"aws:SourceArn":"` + profiles + `*"}}`)), false},
		"a key that is absent":                   {document(condition(`{"StringEquals":{"aws:PrincipalOrgID":"o-1"}}`)), false},
		"a key that is absent, if it exists":     {document(condition(`{"StringEqualsIfExists":{"aws:PrincipalOrgID":"o-1"}}`)), true},
		"a key that is absent, negated":          {document(condition(`{"StringNotEquals":{"aws:PrincipalOrgID":"o-1"}}`)), true},
		"a key that must be absent":              {document(condition(`{"Null":{"aws:PrincipalOrgID":"true"}}`)), true},
		"a key that must be there":               {document(condition(`{"Null":{"aws:SourceArn":"false"}}`)), true},
		"a key that must not be there":           {document(condition(`{"Null":{"aws:SourceArn":true}}`)), false},
		"a boolean":                              {document(condition(`{"Bool":{"aws:PrincipalIsAWSService":true}}`)), true},
		"any value of a set":                     {document(condition(`{"ForAnyValue:StringEquals":{"aws:SourceAccount":["1","111122223333"]}}`)), true},
		"all values of a set that is absent":     {document(condition(`{"ForAllValues:StringEquals":{"aws:TagKeys":["a"]}}`)), true},
		"any value of a set that is absent":      {document(condition(`{"ForAnyValue:StringEquals":{"aws:TagKeys":["a"]}}`)), false},
		"an operator for other kinds of keys":    {document(condition(`{"NumericEquals":{"aws:SourceAccount":"111122223333"}}`)), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			role := c.AddRole("tested", tc.document)
			err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &role })
			if tc.trusted != (err == nil) {
				t.Fatalf("error %v, want trusted=%v", err, tc.trusted)
			}
			if api, ok := errors.AsType[smithy.APIError](err); !tc.trusted && (!ok || api.ErrorCode() != "InvalidParameterException") {
				t.Errorf("error %v is no InvalidParameterException", err)
			}
		})
	}
}

func TestRoleARNsThatCannotBeUsed(t *testing.T) {
	cases := map[string]struct{ arn, code string }{
		"a role that does not exist":         {"arn:aws:iam::111122223333:role/none", "InvalidParameterException"},
		"a role of another account":          {"arn:aws:iam::999999999999:role/fargate-pods", "AccessDeniedException"},
		"a role of another partition":        {"arn:aws-cn:iam::111122223333:role/fargate-pods", "InvalidParameterException"},
		"a user":                             {"arn:aws:iam::111122223333:user/fargate-pods", "InvalidParameterException"},
		"no ARN":                             {"fargate-pods", "InvalidParameterException"},
		"the good role's name in other case": {"arn:aws:iam::111122223333:role/Fargate-Pods", "InvalidParameterException"},
		"a role with a path":                 {"arn:aws:iam::111122223333:role/team/pathed", "InvalidParameterException"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			c.AddRole("team/pathed", fake.PodTrust)
			err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &tc.arn })
			if api, ok := errors.AsType[smithy.APIError](err); !ok || api.ErrorCode() != tc.code {
				t.Errorf("error %v, want %s", err, tc.code)
			}
		})
	}
}

func TestRolePathsAreAcceptedOnRequest(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.AcceptRolePaths = true })
	role := c.AddRole("team/pathed", fake.PodTrust)
	err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &role })
	if err != nil {
		t.Error(err)
	}
}
