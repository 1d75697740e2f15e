// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// cli runs the AWS CLI, once for each call.
type cli struct{ endpoint string }

func startCLI(t *testing.T) func(*testing.T, *fake.Cloud) client {
	t.Helper()
	requested(t, "cli")
	out, err := program(t, "", "aws", "--version").CombinedOutput()
	if err != nil {
		t.Skipf("the AWS CLI does not start: %v: %s", err, out)
	}
	t.Log(strings.TrimSpace(string(out)))
	return func(t *testing.T, c *fake.Cloud) client {
		t.Helper()
		return cli{listen(t, c)}
	}
}

// run returns what a command prints, and its complaint.
func (c cli) run(t *testing.T, args ...string) (output []byte, complaint string) {
	t.Helper()
	args = append(args, "--endpoint-url", c.endpoint, "--output", "json")
	cmd := program(t, "", "aws", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if _, ended := err.(*exec.ExitError); err != nil && !ended { //nolint:errorlint // Output wraps nothing
		t.Fatal(err)
	}
	if text := strings.TrimSpace(stderr.String()); text != "" || err == nil {
		return output, strings.TrimPrefix(text, "aws: [ERROR]: ")
	}
	t.Fatalf("aws %v: %v", args, err)
	return nil, ""
}

// kebab is the CLI's spelling of the name of an operation or a waiter.
func kebab(name string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "$1-$2"))
}

func (c cli) call(t *testing.T, service, operation string, input object) answer {
	t.Helper()
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	output, complaint := c.run(t, service, kebab(operation), "--cli-input-json", string(text))
	if complaint != "" {
		return answer{failure: cliFailure(t, operation, complaint)}
	}
	shown := object{}
	if len(bytes.TrimSpace(output)) > 0 {
		if err := json.Unmarshal(output, &shown); err != nil {
			t.Fatalf("%v in %s", err, output)
		}
	}
	return answer{output: shown}
}

// cliFailure reads the one sentence in which the CLI shows an error of AWS.
func cliFailure(t *testing.T, operation, complaint string) *failure {
	t.Helper()
	sentence := regexp.MustCompile(`^An error occurred \((\w+)\) when calling the ` + operation +
		` operation(?: \(reached max retries: \d+\))?: (.*)$`)
	groups := sentence.FindStringSubmatch(complaint)
	if groups == nil {
		t.Fatalf("the CLI said %q", complaint)
	}
	return &failure{Code: groups[1], Message: groups[2]}
}

func (c cli) list(t *testing.T, cluster string, pageSize int) []string {
	t.Helper()
	output, complaint := c.run(t, "eks", "list-fargate-profiles", "--cluster-name", cluster,
		"--page-size", strconv.Itoa(pageSize))
	return names(t, output, complaint)
}

func names(t *testing.T, output []byte, complaint string) []string {
	t.Helper()
	var shown struct{ FargateProfileNames []string }
	if err := json.Unmarshal(output, &shown); err != nil || complaint != "" {
		t.Fatalf("%s %v", complaint, err)
	}
	return shown.FargateProfileNames
}

func (c cli) wait(t *testing.T, waiter string, input object) string {
	t.Helper()
	_, complaint := c.run(t, "eks", "wait", kebab(waiter), "--cluster-name", input["clusterName"].(string),
		"--fargate-profile-name", input["fargateProfileName"].(string))
	return complaint
}

// The CLI's own notation for lists and maps, and its own paging.
func TestCLINotation(t *testing.T) {
	t.Parallel()
	c := fake.New(stopped)
	aws := startCLI(t)(t, c).(cli)
	s := session{T: t, c: c, client: aws}
	s.active("a", "b", "c")
	run := func(args ...string) object {
		output, complaint := aws.run(t, append([]string{"eks"}, args...)...)
		shown := object{}
		if err := json.Unmarshal(output, &shown); err != nil || complaint != "" {
			t.Fatalf("aws eks %v: %s %v", args, complaint, err)
		}
		return shown
	}
	created, _ := run("create-fargate-profile", "--cluster-name", demo, "--fargate-profile-name", "web",
		"--pod-execution-role-arn", c.RoleARN(fake.RoleName),
		"--selectors", "namespace=web,labels={app=front,tier=x}", "namespace=more",
		"--subnets", fake.PrivateSubnetIDs()[0], "--tags", "team=x,empty=")["fargateProfile"].(object)
	s.same("selectors", created["selectors"], []any{
		object{"namespace": "web", "labels": object{"app": "front", "tier": "x"}}, object{"namespace": "more"},
	})
	s.same("tags", created["tags"], object{"team": "x", "empty": ""})

	list := []string{"list-fargate-profiles", "--cluster-name", demo, "--page-size", "1", "--max-items", "2"}
	first := run(list...)
	second := run(append(list, "--starting-token", first["NextToken"].(string))...)
	s.same("first items", first["fargateProfileNames"], listOf("a", "b"))
	s.same("next items", second["fargateProfileNames"], listOf("c", "web"))
	if diff := cmp.Diff(nil, second["NextToken"]); diff != "" {
		t.Errorf("token after the last item (-want +got):\n%s", diff)
	}
}
