// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) getCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "get [NAME...]",
		GroupID: groupCluster,
		Short:   "Show the profiles of a cluster",
		Long: `Show the Fargate profiles of a cluster with their health issues, each with what to do about
it. A name is that at EKS, or the name of the profile that it stands for.`,
		Example: example(
			"fargatectl get --cluster demo",
			"fargatectl get web --cluster demo -o yaml",
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withCloud(cmd.Context(), func(c *connect.Cloud) error { return a.get(cmd.Context(), c, args) })
		},
	}
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

// shown is a profile as get shows it.
type shown struct {
	fargate.Observed

	// LogicalName is the name of the profile that this one stands for, and Owners
	// are those whose marks are on it.
	LogicalName string   `json:"logicalName"`
	Owners      []string `json:"owners"`
}

func (a *app) get(ctx context.Context, cloud *connect.Cloud, names []string) error {
	cluster, err := a.requireCluster()
	if err != nil {
		return err
	}
	observed, err := a.observe(ctx, cloud, cluster)
	if err != nil {
		return err
	}
	profiles := []shown{}
	found := map[string]bool{}
	for _, o := range observed {
		_, owners := fargate.OwnershipOf(o, fargate.Owner{})
		if len(names) > 0 && !slices.Contains(names, o.Spec.Name) && !slices.Contains(names, o.LogicalName()) {
			continue
		}
		found[o.Spec.Name], found[o.LogicalName()] = true, true
		profiles = append(profiles, shown{o, o.LogicalName(), append([]string{}, owners...)})
	}
	if len(observed) == 0 {
		a.note("note:", "cluster "+cluster+" has no Fargate profiles")
	}
	if err := a.showProfiles(profiles); err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return found[name] })
	if len(missing) > 0 {
		return failure("fargatectl get --cluster "+cluster+" shows those that there are", "cluster %s has no profile %s", cluster, strings.Join(missing, ", "))
	}
	return nil
}

func (a *app) showProfiles(profiles []shown) error {
	if done, err := a.encoded(profiles); done || err != nil || len(profiles) == 0 {
		return err
	}
	rows := output.Rows{{"NAME", "PROFILE", "STATUS", "SELECTORS", "ROLE", "OWNER", "CREATED"}}
	for _, p := range profiles {
		rows = append(rows, []string{
			p.Spec.Name, p.LogicalName, string(p.Status), specSelectors(p.Spec), roleName(p.Spec.PodExecutionRoleARN),
			orDash(strings.Join(p.Owners, ",")), p.CreatedAt.UTC().Format(time.RFC3339),
		})
	}
	a.say("%s", rows)
	for _, p := range profiles {
		for _, issue := range p.Issues {
			a.say("%s\n", a.style().Bad("! "+p.Spec.Name+": "+issue.String()))
		}
	}
	return nil
}

func specSelectors(s fargate.Spec) string {
	texts := make([]string, len(s.Selectors))
	for i, x := range s.Selectors {
		texts[i] = selectorText(x)
	}
	return strings.Join(texts, " ")
}

// roleName is the last part of the ARN of a role.
func roleName(arn string) string { return arn[strings.LastIndex(arn, "/")+1:] }
