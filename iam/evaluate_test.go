// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// trustWith is a trust policy of one statement that allows what EKS wants under
// the condition.
func trustWith(condition string) string {
	return `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":` + condition + `}}`
}

func TestEvaluate_Statements(t *testing.T) {
	const (
		allow = `{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"}`
		deny  = `{"Sid":"No","Effect":"Deny","Principal":"*","Action":"*"}`
	)
	tests := map[string]struct {
		document string
		want     iam.Verdict
	}{
		"an empty document": {`{}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonNoStatement, Statement: -1, Message: "the document has no statement that allows anything",
		}},
		"the statement of the user guide": {`{"Statement":` + allow + `}`, iam.Verdict{
			Result: iam.ResultAllow, Reason: iam.ReasonAllowed, Message: "the statement allows sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"another service": {`{"Statement":{"Sid":"Nodes","Effect":"Allow","Principal":{"Service":["ec2.amazonaws.com"],"AWS":"111122223333"},"Action":"sts:AssumeRole"}}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonPrincipalMissing, Sid: "Nodes",
			Message: "the statement trusts 111122223333 and ec2.amazonaws.com, not eks-fargate-pods.amazonaws.com",
		}},
		"another action": {`{"Statement":{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":["sts:TagSession","sts:Assume","sts:AssumeRoleWith*"]}}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonActionMissing,
			Message: "the statement is about sts:TagSession, sts:Assume and sts:AssumeRoleWith*, not sts:AssumeRole",
		}},
		"everyone, every action": {`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*"}}`, iam.Verdict{
			Result: iam.ResultAllow, Reason: iam.ReasonAllowed, Message: "the statement allows sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"everyone as an AWS principal, the action in another case": {`{"Statement":{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"STS:assume?ole"}}`, iam.Verdict{
			Result: iam.ResultAllow, Reason: iam.ReasonAllowed, Message: "the statement allows sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"all but other principals and actions": {`{"Statement":{"Effect":"Allow","NotPrincipal":{"AWS":"1"},"NotAction":"sts:TagSession"}}`, iam.Verdict{
			Result: iam.ResultAllow, Reason: iam.ReasonAllowed, Message: "the statement allows sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"all principals but this one": {`{"Statement":{"Effect":"Allow","NotPrincipal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"*"}}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonPrincipalMissing, Message: "the statement leaves out eks-fargate-pods.amazonaws.com",
		}},
		"all actions but this one": {`{"Statement":{"Effect":"Allow","Principal":"*","NotAction":"sts:*"}}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonActionMissing, Message: "the statement leaves out sts:AssumeRole",
		}},
		"nobody": {`{"Statement":{"Effect":"Allow","Principal":{},"Action":"*"}}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonPrincipalMissing, Message: "the statement trusts nobody, not eks-fargate-pods.amazonaws.com",
		}},
		"a statement that denies wins, wherever it is": {`{"Statement":[` + allow + `,` + deny + `]}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonDenied, Explicit: true, Statement: 1, Sid: "No",
			Message: "the statement denies sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"a statement that denies something else": {`{"Statement":[{"Effect":"Deny","Principal":"*","Action":"sts:TagSession"},` + allow + `]}`, iam.Verdict{
			Result: iam.ResultAllow, Reason: iam.ReasonAllowed, Statement: 1, Message: "the statement allows sts:AssumeRole to eks-fargate-pods.amazonaws.com",
		}},
		"only a statement that denies something else": {`{"Statement":[{"Effect":"Deny","Principal":"*","Action":"sts:TagSession"}]}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonNoStatement, Statement: -1, Message: "the document has no statement that allows anything",
		}},
		"the nearest of several": {
			`{"Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"},{"Effect":"Allow","Principal":"*","Action":"sts:TagSession"}]}`,
			iam.Verdict{
				Result: iam.ResultDeny, Reason: iam.ReasonActionMissing, Statement: 1, Message: "the statement is about sts:TagSession, not sts:AssumeRole",
			},
		},
		"a statement that may deny": {`{"Statement":[` + allow + `,{"Sid":"Maybe","Effect":"Deny","Principal":"*","Action":"*","Condition":{"StringEquals":{"aws:SourceOrgID":"o-1"}}}]}`, iam.Verdict{
			Result: iam.ResultUnknown, Reason: iam.ReasonUndecidable, Statement: 1, Sid: "Maybe",
			Message: "the statement may deny it: whether EKS passes aws:SourceOrgID, and with which value, is not known",
		}},
		"one that may deny where nothing allows": {`{"Statement":[{"Effect":"Deny","Principal":"*","Action":"*","Condition":{"StringEquals":{"aws:SourceOrgID":"o-1"}}}]}`, iam.Verdict{
			Result: iam.ResultDeny, Reason: iam.ReasonNoStatement, Statement: -1, Message: "the document has no statement that allows anything",
		}},
		"an effect that IAM does not know": {`{"Statement":{"Effect":"allow","Principal":"*","Action":"*"}}`, unknown(`the statement may deny it: the statement has the effect "allow", want Allow or Deny`)},
		"no effect":                        {`{"Statement":{"Principal":"*","Action":"*"}}`, unknown(`the statement may deny it: the statement has the effect "", want Allow or Deny`)},
		"no principal":                     {`{"Statement":{"Effect":"Allow","Action":"*"}}`, unknown("the statement must have either Principal or NotPrincipal")},
		"two principals":                   {`{"Statement":{"Effect":"Allow","Principal":"*","NotPrincipal":{},"Action":"*"}}`, unknown("the statement must have either Principal or NotPrincipal")},
		"no action":                        {`{"Statement":{"Effect":"Allow","Principal":"*"}}`, unknown("the statement must have either Action or NotAction")},
		"a wildcard for services":          {`{"Statement":{"Effect":"Allow","Principal":{"Service":"eks*"},"Action":"*"}}`, unknown("IAM does not document whether eks* includes eks-fargate-pods.amazonaws.com")},
		"a type of principal that IAM does not know": {`{"Statement":{"Effect":"Allow","Principal":{"Robot":"x"},"Action":"*"}}`, unknown("IAM does not document whether x includes eks-fargate-pods.amazonaws.com")},
		"a resource":                         {`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}}`, unknown("the statement names a resource, which a trust policy must not")},
		"an unknown element of a statement":  {`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","If":1}}`, unknown("the statement has an element If, which IAM does not document")},
		"an unknown element of the document": {`{"If":1,"Statement":` + allow + `}`, unknown("the document has an element If, which IAM does not document")},
		"an unknown version":                 {`{"Version":"2030-01-01","Statement":` + allow + `}`, unknown("the document is in version 2030-01-01 of the policy language, which is not evaluated here")},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.Evaluate(mustParse(t, tc.document), iam.ProfileRequest(demoProfile))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.Allowed() != (tc.want.Result == iam.ResultAllow) {
				t.Errorf("Allowed() = %v", got.Allowed())
			}
		})
	}
}

