// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conformance_test shows package fake to the clients that people use: one
// suite of scenarios goes through the typed clients, the SDK for Go in process and
// over a socket, boto3, the AWS CLI and the SDK for JavaScript; a session with
// Terraform follows. The environment variable EKSFARGATE_CLIENTS asks for the ones
// that are slow or that install something: "all", or some of "cli,js,terraform".
package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/eksfargate/eksfargate/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const clientsVariable = "EKSFARGATE_CLIENTS"

// requested skips a test unless its client was asked for.
func requested(t *testing.T, name string) {
	t.Helper()
	asked := strings.Split(os.Getenv(clientsVariable), ",")
	if !slices.Contains(asked, name) && !slices.Contains(asked, "all") {
		t.Skipf("%s is slow: ask for it with %s=%s or =all", name, clientsVariable, name)
	}
}

// program makes a command whose settings and credentials of AWS are the test's.
// It skips the test where the program is not installed.
func program(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
	none := filepath.Join(t.TempDir(), "none")
	cmd := exec.CommandContext(t.Context(), path, args...) //nolint:gosec // running a program of the machine is the point
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") })
	cmd.Env = append(cmd.Env, "AWS_ACCESS_KEY_ID=AKIAFAKE", "AWS_SECRET_ACCESS_KEY=secret",
		"AWS_DEFAULT_REGION=us-east-1", "AWS_REGION=us-east-1", "AWS_PAGER=", "AWS_MAX_ATTEMPTS=1",
		"AWS_CONFIG_FILE="+none, "AWS_SHARED_CREDENTIALS_FILE="+none, "AWS_EC2_METADATA_DISABLED=true")
	return cmd
}

// listen gives a Cloud a socket until the test ends.
func listen(t *testing.T, c *fake.Cloud) string {
	t.Helper()
	server, err := c.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}
