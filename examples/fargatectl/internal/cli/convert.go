// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/manifest"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

func (a *app) convertCommand() *cobra.Command {
	var paths []string
	var to, namespace string
	var names []string
	for _, f := range manifest.EncodeFormats() {
		names = append(names, string(f))
	}
	cmd := &cobra.Command{
		Use:     "convert [-f FILE] --to FORMAT",
		GroupID: groupFiles,
		Short:   "Write profiles in another format",
		Long: `Write the profiles of the files in another format: ` + strings.Join(names, ", ") + `. What does
not map is reported on standard error, and so is what the file alone does not settle,
which is written as it stands. Without files, the profiles are those of --cluster.`,
		Example: example(
			"fargatectl convert -f cluster.yaml --to capa",
			"fargatectl convert --cluster demo --to eksctl > profiles.yaml",
			"aws eks describe-fargate-profile ... | fargatectl convert -f - --to cloudformation",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.convert(cmd.Context(), paths, manifest.Format(to), namespace)
		},
	}
	filesFlag(cmd, &paths, "the profiles")
	cmd.Flags().StringVar(&to, "to", "", "the `format`: "+strings.Join(names, ", "))
	cmd.Flags().StringVar(&namespace, "namespace", "", "the Kubernetes `namespace` of objects")
	_ = cmd.MarkFlagRequired("to") // fails only for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) convert(ctx context.Context, paths []string, to manifest.Format, namespace string) error {
	profiles, err := a.profilesToConvert(ctx, paths)
	if err != nil {
		return err
	}
	encoded, err := manifest.Encode(to, profiles, func(o *manifest.EncodeOptions) {
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

// profilesToConvert are the profiles of the files or, without any, those of a cluster.
func (a *app) profilesToConvert(ctx context.Context, paths []string) ([]manifest.Profile, error) {
	if len(paths) == 0 && a.cluster != "" {
		return a.profilesOfCluster(ctx)
	}
	if len(paths) == 0 {
		return nil, errNoProfiles()
	}
	result, err := a.readProfiles(paths)
	if err != nil {
		return nil, err
	}
	return result.Profiles, result.Err()
}

func (a *app) profilesOfCluster(ctx context.Context) ([]manifest.Profile, error) {
	var profiles []manifest.Profile
	err := a.withCloud(ctx, func(cloud *connect.Cloud) error {
		observed, err := a.observe(ctx, cloud, a.cluster)
		seen := map[string]string{}
		for _, o := range observed {
			name := desiredName(o)
			if other, twice := seen[name]; twice {
				return failure("let the replacement end first: give the same apply again", "profile %s is being replaced: %s and %s are both there", name, other, o.Spec.Name)
			}
			seen[name] = o.Spec.Name
			p := manifest.FromSpec(o.Spec)
			p.Name, p.ARN, p.Status = manifest.Known(name), o.ARN, o.Status
			profiles = append(profiles, p)
		}
		if err == nil && len(observed) == 0 {
			a.note("note:", "cluster "+a.cluster+" has no Fargate profiles")
		}
		return err
	})
	return profiles, err
}

// desiredName is the name under which a profile is desired: that of its marks, unless
// they are a copy on a profile that has a name of its own.
func desiredName(o fargate.Observed) string {
	if logical := o.LogicalName(); fargate.MayBelong(logical, o.Spec.Name) {
		return logical
	}
	return o.Spec.Name
}
