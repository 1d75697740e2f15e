// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/planview"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/progress"
)

func (a *app) applyCommand() *cobra.Command {
	w := &wishes{}
	var planFile string
	var yes bool
	cmd := &cobra.Command{
		Use:     "apply -f FILE",
		GroupID: groupCluster,
		Short:   "Give a cluster the profiles of the files",
		Long: `Plan, ask, and carry the plan out, one profile after the other, since EKS changes one at a
time in a cluster. With --plan, a plan that was made before is carried out as it is, and
refused if the profiles of the cluster have changed meanwhile.

Ctrl-C stops between steps; the same command continues. A second Ctrl-C ends the program
at once, which is safe, too.`,
		Example: example(
			"fargatectl apply -f cluster.yaml --owner platform/prod",
			"fargatectl apply --plan web.plan --yes",
			"fargatectl apply -f cluster.yaml --owner me/try --fake-state fake.json --yes",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withCloud(cmd.Context(), func(c *connect.Cloud) error {
				return a.apply(cmd.Context(), c, w, planFile, yes)
			})
		},
	}
	w.addFlags(cmd)
	cmd.Flags().StringVar(&planFile, "plan", "", "carry out the plan in this `file`")
	yesFlag(cmd, &yes)
	cmd.MarkFlagsMutuallyExclusive("plan", "filename")
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) apply(ctx context.Context, cloud *connect.Cloud, w *wishes, planFile string, yes bool) error {
	plan, err := a.planToApply(ctx, cloud, w, planFile)
	if err != nil {
		return err
	}
	a.tell(a.errStyle().Diff(planview.Text(plan)))
	if !plan.HasChanges() && len(plan.Blocked()) == 0 && len(plan.Steps) == 0 {
		return a.showReport(settledReport(plan))
	}
	if err := a.confirm(ctx, yes, "Carry this out in cluster "+plan.Cluster+"?"); err != nil {
		return err
	}
	options, err := a.options(w, cloud, ownerOfPlan(plan))
	if err != nil {
		return err
	}
	report, err := a.carryOut(ctx, cloud, plan, options)
	return errors.Join(err, a.showReport(report))
}

// carryOut applies a plan and shows how far it is. It does not wait at a closed drain
// gate, since only another command can open it.
func (a *app) carryOut(ctx context.Context, cloud *connect.Cloud, plan fargate.Plan, options func(*lifecycle.Options)) (lifecycle.Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	display := progress.New(a.Err, cloud.Now, profilesOf(plan)...)
	defer display.Close()
	report, err := a.reconciler(cloud, options, func(o *lifecycle.Options) {
		o.Progress = func(ctx context.Context, p lifecycle.Progress) {
			display.Step(ctx, p)
			if p.Outcome.Reason == fargate.ReasonDrainNotConfirmed {
				stop(failure("move its pods away: those whose template asks for the successor by the label "+selector.ProfileLabel+
					" go there (fargatectl get shows its name); then give the same command with --drained "+p.Outcome.Profile,
					"profile %s waits for its drain: %s", p.Profile, p.Outcome.Message))
			}
		}
	}).Apply(ctx, plan)
	if gate, ok := errors.AsType[*advised](context.Cause(ctx)); ok {
		err = gate
	}
	return report, err
}

func (a *app) planToApply(ctx context.Context, cloud *connect.Cloud, w *wishes, planFile string) (fargate.Plan, error) {
	if planFile != "" {
		plan, err := readPlan(planFile)
		if err == nil && a.owner != "" && isOfOther(plan, a.owner) {
			err = failure("leave --owner out, or make a plan for it", "the plan is for another owner than %s", a.owner)
		}
		return plan, err
	}
	owner, err := a.requireOwner("apply")
	if err != nil {
		return fargate.Plan{}, err
	}
	return a.makePlan(ctx, cloud, w, owner)
}

// ownerOfPlan is whose profiles a plan is about: all have one owner.
func ownerOfPlan(plan fargate.Plan) fargate.Owner {
	if len(plan.Desired) > 0 {
		return plan.Desired[0].Owner
	}
	return plan.Owner
}

// isOfOther reports whether a plan is for another owner.
func isOfOther(plan fargate.Plan, owner string) bool {
	return slices.ContainsFunc(plan.Desired, func(d fargate.Desired) bool { return d.Owner.ID != owner })
}

// profilesOf are the logical names of the profiles that a plan is about, in the order
// in which they are worked on.
func profilesOf(plan fargate.Plan) []string {
	var names []string
	for _, d := range plan.Desired {
		names = append(names, d.Spec.Name)
	}
	for _, d := range plan.Undesired() {
		names = append(names, d.Spec.Name)
	}
	return names
}

// settledReport is the report where nothing had to be done.
func settledReport(plan fargate.Plan) lifecycle.Report {
	var r lifecycle.Report
	for _, d := range plan.Desired {
		for _, o := range plan.Observed {
			if d.Claims(o) {
				r.Results = append(r.Results, lifecycle.Result{Cluster: plan.Cluster, Profile: d.Spec.Name, Observed: &o})
			}
		}
	}
	return r
}
