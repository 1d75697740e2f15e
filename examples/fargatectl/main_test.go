// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the expected output in the scripts anew; commit it only when the change is understood")

// programVariable makes the test binary be the program.
const programVariable = "FARGATECTL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		os.Exit(run())
	}
	testscript.Main(m, map[string]func(){
		"fargatectl": func() { os.Exit(run()) },
	})
}

// TestScripts runs the scripts in testdata/script: each is a session with the
// program, with the files that it reads and the output that it must give.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               hermetic,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": checkStatus},
	})
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
