// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

// terraform is a folder in which Terraform works against one Cloud.
type terraform struct {
	t    *testing.T
	dir  string
	env  []string
	vars map[string]string
}

// mirrored is where a filesystem mirror keeps the AWS provider.
const mirrored = "registry.terraform.io/hashicorp/aws"

// findMirror looks for a filesystem mirror in the places where software is
// installed. It returns "" when there is none.
func findMirror() string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/nonexistent"
	}
	roots := []string{
		filepath.Join(home, ".terraform.d"), filepath.Join(home, ".local", "share"),
		"/opt", "/usr/local", "/usr/share", "/usr/lib", "/var/lib",
	}
	for _, root := range roots {
		if mirror := mirrorBelow(root); mirror != "" {
			return mirror
		}
	}
	return ""
}

func mirrorBelow(root string) string {
	const depth = 4
	found := ""
	// What cannot be read holds no mirror for us.
	_ = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		rest := strings.TrimPrefix(path, root)
		if err != nil || strings.Count(rest, string(filepath.Separator)) > depth {
			return fs.SkipDir
		}
		if info, err := os.Stat(filepath.Join(path, mirrored)); err == nil && info.IsDir() {
			found = path
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// newTerraform makes a folder with the configuration and initialises it.
func newTerraform(t *testing.T, endpoint string) *terraform {
	t.Helper()
	program(t, "", "terraform") // skips where there is none
	mirror := findMirror()
	if mirror == "" {
		t.Skipf("no filesystem mirror with %s was found", mirrored)
	}
	tf := &terraform{t: t, dir: t.TempDir(), vars: map[string]string{
		"endpoint": endpoint, "team": "one", "namespace": "web",
		"subnets": fmt.Sprintf("[%q,%q]", fake.PrivateSubnetIDs()[0], fake.PrivateSubnetIDs()[1]),
	}}
	if err := os.CopyFS(tf.dir, os.DirFS(filepath.Join("testdata", "terraform"))); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(tf.dir, "cli.tfrc")
	settings := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	tf.env = []string{"TF_CLI_CONFIG_FILE=" + config, "TF_IN_AUTOMATION=1", "TF_INPUT=0"}
	tf.must("init", "-no-color")
	return tf
}

// run returns what a command prints and its exit code.
func (tf *terraform) run(args ...string) (output string, code int) {
	tf.t.Helper()
	cmd := program(tf.t, tf.dir, "terraform", args...)
	cmd.Env = append(cmd.Env, tf.env...)
	for name, value := range tf.vars {
		cmd.Env = append(cmd.Env, "TF_VAR_"+name+"="+value)
	}
	started := time.Now()
	out, err := cmd.CombinedOutput()
	tf.t.Logf("terraform %s: %v", strings.Join(args, " "), time.Since(started).Round(time.Second))
	if exit, ended := err.(*exec.ExitError); ended { //nolint:errorlint // CombinedOutput wraps nothing
		return string(out), exit.ExitCode()
	}
	if err != nil {
		tf.t.Fatal(err)
	}
	return string(out), 0
}

func (tf *terraform) must(args ...string) string {
	tf.t.Helper()
	output, code := tf.run(args...)
	if code != 0 {
		tf.t.Fatalf("terraform %v: exit code %d\n%s", args, code, output)
	}
	return output
}

// apply returns the line that sums up what was done.
func (tf *terraform) apply() string {
	tf.t.Helper()
	for line := range strings.Lines(tf.must("apply", "-auto-approve", "-no-color")) {
		if strings.HasPrefix(line, "Apply complete!") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// wantNoChanges checks that a plan finds nothing to do.
func (tf *terraform) wantNoChanges() {
	tf.t.Helper()
	if output, code := tf.run("plan", "-detailed-exitcode", "-no-color"); code != 0 {
		tf.t.Fatalf("the plan is not empty:\n%s", output)
	}
}

// Terraform makes roles, a cluster and two profiles at once, sees no difference
// afterwards, changes tags in place, replaces profiles for another selector,
// imports one and destroys everything.
func TestTerraform(t *testing.T) {
	t.Parallel()
	requested(t, "terraform")
	start := time.Now()
	c := fake.New(func(o *fake.Options) {
		// Time runs fast: a cluster of nine minutes is there in about three seconds.
		o.Now = func() time.Time { return start.Add(200 * time.Since(start)) }
	})
	tf := newTerraform(t, listen(t, c))
	want := func(got, want string) {
		t.Helper()
		if got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}

	want(tf.apply(), "Apply complete! Resources: 6 added, 0 changed, 0 destroyed.")
	tf.wantNoChanges()

	tf.vars["team"] = "two"
	want(tf.apply(), "Apply complete! Resources: 0 added, 5 changed, 0 destroyed.")
	tf.wantNoChanges()

	tf.vars["namespace"] = "api"
	want(tf.apply(), "Apply complete! Resources: 2 added, 0 changed, 2 destroyed.")

	tf.must("state", "rm", `aws_eks_fargate_profile.this["blue"]`)
	tf.must("import", "-no-color", `aws_eks_fargate_profile.this["blue"]`, "terraformed:blue")
	tf.wantNoChanges()

	tf.must("destroy", "-auto-approve", "-no-color")
	checkDestroyed(t, c)
}

func checkDestroyed(t *testing.T, c *fake.Cloud) {
	t.Helper()
	clusters, err := c.EKS().ListClusters(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(clusters.Clusters, "terraformed") {
		t.Error("the cluster is still there")
	}
	roles, err := c.IAM().ListRoles(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range roles.Roles {
		if *role.RoleName == "pods" || *role.RoleName == "control-plane" {
			t.Errorf("the role %s is still there", *role.RoleName)
		}
	}
}
