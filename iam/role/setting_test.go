// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/eksfargate/eksfargate/fake"
)

// must ends the test where a call of the setting failed.
func must(t *testing.T) func(any, error) {
	t.Helper()
	return func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func tag(t *testing.T, c *fake.Cloud, name, key, value string) {
	t.Helper()
	must(t)(c.IAM().TagRole(t.Context(), &awsiam.TagRoleInput{RoleName: &name, Tags: []types.Tag{{Key: &key, Value: &value}}}))
}

// logging is an inline policy as people put it into a role.
const logging = `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"logs:PutLogEvents","Resource":"*"}}`

func putInline(t *testing.T, c *fake.Cloud, name, policy string) {
	t.Helper()
	must(t)(c.IAM().PutRolePolicy(t.Context(), &awsiam.PutRolePolicyInput{RoleName: &name, PolicyName: &policy, PolicyDocument: new(logging)}))
}

// addPolicy makes a managed policy of the account and returns its ARN.
func addPolicy(t *testing.T, c *fake.Cloud, name string) string {
	t.Helper()
	out, err := c.IAM().CreatePolicy(t.Context(), &awsiam.CreatePolicyInput{PolicyName: &name, PolicyDocument: new(logging)})
	if err != nil {
		t.Fatal(err)
	}
	return *out.Policy.Arn
}

// sdkClient is the SDK's own client, in a region.
func sdkClient(c *fake.Cloud, region string) *eks.Client {
	return eks.New(eks.Options{Region: region, HTTPClient: c.HTTPClient(), Credentials: aws.AnonymousCredentials{}})
}
