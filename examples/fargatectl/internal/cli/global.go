// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// global are the flags of every command.
type global struct {
	endpoint, region, profile string
	fake                      bool
	fakeState, fakePolicy     string
	cluster, owner            string
	format                    string
	verbose                   int
}

func (g *global) addFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&g.endpoint, "endpoint-url", "", "EKS, IAM and STS at this `URL` (AWS_ENDPOINT_URL works too)")
	f.StringVar(&g.region, "region", "", "the AWS `region`; without it, what the AWS CLI would use")
	f.StringVar(&g.profile, "profile", "", "the `profile` of the shared AWS configuration")
	f.BoolVar(&g.fake, "fake", false, "an embedded fake AWS instead: no account, no network; it has a cluster demo and a role fargate-pods")
	f.StringVar(&g.fakeState, "fake-state", "", "keep the fake AWS in this `file` between commands")
	f.StringVar(&g.fakePolicy, "fake-policy", "", "let the caller of the fake do only what the IAM policy in this `file` allows, and say what it lacks")
	f.StringVar(&g.cluster, "cluster", "", "the EKS `name` of the cluster, where the files name none or several")
	f.StringVar(&g.owner, "owner", "", "the owner `id` for the marks on profiles; it must stay the same for ever")
	f.StringVarP(&g.format, "output", "o", string(output.Table), "the `form` of the result: table, json, yaml, mermaid (where it makes sense)")
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc("output", completeFormats)
	f.CountVarP(&g.verbose, "verbose", "v", "say what is decided and why; -vv says what is called")
}

// formatsKey is the annotation with the forms that a command has.
const formatsKey = "formats"

// formats says which forms a command has. The first is its default.
func formats(cmd *cobra.Command, all ...output.Format) {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = string(f)
	}
	cmd.Annotations = map[string]string{formatsKey: strings.Join(names, ",")}
}

// completeFormats completes the forms that the command has.
func completeFormats(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return strings.Split(cmd.Annotations[formatsKey], ","), cobra.ShellCompDirectiveNoFileComp
}

// checkFormat refuses a form that the command does not have.
func (g *global) checkFormat(cmd *cobra.Command) error {
	names := strings.Split(cmd.Annotations[formatsKey], ",")
	if !cmd.Flags().Changed("output") {
		g.format = names[0]
		return nil
	}
	if cmd.Annotations[formatsKey] == "" {
		return failure("leave out -o", "%s has one form of output", cmd.CommandPath())
	}
	if !slices.Contains(names, g.format) {
		return failure("choose one of "+strings.Join(names, ", "), "%s has no output in the form %q", cmd.CommandPath(), g.format)
	}
	return nil
}

// check refuses flags that contradict each other.
func (g *global) check(cmd *cobra.Command) error {
	if g.fakeState != "" || g.fakePolicy != "" {
		g.fake = true
	}
	if g.fake && g.endpoint != "" {
		return failure("leave one of them out", "--fake and --endpoint-url exclude each other")
	}
	return g.checkFormat(cmd)
}

func usage(cmd *cobra.Command, err error) error {
	return advise(fmt.Errorf("%w", err), "see %s --help", cmd.CommandPath())
}
