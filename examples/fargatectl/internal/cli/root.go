// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "fargatectl",
		Short: "Work with Amazon EKS Fargate profiles",
		Long: `fargatectl checks, explains, plans and applies Amazon EKS Fargate profiles, from the
manifests that you have: eksctl, Cluster API, ACK, Crossplane, CloudFormation, AWS
CLI and Terraform, recognised by content.

A result goes to standard output, everything else to standard error. Exit status:
0 fine, 1 an error, 2 plan: there are changes, 3 validate: something can't be known
from the file alone, 130 interrupted; then the same command continues.`,
		Example: example(
			"fargatectl validate -f profiles.yaml",
			"fargatectl explain -f profiles.yaml --pod deployment.yaml",
			"fargatectl plan -f profiles.yaml --owner platform/prod --cluster demo --fake",
		),
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableAutoGenTag:          true,
		PersistentPreRunE:          func(cmd *cobra.Command, _ []string) error { return a.check(cmd) },
		Args:                       noCommand,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	a.addFlags(root)
	root.SetFlagErrorFunc(usage)
	root.AddGroup(groups()...)
	root.AddCommand(a.commands()...)
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	return root
}

// example indents the lines of a command's examples.
func example(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }

// onlyFlags refuses arguments, and says where a file goes.
func onlyFlags(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := "see " + cmd.CommandPath() + " --help"
	if cmd.Flags().Lookup("pod") != nil {
		next = "give --pod " + args[0] + " for pods, or " + next
	}
	if cmd.Flags().Lookup("filename") != nil {
		next = "give -f " + args[0] + " for profiles, or " + next
	}
	return failure(next, "%s takes no argument, and %q is one", cmd.CommandPath(), args[0])
}

// noCommand refuses what is no command of a group of commands, and says what may be
// meant.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := "see " + cmd.CommandPath() + " --help"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		next = "did you mean " + strings.Join(near, " or ") + "? Else " + next
	}
	return failure(next, "unknown command %q for %s", args[0], cmd.CommandPath())
}

// The groups of commands in the help.
const (
	groupFiles   = "files"
	groupCluster = "cluster"
	groupOther   = "other"
)

func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupFiles, Title: "From files alone:"},
		{ID: groupCluster, Title: "With a cluster:"},
		{ID: groupOther, Title: "Other:"},
	}
}

func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.validateCommand(),
		a.explainCommand(),
		a.compareCommand(),
		a.analyzeCommand(),
		a.impactCommand(),
		a.convertCommand(),
		a.planCommand(),
		a.applyCommand(),
		a.deleteCommand(),
		a.getCommand(),
		a.preflightCommand(),
		a.corednsCommand(),
		a.policyCommand(),
		a.fakeCommand(),
	}
}