func unknown(message string) iam.Verdict {
	return iam.Verdict{Result: iam.ResultUnknown, Reason: iam.ReasonUndecidable, Message: message}
}

func TestEvaluate_Conditions(t *testing.T) {
	const yes, no, maybe = iam.ResultAllow, iam.ResultDeny, iam.ResultUnknown
	tests := map[string]struct {
		condition string
		want      iam.Result
	}{
		"none":                     {`{}`, yes},
		"an operator without keys": {`{"ArnLike":{}}`, yes},

		"ArnLike, the pattern of the user guide":                         {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`, yes},
		"ArnLike, any region and cluster":                                {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:111122223333:fargateprofile/*"}}`, yes},
		"ArnLike, a question mark is one":                                {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-?:111122223333:fargateprofile/demo/fp-?/*"}}`, yes},
		"ArnLike, a question mark is not none":                           {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1?:111122223333:*"}}`, no},
		"ArnLike, the key in another case":                               {`{"ArnLike":{"AWS:sourcearn":"arn:aws:eks:*:*:fargateprofile/demo/*"}}`, yes},
		"ArnLike, the value in another case":                             {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/Demo/*"}}`, no},
		"ArnLike, one of several":                                        {`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:*:*:fargateprofile/a/*","arn:aws:eks:*:*:fargateprofile/demo/*"]}}`, yes},
		"ArnLike, a wildcard in the resource crosses colons and slashes": {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:*"}}`, yes},
		"ArnLike, six parts of wildcards":                                {`{"ArnLike":{"aws:SourceArn":"*:*:*:*:*:*"}}`, yes},
		"ArnLike, too few parts":                                         {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*"}}`, maybe},
		"ArnLike, too few parts beside one that matches":                 {`{"ArnLike":{"aws:SourceArn":["*","arn:aws:eks:*:*:*"]}}`, yes},
		"ArnEquals takes wildcards, too":                                 {`{"ArnEquals":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/*"}}`, yes},
		"ArnLike, the cluster":                                           {`{"ArnLike":{"aws:SourceArn":"` + demoCluster + `"}}`, no},
		"ArnNotLike, another cluster":                                    {`{"ArnNotLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/other/*"}}`, yes},
		"ArnNotLike, this cluster":                                       {`{"ArnNotLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/*"}}`, no},
		"ArnNotEquals, one of several":                                   {`{"ArnNotEquals":{"aws:SourceArn":["arn:aws:eks:*:*:cluster/x","arn:aws:eks:*:*:fargateprofile/demo/*"]}}`, no},
		"ArnNotLike, too few parts":                                      {`{"ArnNotLike":{"aws:SourceArn":"*"}}`, maybe},

		"StringLike crosses colons":               {`{"StringLike":{"aws:SourceArn":"arn:*/demo/*"}}`, yes},
		"StringLike is case-sensitive":            {`{"StringLike":{"aws:SourceArn":"arn:*/DEMO/*"}}`, no},
		"StringNotLike":                           {`{"StringNotLike":{"aws:SourceArn":"arn:*/demo/*"}}`, no},
		"StringEquals, the ARN":                   {`{"StringEquals":{"aws:SourceArn":"` + demoProfile + `"}}`, yes},
		"StringEquals takes a wildcard literally": {`{"StringEquals":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`, no},
		"StringEquals, the account as a number":   {`{"StringEquals":{"aws:SourceAccount":111122223333}}`, yes},
		"StringNotEquals, another account":        {`{"StringNotEquals":{"aws:SourceAccount":"444455556666"}}`, yes},
		"StringNotEquals, this account":           {`{"StringNotEquals":{"aws:SourceAccount":"111122223333"}}`, no},
		"StringEqualsIgnoreCase":                  {`{"StringEqualsIgnoreCase":{"aws:PrincipalServiceName":"EKS-fargate-pods.amazonaws.com"}}`, yes},
		"StringNotEqualsIgnoreCase":               {`{"StringNotEqualsIgnoreCase":{"aws:PrincipalServiceName":"EKS-fargate-pods.amazonaws.com"}}`, no},
		"an operator in another case":             {`{"stringequals":{"aws:SourceAccount":"111122223333"}}`, maybe},

		"Bool, true":                                 {`{"Bool":{"aws:PrincipalIsAWSService":true}}`, yes},
		"Bool, false":                                {`{"Bool":{"aws:PrincipalIsAWSService":"False"}}`, no},
		"Bool, neither":                              {`{"Bool":{"aws:PrincipalIsAWSService":"1"}}`, maybe},
		"Null, a key that is there":                  {`{"Null":{"aws:SourceArn":"false"}}`, yes},
		"Null, a key that must be absent":            {`{"Null":{"aws:SourceArn":"true"}}`, no},
		"Null, a key that is absent":                 {`{"Null":{"x:absent":"true"}}`, yes},
		"Null, a key that is absent and must not be": {`{"Null":{"x:absent":false}}`, no},
		"Null, neither":                              {`{"Null":{"aws:SourceArn":"maybe"}}`, maybe},
		"Null has no IfExists":                       {`{"NullIfExists":{"aws:SourceArn":"false"}}`, maybe},
		"Null has no set operators":                  {`{"ForAllValues:Null":{"aws:SourceArn":"false"}}`, maybe},

		"a key that is absent":              {`{"StringEquals":{"x:absent":"a"}}`, no},
		"a key that is absent, negated":     {`{"StringNotEquals":{"x:absent":"a"}}`, yes},
		"a key that is absent, IfExists":    {`{"StringEqualsIfExists":{"x:absent":"a"}}`, yes},
		"a key that is there, IfExists":     {`{"ArnLikeIfExists":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/other/*"}}`, no},
		"a key that is not known":           {`{"StringEquals":{"sts:ExternalId":"a"}}`, maybe},
		"a key that is not known, IfExists": {`{"StringEqualsIfExists":{"sts:ExternalId":"a"}}`, maybe},
		"no value":                          {`{"StringNotEquals":{"aws:SourceAccount":[]}}`, maybe},

		"all of several values":                 {`{"ForAllValues:StringEquals":{"x:many":["a","b","c"]}}`, yes},
		"not all of several values":             {`{"ForAllValues:StringEquals":{"x:many":["a","c"]}}`, no},
		"all of no values":                      {`{"ForAllValues:StringEquals":{"x:absent":"a"}}`, yes},
		"any of several values":                 {`{"ForAnyValue:StringLike":{"x:many":["c","B*","b*"]}}`, yes},
		"not any of several values":             {`{"ForAnyValue:StringLike":{"x:many":["c","B*"]}}`, no},
		"any of no values":                      {`{"ForAnyValue:StringNotEquals":{"x:absent":"a"}}`, no},
		"any of no values, IfExists":            {`{"ForAnyValue:StringEqualsIfExists":{"x:absent":"a"}}`, yes},
		"any that is not":                       {`{"ForAnyValue:StringNotEquals":{"x:many":"a"}}`, yes},
		"all that are not":                      {`{"ForAllValues:StringNotEquals":{"x:many":"a"}}`, no},
		"several values without a set operator": {`{"StringEquals":{"x:many":"a"}}`, maybe},
		"a set operator on a key of one value":  {`{"ForAnyValue:ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/*"}}`, yes},
		"an unknown set operator":               {`{"ForSomeValues:StringEquals":{"x:many":"a"}}`, maybe},
		"Null of several values":                {`{"Null":{"x:many":"false"}}`, yes},

		"a policy variable":                         {`{"StringEquals":{"aws:SourceAccount":"${aws:PrincipalAccount}"}}`, maybe},
		"a policy variable beside a value":          {`{"StringEquals":{"aws:SourceAccount":["${x}","111122223333"]}}`, yes},
		"an operator that is not evaluated":         {`{"DateGreaterThan":{"aws:CurrentTime":"2020-01-01T00:00:00Z"}}`, maybe},
		"an operator that nobody knows":             {`{"ArnSimilar":{"aws:SourceArn":"*"}}`, maybe},
		"one that fails beside one that is unknown": {`{"ArnSimilar":{"aws:SourceArn":"*"},"StringEquals":{"aws:SourceAccount":"444455556666"}}`, no},
		"one that holds beside one that fails":      {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:*"},"StringEquals":{"aws:SourceAccount":"444455556666"}}`, no},
	}
	request := iam.ProfileRequest(demoProfile)
	request.Context = map[string][]string{"x:Absent": nil, "X:many": {"a", "b"}}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.Evaluate(mustParse(t, trustWith(tc.condition)), request)
			if got.Result != tc.want {
				t.Errorf("%s: %s, want %s", got.Result, got.Message, tc.want)
			}
		})
	}
}

// The example is that of the IAM user guide for the ARN operators.
func TestEvaluate_AnARNWildcardDoesNotCrossColons(t *testing.T) {
	const pattern = `{"aws:SourceArn":"arn:aws:someservice:*:111122223333:finance/*"}`
	r := iam.Request{SourceARN: "arn:aws:someservice:us-east-2:999999999999:store/abc:111122223333:finance/document.txt"}
	if got := iam.Evaluate(mustParse(t, trustWith(`{"StringLike":`+pattern+`}`)), r); !got.Allowed() {
		t.Errorf("StringLike: %s: %s, want Allow", got.Result, got.Message)
	}
	if got := iam.Evaluate(mustParse(t, trustWith(`{"ArnLike":`+pattern+`}`)), r); got.Result != iam.ResultDeny {
		t.Errorf("ArnLike: %s: %s, want Deny", got.Result, got.Message)
	}
}

func TestEvaluate_TheFirstOfEqualStatementsIsNamed(t *testing.T) {
	const allow = `{"Effect":"Allow","Principal":"*","Action":"*"}`
	const other = `{"Effect":"Allow","Principal":"*","Action":"sts:TagSession"}`
	const deny = `{"Effect":"Deny","Principal":"*","Action":"*"}`
	for _, pair := range []string{allow, other, deny} {
		d := mustParse(t, `{"Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"*"},`+pair+`,`+pair+`]}`)
		if got := iam.Evaluate(d, iam.ProfileRequest(demoProfile)); got.Statement != 1 {
			t.Errorf("two of %s: statement %d decided, want the first, 1", pair, got.Statement)
		}
	}
}

func TestEvaluate_LegacyDocumentsHaveNoVariables(t *testing.T) {
	text := strings.Replace(trustWith(`{"StringEquals":{"aws:SourceAccount":"${x}"}}`), "2012-10-17", "2008-10-17", 1)
	got := iam.Evaluate(mustParse(t, text), iam.Request{SourceAccount: "${x}"})
	if !got.Allowed() {
		t.Errorf("got %s: %s, want Allow: the value is a literal", got.Result, got.Message)
	}
}

func TestEvaluate_SaysWhyAConditionFails(t *testing.T) {
	tests := map[string]struct{ condition, want string }{
		"another cluster":          {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"}}`, "aws:SourceArn allows cluster other, not demo"},
		"another region":           {`{"ArnEquals":{"aws:SourceArn":"arn:aws:eks:eu-*:111122223333:fargateprofile/demo/*"}}`, "aws:SourceArn allows region eu-*, not us-east-1"},
		"another partition":        {`{"ArnLike":{"aws:SourceArn":"arn:aws-cn:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`, "aws:SourceArn allows partition aws-cn, not aws"},
		"another account":          {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:444455556666:fargateprofile/demo/*"}}`, "aws:SourceArn allows account 444455556666, not 111122223333"},
		"another profile":          {`{"StringLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-b/*"}}`, "aws:SourceArn allows profile fp-b, not fp-a"},
		"the cluster itself":       {`{"ArnLike":{"aws:SourceArn":"` + demoCluster + `"}}`, "aws:SourceArn names the cluster " + demoCluster + ", but the source is its Fargate profile " + demoProfile},
		"another resource":         {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:nodegroup/demo/*"}}`, "aws:SourceArn allows resource type nodegroup, not fargateprofile"},
		"the nearest of many":      {`{"ArnLike":{"aws:SourceArn":["arn:aws-cn:eks:eu-west-1:1:fargateprofile/a/*","arn:aws:eks:us-east-1:111122223333:fargateprofile/b/*"]}}`, "aws:SourceArn allows cluster b, not demo"},
		"the first of two as near": {`{"ArnLike":{"aws:SourceArn":["arn:aws:eks:us-east-1:111122223333:fargateprofile/a/*","arn:aws:eks:us-east-1:111122223333:fargateprofile/b/*"]}}`, "aws:SourceArn allows cluster a, not demo"},
		"the first of two tests":   {`{"StringEquals":{"aws:SourceAccount":"444455556666"},"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/a/*"}}`, "aws:SourceArn allows cluster a, not demo"},
		"a literal wildcard":       {`{"StringEquals":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`, "aws:SourceArn allows arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*, not " + demoProfile + "; StringEquals takes a wildcard literally, use ArnLike"},
		"a pattern of no ARN":      {`{"StringLike":{"aws:SourceArn":"x*"}}`, "aws:SourceArn allows x*, not " + demoProfile},
		"account":                  {`{"StringEquals":{"aws:SourceAccount":["1","2"]}}`, "aws:SourceAccount allows 1 and 2, not 111122223333"},
		"a negation":               {`{"ArnNotLike":{"aws:SourceArn":"arn:aws:eks:*:*:*"}}`, "aws:SourceArn excludes " + demoProfile},
		"a missing key":            {`{"StringEquals":{"x:absent":"a"}}`, "the request has no x:absent"},
		"must be absent":           {`{"Null":{"aws:SourceArn":"true"}}`, "the request must not have aws:SourceArn"},
		"must be present":          {`{"Null":{"x:absent":"false"}}`, "the request must have x:absent"},
		"cannot tell":              {`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*"}}`, "ArnLike on aws:SourceArn holds a value that is not evaluated here: arn:aws:eks:*"},
		"no value":                 {`{"ArnLike":{"aws:SourceArn":[]}}`, "the condition on aws:SourceArn lists no value"},
		"unknown operator":         {`{"IpAddress":{"aws:SourceIp":"10.0.0.0/8"}}`, "the condition operator IpAddress is not evaluated here"},
		"undocumented":             {`{"NullIfExists":{"aws:SourceArn":"true"}}`, "IAM does not document the condition operator NullIfExists"},
		"several values":           {`{"StringEquals":{"x:many":"a"}}`, "IAM does not document StringEquals on x:many, which has several values"},
		"unknown key":              {`{"StringEquals":{"sts:ExternalId":"a"}}`, "whether EKS passes sts:ExternalId, and with which value, is not known"},
	}
	request := iam.ProfileRequest(demoProfile)
	request.Context = map[string][]string{"x:absent": nil, "x:many": {"a", "b"}}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := iam.Evaluate(mustParse(t, trustWith(tc.condition)), request); got.Message != tc.want {
				t.Errorf("got  %s\nwant %s", got.Message, tc.want)
			}
		})
	}
}

func TestEvaluate_ExplainsSourcesThatAreNoProfiles(t *testing.T) {
	d := mustParse(t, trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}`))
	tests := map[string]struct{ source, want string }{
		"none":             {"", "the request has no aws:SourceArn"},
		"not an ARN":       {"x", "aws:SourceArn allows arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*, not x"},
		"an ARN too short": {"arn:aws:eks:us-east-1:111122223333:x", "aws:SourceArn allows arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*, not arn:aws:eks:us-east-1:111122223333:x"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.Evaluate(d, iam.Request{SourceARN: tc.source})
			if got.Result != iam.ResultDeny || got.Message != tc.want {
				t.Errorf("got  %s: %s\nwant Deny: %s", got.Result, got.Message, tc.want)
			}
		})
	}
}

// Of several things that can't be told in one statement, the first is named.
func TestEvaluate_NamesTheFirstDoubt(t *testing.T) {
	d := mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"Service":"*"},"Action":"sts:AssumeRole","Condition":{"StringEquals":{"sts:ExternalId":"x"}},"Resource":"*"}}`)
	want := "IAM does not document whether * includes eks-fargate-pods.amazonaws.com"
	if got := iam.Evaluate(d, demo().Request("web")); got.Result != iam.ResultUnknown || got.Message != want {
		t.Errorf("got %s: %s, want Unknown: %s", got.Result, got.Message, want)
	}
}

func TestEvaluate_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, r := documents().Draw(t, "document"), requests().Draw(t, "request")
		v := iam.Evaluate(d, r)
		if v.Message == "" || v.Statement >= len(d.Statements) {
			t.Fatalf("verdict without a message or beyond the statements: %+v", v)
		}
		// Denying everything makes a no of every answer.
		d.Statements = append(d.Statements, iam.Statement{
			Effect: iam.EffectDeny, Principal: iam.Principal{Everyone: true}, Action: []string{"*"},
		})
		if denied := iam.Evaluate(d, r); denied.Result != iam.ResultDeny || !denied.Explicit {
			t.Fatalf("%s after a statement that denies everything", denied.Result)
		}
	})
}

func TestEvaluate_AnUnknownElementNeverMakesAnAllow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, r := documents().Draw(t, "document"), requests().Draw(t, "request")
		before := iam.Evaluate(d, r)
		i := rapid.IntRange(-1, len(d.Statements)-1).Draw(t, "statement")
		element := elements().Draw(t, "element")
		if i < 0 {
			d.Other = append(d.Other, element)
		} else {
			d.Statements[i].Other = append(d.Statements[i].Other, element)
		}
		if after := iam.Evaluate(d, r); after.Allowed() && !before.Allowed() {
			t.Fatalf("%s (%s) became Allow", before.Result, before.Message)
		}
	})
}

func FuzzEvaluate(f *testing.F) {
	f.Add(trustWith(`{"ArnLike":{"aws:SourceArn":"arn:aws:eks:*:*:fargateprofile/demo/*"}}`), demoProfile, "111122223333")
	f.Add(trustWith(`{"ForAnyValue:StringNotLikeIfExists":{"aws:sourcearn":["*:*?"]},"Null":{"a":[true,"x"]}}`), "arn:::::", "")
	f.Add(`{"Statement":[{"Effect":"Deny","NotPrincipal":{"AWS":"*"},"NotAction":""},{"Effect":"x"}]}`, "", "é")
	f.Fuzz(func(t *testing.T, document, source, account string) {
		d, err := iam.ParseDocument(document)
		if err != nil {
			return
		}
		v := iam.Evaluate(d, iam.Request{SourceARN: source, SourceAccount: account})
		if v.Message == "" || v.Reason == "" {
			t.Errorf("no message or no reason: %+v", v)
		}
		if v.Allowed() && !iam.Evaluate(iam.Merge(d, iam.TrustPolicy(demo())), iam.Request{SourceARN: source, SourceAccount: account}).Allowed() {
			t.Errorf("one more statement that allows took the permission away: %s", document)
		}
	})
}

// IAM refuses the name of an operator in another spelling of case, so that nobody
// knows what it would do: it never decides, be it for or against.
func TestEvaluate_AnOperatorInAnotherCaseDecidesNothing(t *testing.T) {
	for _, name := range []string{
		"stringlike", "STRINGLIKE", "stringLike", "stringequals", "arnlike", "ArnLikeifexists", "arnNotLike", "bool", "null",
		"forAllValues:StringLike", "foranyvalue:ArnLike", "ForAnyValue:arnLike", "stringequalsignorecase",
	} {
		for _, value := range []string{"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*", "*", "none", "true", "false"} {
			condition := iam.Condition{name: {"aws:SourceArn": {value}}}
			allow, deny := iam.TrustPolicy(demo()), iam.TrustPolicy(demo())
			allow.Statements[0].Condition = condition
			deny.Statements = append(deny.Statements, deny.Statements[0])
			deny.Statements[1].Effect, deny.Statements[1].Condition = iam.EffectDeny, condition
			for effect, d := range map[string]iam.Document{"allows": allow, "denies": deny} {
				v := iam.Evaluate(d, demo().Request("web"))
				if v.Result != iam.ResultUnknown || !strings.Contains(v.Message, name) || !strings.Contains(v.Message, "spells") {
					t.Errorf("%s that %s with %s: %s: %s", name, effect, value, v.Result, v.Message)
				}
			}
		}
	}
}
