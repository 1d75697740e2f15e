// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

// restrictVariable makes a program on the embedded fake do no more than the policy
// allows that it prints itself. Its value is the folder of the script.
const restrictVariable = "FARGATECTL_TEST_RESTRICT"

// restrict adds --fake-policy to the arguments of a command that calls the fake.
func restrict() {
	folder := os.Getenv(restrictVariable)
	isFake := func(arg string) bool { return arg == "--fake" || arg == "--fake-state" }
	if folder == "" || !slices.ContainsFunc(os.Args, isFake) || slices.Contains(os.Args, "--fake-policy") || os.Args[1] == "__complete" {
		return
	}
	var document, problems bytes.Buffer
	args := append([]string{"policy", "controller", "--account", "111122223333", "--region", "us-east-1"}, rights(folder, os.Args)...)
	if code := cli.Run(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &document, Err: &problems}); code != 0 {
		fail(problems.String())
	}
	path := filepath.Join(folder, ".policy.json")
	if err := os.WriteFile(path, document.Bytes(), 0o600); err != nil { //nolint:gosec // the folder of the script
		fail(err.Error())
	}
	os.Args = append(os.Args, "--fake-policy", path)
}

func fail(text string) {
	_, _ = io.WriteString(os.Stderr, text)
	os.Exit(3)
}

// rights are the flags of policy controller for a command: what it does with roles, and
// which roles it or the files of its script name.
func rights(folder string, args []string) []string {
	mode := "verify"
	if i := slices.Index(args, "--role"); i >= 0 {
		mode = args[i+1]
	}
	flags := []string{"--role", mode}
	if mode == "ensure" {
		flags = append(flags, "--cluster", "demo")
	}
	texts := slices.Clone(args)
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil { //nolint:gosec // a file of the script
			texts = append(texts, string(text))
		}
	}
	roles := regexp.MustCompile(`arn:aws:iam::111122223333:role/[\w+=,.@/-]+`).FindAllString(strings.Join(texts, "\n"), -1)
	slices.Sort(roles)
	for _, arn := range slices.Compact(roles) {
		flags = append(flags, "--role-arn", arn)
	}
	return flags
}
