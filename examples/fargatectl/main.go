// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Command fargatectl works with EKS Fargate profiles from the command line, and
// with the manifests that people already have: it checks and explains them, plans
// what must change, carries it out, and brings its own fake AWS to try it on.
//
//	fargatectl validate -f profiles.yaml
//	fargatectl explain  -f profiles.yaml --pod deployment.yaml
//	fargatectl plan     -f profiles.yaml --fake
//
// Exit status: 0 fine, 1 an error, 2 plan: there are changes, 3 validate: something
// can't be known from the file alone, 130 interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first Ctrl-C stops between steps; a second one ends the process.
	context.AfterFunc(ctx, stop)
	return cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
