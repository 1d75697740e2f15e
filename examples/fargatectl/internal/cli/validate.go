// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) validateCommand() *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:     "validate -f FILE",
		GroupID: groupFiles,
		Short:   "Check manifests with Fargate profiles",
		Long: `Check manifests with Fargate profiles, without any call to AWS. All faults of all
files are reported at once, each with its place and the field in the words of the
format, and with what to do about it.

Exit status: 0 if EKS would accept every profile, 1 if not, 3 if nothing is wrong but
a value can't be known from the file alone, such as a variable or a reference.`,
		Example: example(
			"fargatectl validate -f cluster.yaml",
			"fargatectl validate -f manifests/ -o json",
			"terraform show -json | fargatectl validate -f -",
		),
		Args: onlyFlags,
		RunE: func(*cobra.Command, []string) error { return a.validate(paths) },
	}
	filesFlag(cmd, &paths, "what to check")
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) validate(paths []string) error {
	result, err := a.readProfiles(paths)
	if err != nil {
		return err
	}
	if done, err := a.encoded(result); err != nil {
		return err
	} else if !done {
		a.showValidation(result)
	}
	return validity(result)
}

// validity is the verdict as an exit status.
func validity(r manifest.Result) error {
	switch r.Outcome() {
	case manifest.OutcomeReject:
		return &status{exitError, failure("mend what is marked as an error, and validate again",
			"%s", count(countSeverity(r.Problems, manifest.SeverityError), "error"))}
	case manifest.OutcomePartial:
		return &status{exitUnknown, failure("render the file with the tool that knows these values, and validate the result",
			"%s can't be known from the files alone", count(countSeverity(r.Problems, manifest.SeverityUnresolved), "value"))}
	default:
		return nil
	}
}

func (a *app) showValidation(r manifest.Result) {
	for _, p := range r.Problems {
		a.say("%s\n", a.problemLine(a.style(), p))
	}
	if len(r.Problems) > 0 {
		a.say("\n")
	}
	rows := output.Rows{{"PROFILE", "CLUSTER", "SELECTORS", "FORMAT", "PLACE"}}
	for _, p := range r.Profiles {
		rows = append(rows, []string{
			valueText(p.Name), valueText(p.ClusterName), selectorsText(p.Selectors), string(p.Source.Format),
			fmt.Sprintf("%s:%d", p.Source.File, p.Source.Line),
		})
	}
	if len(r.Profiles) > 0 {
		a.say("%s\n", rows)
	}
	a.say("%s\n", verdict(r))
}

// verdict sums a result up in a line.
func verdict(r manifest.Result) string {
	parts := []string{count(len(r.Profiles), "profile")}
	for _, s := range []struct {
		severity manifest.Severity
		word     string
	}{{manifest.SeverityError, "error"}, {manifest.SeverityUnresolved, "unresolved value"}, {manifest.SeverityWarning, "warning"}} {
		if n := countSeverity(r.Problems, s.severity); n > 0 {
			parts = append(parts, count(n, s.word))
		}
	}
	return strings.Join(parts, ", ")
}

// problemLine is a problem as compilers write it, with what to do in a line below.
func (a *app) problemLine(style output.Style, p manifest.Problem) string {
	text := fmt.Sprintf("%s:%d:%d: %s: ", p.File, p.Line, p.Column, style.Severity(string(p.Severity), string(p.Severity)))
	if p.Field != "" {
		text += style.Bold(p.Field) + ": "
	}
	text += fmt.Sprintf("%s (%s)", p.Message, p.Code)
	if p.Help != "" {
		text += "\n    " + p.Help
	}
	return text
}
