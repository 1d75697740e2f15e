// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/spf13/cobra"
)

func (a *app) convertCommand() *cobra.Command {
	var paths []string
	var to, namespace string
	var names []string
	for _, f := range manifest.EncodeFormats() {
		names = append(names, string(f))
	}
	cmd := &cobra.Command{
		Use:     "convert -f FILE --to FORMAT",
		GroupID: groupFiles,
		Short:   "Write profiles in another format",
		Long: `Write the profiles of the files in another format: ` + strings.Join(names, ", ") + `. What does
not map is reported on standard error, and so is what the file alone does not settle,
which is written as it stands.`,
		Example: example(
			"fargatectl convert -f cluster.yaml --to capa",
			"aws eks describe-fargate-profile ... | fargatectl convert -f - --to cloudformation",
		),
		Args: onlyFlags,
		RunE: func(*cobra.Command, []string) error { return a.convert(paths, to, namespace) },
	}
	filesFlag(cmd, &paths, "the profiles")
	cmd.Flags().StringVar(&to, "to", "", "the `format`: "+strings.Join(names, ", "))
	cmd.Flags().StringVar(&namespace, "namespace", "", "the Kubernetes `namespace` of objects")
	_ = cmd.MarkFlagRequired("to") // fails only for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) convert(paths []string, to, namespace string) error {
	result, err := a.readProfiles(paths)
	if err != nil {
		return err
	}
	if err := result.Err(); err != nil {
		return err
	}
	profiles := result.Profiles
	for i, p := range profiles {
		if a.cluster != "" && p.ClusterName.IsUnset() {
			profiles[i].ClusterName = manifest.Known(a.cluster)
		}
	}
	encoded, err := manifest.Encode(manifest.Format(to), profiles, func(o *manifest.EncodeOptions) {
		o.Region, o.Namespace = a.region, namespace
	})
	if err != nil {
		return advise(err, "choose one of the formats that convert --help names")
	}
	a.say("%s", encoded.Data)
	for _, p := range encoded.Notes {
		a.tell(a.problemLine(a.errStyle(), p) + "\n")
	}
	return nil
}
