// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

// TestTheReadmeNamesWhatThereIs gives each command of the README to the program, which
// refuses a command or a flag that it does not have.
func TestTheReadmeNamesWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bin/fargatectl" {
			continue
		}
		seen++
		var problems strings.Builder
		args := append(words[1:], "--help")
		if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &problems}); code != 0 {
			t.Errorf("%s: exit status %d: %s", strings.TrimSpace(line), code, &problems)
		}
	}
	if seen < 8 {
		t.Errorf("only %d commands were found", seen)
	}
}

// TestThePolicyOfTheReadmeIsEnough gives the commands about permissions: the fake is
// held to the policy that the first one prints.
func TestThePolicyOfTheReadmeIsEnough(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Which permissions it needs")
	t.Chdir(t.TempDir())
	const manifest = `{"fargateProfiles": [{"name": "web", "selectors": [{"namespace": "web"}],
		"podExecutionRoleARN": "arn:aws:iam::111122223333:role/fargate-pods"}]}`
	write(t, "cluster.yaml", manifest)
	seen := 0
	for line := range strings.Lines(section) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bin/fargatectl" {
			continue
		}
		seen++
		command, file, redirected := strings.Cut(strings.Join(words[1:], " "), " > ")
		args := strings.Fields(command)
		if !redirected {
			args = append(args, "--cluster", "demo", "--yes")
		}
		var out, problems strings.Builder
		if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &problems}); code != 0 {
			t.Fatalf("%s: exit status %d: %s", command, code, &problems)
		}
		if redirected {
			write(t, file, out.String())
		}
	}
	if seen != 2 {
		t.Errorf("%d commands were found", seen)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
