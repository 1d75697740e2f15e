// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

var update = flag.Bool("update", false, "write the expected output in the scripts anew; commit it only when the change is understood")

// programVariable makes the test binary be the program.
const programVariable = "FARGATECTL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		os.Exit(run())
	}
	testscript.Main(m, map[string]func(){
		"fargatectl": func() {
			restrict()
			os.Exit(run())
		},
		"world": world,
	})
}

// TestScripts runs the scripts in testdata/script: each is a session with the
// program, with the files that it reads and the output that it must give.
func TestScripts(t *testing.T) {
	params := scripts()
	params.UpdateScripts = *update
	testscript.Run(t, params)
}

// TestScriptsWithThePolicyThatIsPrinted runs them again, and lets each command do what
// policy controller prints for it and nothing else.
func TestScriptsWithThePolicyThatIsPrinted(t *testing.T) {
	params := scripts()
	params.Setup = func(env *testscript.Env) error {
		env.Setenv(restrictVariable, env.WorkDir)
		return hermetic(env)
	}
	testscript.Run(t, params)
}

func scripts() testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               hermetic,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": checkStatus},
	}
}

// TestThePolicyOfTheQuickstart keeps the policy fresh that the quickstart is held to.
func TestThePolicyOfTheQuickstart(t *testing.T) {
	var got, problems bytes.Buffer
	args := strings.Fields("policy controller --account 111122223333 --region us-east-1 --cluster demo --role ignore --role-arn arn:aws:iam::111122223333:role/fargate-pods --preflight=false")
	if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &got, Err: &problems}); code != 0 {
		t.Fatal(problems.String())
	}
	path := filepath.Join("..", "quickstart", "testdata", "policy.json")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// hermetic keeps the machine's own AWS configuration out of the scripts.
func hermetic(env *testscript.Env) error {
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		env.Setenv(name, "")
	}
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
	env.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	return nil
}

// checkStatus runs a command and checks its exit status:
//
//	status 2 fargatectl plan -f profiles.yaml
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	if got := exitStatus(err); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func exitStatus(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}
