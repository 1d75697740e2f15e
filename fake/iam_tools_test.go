// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// tool makes a command whose AWS credentials and settings are the test's.
func tool(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
	none := filepath.Join(t.TempDir(), "none")
	cmd := exec.CommandContext(t.Context(), path, args...) //nolint:gosec // running a program of the machine is the point
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") })
	cmd.Env = append(cmd.Env, "AWS_ACCESS_KEY_ID=AKIAFAKE", "AWS_SECRET_ACCESS_KEY=secret",
		"AWS_DEFAULT_REGION=us-east-1", "AWS_REGION=us-east-1", "AWS_PAGER=", "AWS_MAX_ATTEMPTS=1",
		"AWS_CONFIG_FILE="+none, "AWS_SHARED_CREDENTIALS_FILE="+none, "AWS_EC2_METADATA_DISABLED=true")
	return cmd
}

// The AWS CLI makes a role, sees it, and shows IAM's refusals.
func TestIAMOverTheCLI(t *testing.T) {
	if testing.Short() {
		t.Skip("the AWS CLI takes a second for each command")
	}
	c := fake.New()
	server := start(t, c)
	run := func(args ...string) string {
		cmd := tool(t, "aws", append(args, "--endpoint-url", server.URL, "--output", "text")...)
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "An error occurred") {
			t.Fatalf("aws %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	e := iamEnv{t: t, c: c, api: c.IAM()}
	e.must(e.attach(fake.RoleName, executionPolicy))
	steps := []struct {
		args []string
		want string
	}{
		{
			[]string{
				"iam", "create-role", "--role-name", "web", "--assume-role-policy-document", fake.PodTrust,
				"--tags", "Key=a,Value=b", "--query", "Role.AssumeRolePolicyDocument.Statement[0].Principal.Service",
			},
			"eks-fargate-pods.amazonaws.com",
		},
		{[]string{"iam", "list-roles", "--page-size", "1", "--query", "Roles[].RoleName"}, "eks-cluster\nfargate-pods\nweb"},
		{
			[]string{"iam", "delete-role", "--role-name", fake.RoleName},
			"An error occurred (DeleteConflict) when calling the DeleteRole operation: " +
				"Cannot delete entity, must detach all policies first.",
		},
	}
	for _, step := range steps {
		got := strings.ReplaceAll(run(step.args...), "\t", "\n")
		if diff := cmp.Diff(step.want, strings.TrimPrefix(got, "aws: [ERROR]: ")); diff != "" {
			t.Errorf("aws %v (-want +got):\n%s", step.args, diff)
		}
	}
}

const botoScript = `
import boto3, sys
from botocore.exceptions import ClientError
iam = boto3.client("iam", endpoint_url=sys.argv[1])
sts = boto3.client("sts", endpoint_url=sys.argv[1])
role = iam.create_role(RoleName="web", AssumeRolePolicyDocument=sys.argv[2], Tags=[])["Role"]
print(role["Arn"], role["AssumeRolePolicyDocument"]["Version"], role["CreateDate"].utcoffset() is not None)
iam.update_role(RoleName="web", MaxSessionDuration=7200)
iam.tag_role(RoleName="web", Tags=[{"Key": "team", "Value": "x @ y"}])
print(iam.get_role(RoleName="web")["Role"]["MaxSessionDuration"], iam.list_role_tags(RoleName="web")["Tags"])
names = [r["RoleName"] for page in iam.get_paginator("list_roles").paginate(MaxItems=1) for r in page["Roles"]]
print(names)
iam.create_instance_profile(InstanceProfileName="nodes")
iam.add_role_to_instance_profile(InstanceProfileName="nodes", RoleName="web")
try:
    iam.delete_role(RoleName="web")
except iam.exceptions.DeleteConflictException as e:
    print(e.response["ResponseMetadata"]["HTTPStatusCode"], e.response["Error"]["Message"])
iam.get_waiter("role_exists").wait(RoleName="web")
try:
    sts.assume_role(RoleArn=role["Arn"], RoleSessionName="test")
except ClientError as e:
    print(e.response["Error"]["Code"])
`

// What boto3 makes of the same answers.
func TestIAMOverBoto3(t *testing.T) {
	if testing.Short() {
		t.Skip("boto3 takes a second to start")
	}
	server := start(t, fake.New())
	if out, err := tool(t, "python3", "-c", "import boto3").CombinedOutput(); err != nil {
		t.Skipf("boto3 is not installed: %v: %s", err, out)
	}
	out, err := tool(t, "python3", "-c", botoScript, server.URL, fake.PodTrust).CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	const want = `arn:aws:iam::111122223333:role/web 2012-10-17 True
7200 [{'Key': 'team', 'Value': 'x @ y'}]
['eks-cluster', 'fargate-pods', 'web']
409 Cannot delete entity, must remove roles from instance profile first.
AccessDenied
`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("boto3 (-want +got):\n%s", diff)
	}
}
