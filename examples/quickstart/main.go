// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Command quickstart takes the Fargate profiles of a manifest through their whole
// life: planned, created, tagged, replaced and deleted. It needs no account and no
// network: the AWS SDK's own client talks to the fake AWS of this library, whose
// clock the program turns, so that minutes pass in no time.
//
//	go run ./examples/quickstart            # the manifest beside this file
//	go run ./examples/quickstart -f FILE    # any manifest of eksctl or Cluster API
//
// With -policy FILE it may do no more at the fake than an IAM policy allows. That of
// testdata is what fargatectl policy controller prints.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/eksfargate/eksfargate/manifest"
)

//go:embed fargate.yaml
var sample []byte

const samplePath = "examples/quickstart/fargate.yaml"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("f", "", "a manifest with Fargate profiles; without it, the one of the example")
	policy := flags.String("policy", "", "an IAM policy: the program does what it allows, and nothing else")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("a manifest is given as -f %s", flags.Arg(0))
	}
	name, data, err := read(*file)
	if err != nil {
		return err
	}
	result := manifest.Parse(name, data)
	if err := faultsOf(result); err != nil {
		return err
	}
	if len(result.Profiles) == 0 {
		return fmt.Errorf("%s holds no Fargate profile", name)
	}
	stage, err := newStage(result)
	if err != nil {
		return err
	}
	if err := stage.restrict(*policy); err != nil {
		return err
	}
	return newStory(stdout, name, stage).tell(ctx)
}

// read returns a manifest and its name: those of the example where no path is given.
func read(path string) (string, []byte, error) {
	if path == "" {
		return samplePath, sample, nil
	}
	data, err := os.ReadFile(path) //nolint:gosec // reading the file that the user names is the job
	return path, data, err
}
