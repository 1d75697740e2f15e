// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// installed is the command of a program that the machine may have, with credentials
// that mean nothing.
func installed(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skipf("%s takes seconds to start", name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...) //nolint:gosec // running a program of the machine is the point
	none := filepath.Join(t.TempDir(), "none")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") })
	cmd.Env = append(cmd.Env, "AWS_ACCESS_KEY_ID=AKIAFAKE", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
		"AWS_PAGER=", "AWS_CONFIG_FILE="+none, "AWS_SHARED_CREDENTIALS_FILE="+none)
	return cmd
}

// TestTheAWSCLIWorksWithAServedFake takes a profile through its life from another
// process, on a clock that runs a thousand times as fast.
func TestTheAWSCLIWorksWithAServedFake(t *testing.T) {
	t.Parallel()
	if out, err := installed(t, "aws", "--version").CombinedOutput(); err != nil {
		t.Skipf("the AWS CLI does not start: %v: %s", err, out)
	}
	server := program(t, "", "fake", "serve", "--time-scale", "1000")
	url := started(t, server)
	for _, call := range []struct{ command, says string }{
		{`create-fargate-profile --pod-execution-role-arn arn:aws:iam::111122223333:role/fargate-pods --selectors namespace=web --query fargateProfile.status`, "CREATING"},
		{"wait fargate-profile-active", ""},
		{"describe-fargate-profile --query fargateProfile.status", "ACTIVE"},
		{"delete-fargate-profile --query fargateProfile.status", "DELETING"},
		{"wait fargate-profile-deleted", ""},
		{"list-fargate-profiles --query fargateProfileNames", ""},
	} {
		args := append([]string{"eks"}, strings.Fields(call.command)...)
		args = append(args, "--cluster-name", "demo", "--endpoint-url", url, "--output", "text")
		if !strings.HasPrefix(call.command, "list-") {
			args = append(args, "--fargate-profile-name", "web")
		}
		out, err := installed(t, "aws", args...).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != call.says {
			t.Fatalf("aws %s: %v, says %q, want %q", strings.Join(args, " "), err, got, call.says)
		}
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestCfnLintTakesWhatConvertWrites has the linter of AWS judge a template with every
// field, and with texts that a careless writer would leave bare.
func TestCfnLintTakesWhatConvertWrites(t *testing.T) {
	t.Parallel()
	const profiles = `
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: demo, region: eu-west-1}
fargateProfiles:
- name: web
  podExecutionRoleARN: arn:aws:iam::111122223333:role/fargate-pods
  subnets: [subnet-0123456789abcdef0, subnet-0123456789abcdef1]
  tags: {team: "yes", "a:b": "010"}
  selectors:
  - {namespace: "*"}
  - {namespace: "web-?", labels: {app: "on", "example.com/tier": "1.10"}}
- name: "2nd_profile-"
  podExecutionRoleARN: arn:aws:iam::111122223333:role/fargate-pods
  selectors: [{namespace: "null"}]
`
	template := filepath.Join(t.TempDir(), "template.yaml")
	lint := installed(t, "cfn-lint", "--regions", "eu-west-1", "--", template)
	convert := program(t, "", "convert", "-f", "-", "--to", "cloudformation")
	convert.Stdin = strings.NewReader(profiles)
	text, err := convert.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(template, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := lint.CombinedOutput(); err != nil {
		t.Errorf("cfn-lint: %v\n%s\n%s", err, out, text)
	}
}
