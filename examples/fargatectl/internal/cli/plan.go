// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/planview"
)

// nobody stands for an owner in a plan that is only looked at.
const nobody = "fargatectl/nobody"

func (a *app) planCommand() *cobra.Command {
	w := &wishes{}
	var out string
	cmd := &cobra.Command{
		Use:     "plan -f FILE",
		GroupID: groupCluster,
		Short:   "Show what must change, and why, without changing it",
		Long: `Show what it takes to give a cluster the profiles of the files: every step in its order,
with its reason, what differs field by field, and what it costs. Nothing is changed.

Everything but the tags of a profile is immutable at EKS. By default such a difference is
reported and nothing is done about it; --replacement says what may be done: create-first
makes a successor under a name of its own and deletes the old profile when the new one is
ACTIVE, so that there is no moment in which new pods match nothing; delete-first keeps
the name, and there is such a moment.

Exit status: 0 if the cluster is as it must be, 2 if not, also where all that must change
is blocked.`,
		Example: example(
			"fargatectl plan -f cluster.yaml --owner platform/prod",
			"fargatectl plan -f cluster.yaml --owner platform/prod --replacement create-first --out web.plan",
			"fargatectl plan -f cluster.yaml --cluster demo --fake",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withCloud(cmd.Context(), func(c *connect.Cloud) error { return a.plan(cmd.Context(), c, w, out) })
		},
	}
	w.addFlags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write the plan into this `file`, for apply --plan")
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) plan(ctx context.Context, cloud *connect.Cloud, w *wishes, out string) error {
	owner, err := a.planOwner(w, out)
	if err != nil {
		return err
	}
	plan, err := a.makePlan(ctx, cloud, w, owner)
	if err != nil {
		return err
	}
	if out != "" {
		if err := writePlan(out, plan); err != nil {
			return err
		}
	}
	if done, err := a.encoded(plan); err != nil {
		return err
	} else if !done {
		a.say("%s", a.style().Diff(planview.Text(plan)))
	}
	return a.afterPlan(plan, out)
}

// planOwner is the owner, without whom a plan can only be looked at.
func (a *app) planOwner(w *wishes, out string) (fargate.Owner, error) {
	if w.prune {
		return a.requireOwner("--prune")
	}
	if out != "" {
		return a.requireOwner("--out")
	}
	owner, err := a.ownerOf()
	if err == nil && owner.ID == "" {
		owner.ID = nobody
		a.note("note:", "no owner is given, so that no profile counts as yours; apply needs one, see --owner")
	}
	return owner, err
}

func (a *app) makePlan(ctx context.Context, cloud *connect.Cloud, w *wishes, owner fargate.Owner) (fargate.Plan, error) {
	in, err := a.input(w, cloud, owner)
	if err != nil {
		return fargate.Plan{}, err
	}
	options, err := a.options(w, cloud, owner)
	if err != nil {
		return fargate.Plan{}, err
	}
	return a.reconciler(cloud, options).PlanCluster(ctx, in)
}

// afterPlan says what can be done with a plan, and gives the exit status.
func (a *app) afterPlan(plan fargate.Plan, out string) error {
	blocked := count(len(plan.Blocked()), "step")
	var nexts []string
	for _, s := range plan.Blocked() {
		if next := nextOfBlocked(s.Reason); !slices.Contains(nexts, next) {
			nexts = append(nexts, next)
		}
	}
	switch {
	case !plan.HasChanges() && len(nexts) == 0:
		return nil
	case !plan.HasChanges():
		a.note("note:", "nothing can be done: "+blocked+" can't be taken until somebody does what the plan says")
	case len(nexts) > 0:
		a.note("note:", blocked+" can't be taken: apply stops there until somebody does what the plan says")
	}
	for _, next := range nexts {
		a.note("next:", next)
	}
	if plan.HasChanges() {
		command := "fargatectl apply, with the same files and flags"
		if out != "" {
			command = "fargatectl apply --plan " + out
		}
		a.note("next:", command)
	}
	return &status{code: exitChanges}
}

func writePlan(path string, plan fargate.Plan) error {
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

func readPlan(path string) (fargate.Plan, error) {
	text, err := os.ReadFile(path) //nolint:gosec // reading the file that the user names is the job
	if err != nil {
		return fargate.Plan{}, err
	}
	var plan fargate.Plan
	if err := json.Unmarshal(text, &plan); err != nil {
		return plan, advise(fmt.Errorf("%s is no plan: %w", path, err), "make one with fargatectl plan --out %s", path)
	}
	return plan, nil
}
