// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"slices"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/preflight"
)

func (a *app) preflightCommand() *cobra.Command {
	w := &wishes{}
	cmd := &cobra.Command{
		Use:     "preflight -f FILE",
		GroupID: groupCluster,
		Short:   "Look for what would keep EKS from making the profiles",
		Long: `Look, before a create, for what would keep EKS from making the profiles of the files or
their pods from running: the cluster, the names, what is left of the quota, the roles,
the subnets, and selectors that overlap with those of the cluster. Nothing is written.

Exit status: 1 if something must be mended first.`,
		Example: example(
			"fargatectl preflight -f cluster.yaml --owner platform/prod",
			"fargatectl preflight -f cluster.yaml --cluster demo --fake -o json",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withCloud(cmd.Context(), func(c *connect.Cloud) error { return a.preflight(cmd.Context(), c, w) })
		},
	}
	filesFlag(cmd, &w.paths, "the profiles to be made")
	w.role.addFlags(cmd)
	w.role.addARN(cmd)
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) preflight(ctx context.Context, cloud *connect.Cloud, w *wishes) error {
	owner, err := a.ownerOf()
	if err != nil {
		return err
	}
	if owner.ID == "" {
		owner.ID = nobody
	}
	in, err := a.input(w, cloud, owner)
	if err != nil {
		return err
	}
	check := preflight.Input{
		Cluster: in.Cluster, Region: cloud.Region, Desired: in.Desired, Clusters: cloud.EKS,
		RoleMade: w.role.mode == iam.ModeEnsure, Verify: a.verify(w, cloud),
		Observe: func(ctx context.Context, cluster string) ([]fargate.Observed, error) {
			return a.observe(ctx, cloud, cluster)
		},
	}
	findings, err := preflight.Run(ctx, check)
	if err != nil {
		return err
	}
	return a.showFindings(findings)
}

// verify reads a role and says what it lacks; it is nil where roles are left to EKS.
func (a *app) verify(w *wishes, cloud *connect.Cloud) func(context.Context, iam.DesiredRole) (role.Report, error) {
	if w.role.mode == iam.ModeBringYourOwn {
		return nil
	}
	return role.New(cloud.IAM, func(o *role.Options) { o.Logger, o.Now = a.logger(), cloud.Now }).Verify
}

func (a *app) showFindings(findings []preflight.Finding) error {
	if done, err := a.encoded(findings); err != nil {
		return err
	} else if !done {
		style := a.style()
		for _, f := range findings {
			text := style.Severity(string(f.Severity), string(f.Severity)) + ": " + f.Check + ": "
			if f.Profile != "" {
				text += style.Bold(f.Profile) + ": "
			}
			a.say("%s%s\n", text, indented(f.Message))
			if f.Remedy != "" {
				a.say("    %s\n", indented(f.Remedy))
			}
		}
	}
	if !preflight.Failed(findings) {
		return nil
	}
	errs := slices.DeleteFunc(slices.Clone(findings), func(f preflight.Finding) bool { return f.Severity != preflight.Error })
	return failure("do what the findings say, and look again", "%s must be mended first", count(len(errs), "finding"))
}
