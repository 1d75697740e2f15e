// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/progress"
)

// removal is what delete is asked for.
type removal struct {
	names, paths []string
	release, yes bool
	role         roleFlags
}

func (a *app) deleteCommand() *cobra.Command {
	r := &removal{}
	cmd := &cobra.Command{
		Use:     "delete NAME... | -f FILE",
		GroupID: groupCluster,
		Short:   "Delete profiles, or release them",
		Long: `Delete profiles of a cluster, one after the other, and wait until they are gone: only then
are roles, subnets and the cluster free. The pods of a profile end with it, at once and
without regard to disruption budgets. A profile that is not yours is left alone.

With --release, the marks are removed and the profile, its pods and its tags stay: then
it belongs to nobody. With --role ensure, a role that was made here is deleted after the
last profile that uses it.`,
		Example: example(
			"fargatectl delete web --cluster demo --owner platform/prod",
			"fargatectl delete -f cluster.yaml --owner platform/prod --yes",
			"fargatectl delete web --cluster demo --owner platform/prod --release",
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.names = args
			return a.withCloud(cmd.Context(), func(c *connect.Cloud) error { return a.remove(cmd.Context(), c, r) })
		},
	}
	filesFlag(cmd, &r.paths, "the profiles to delete")
	cmd.Flags().BoolVar(&r.release, "release", false, "keep the profile, and remove only the marks of its owner")
	r.role.addFlags(cmd)
	yesFlag(cmd, &r.yes)
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) remove(ctx context.Context, cloud *connect.Cloud, r *removal) error {
	owner, err := a.requireOwner("delete")
	if err != nil {
		return err
	}
	desired, err := a.toRemove(r, owner)
	if err != nil {
		return err
	}
	if err := a.confirm(ctx, r.yes, r.question(desired)); err != nil {
		return err
	}
	results, err := a.removeAll(ctx, cloud, desired, a.rolesFor(&r.role, cloud, owner))
	return errors.Join(err, a.showResults(results))
}

// toRemove are the profiles by name, or those of the files.
func (a *app) toRemove(r *removal, owner fargate.Owner) ([]fargate.Desired, error) {
	specs, err := a.named(r)
	if err != nil {
		return nil, err
	}
	policy := fargate.Policy{Deletion: fargate.DeletionDelete}
	if r.release {
		policy.Deletion = fargate.DeletionRelease
	}
	desired := make([]fargate.Desired, len(specs))
	for i, spec := range specs {
		desired[i] = fargate.Desired{Spec: spec, Owner: owner, Policy: policy}
		if err := desired[i].ValidateIdentity(); err != nil {
			return nil, err
		}
	}
	return desired, nil
}

func (a *app) named(r *removal) ([]fargate.Spec, error) {
	switch {
	case len(r.names) > 0 && len(r.paths) > 0:
		return nil, failure("leave one of them out", "names and -f exclude each other")
	case len(r.names) == 0:
		set, err := a.resolveProfiles(r.paths)
		if err == nil && set.Cluster == "" {
			_, err = a.requireCluster()
		}
		return set.Specs(), err
	}
	cluster, err := a.requireCluster()
	if err != nil {
		return nil, err
	}
	specs := make([]fargate.Spec, len(r.names))
	for i, name := range r.names {
		specs[i] = fargate.Spec{ClusterName: cluster, Name: name}
	}
	return specs, nil
}

func (r *removal) question(desired []fargate.Desired) string {
	names := make([]string, len(desired))
	for i, d := range desired {
		names[i] = d.Spec.Name
	}
	what, cost := "Delete", " Their pods end at once."
	if r.release {
		what, cost = "Release", ""
	}
	cluster := ""
	if len(desired) > 0 {
		cluster = desired[0].Spec.ClusterName
	}
	return fmt.Sprintf("%s %s of cluster %s?%s", what, strings.Join(names, ", "), cluster, cost)
}

// removeAll removes one after the other. An error of one does not stop the others,
// but Ctrl-C does.
func (a *app) removeAll(ctx context.Context, cloud *connect.Cloud, desired []fargate.Desired, roles func(*lifecycle.Options)) ([]result, error) {
	var names []string
	for _, d := range desired {
		names = append(names, d.Spec.Name)
	}
	display := progress.New(a.Err, cloud.Now, names...)
	defer display.Close()
	var told []lifecycle.Outcome // of the profile that is being removed
	reconciler := a.reconciler(cloud, roles, func(o *lifecycle.Options) {
		o.Progress = func(ctx context.Context, p lifecycle.Progress) {
			told = append(told, p.Outcome)
			display.Step(ctx, p)
		}
	})
	results := []result{}
	var errs []error
	for _, d := range desired {
		if ctx.Err() != nil {
			errs = append(errs, ctx.Err())
			break
		}
		told = nil
		err := leftAlone(reconciler.Delete(ctx, d), told)
		results, errs = append(results, removed(d, told, err)), append(errs, err)
	}
	return results, errors.Join(errs...)
}

// removed is what became of a profile that was to go.
func removed(d fargate.Desired, told []lifecycle.Outcome, err error) result {
	r := resultOf(lifecycle.Result{Cluster: d.Spec.ClusterName, Profile: d.Spec.Name, Err: err})
	if err == nil && len(told) > 0 {
		last := told[len(told)-1]
		r.Reason, r.Message = last.Reason, last.Message
	}
	if err == nil && r.Reason == fargate.ReasonNotOurs {
		r.Result = resultReleased
	}
	return r
}

// leftAlone makes an error of a deletion that found nothing of ours, but something of
// somebody else's: it was asked for by name.
func leftAlone(err error, told []lifecycle.Outcome) error {
	if err == nil && len(told) == 1 && told[0].Reason == fargate.ReasonNotOurs {
		return failure("give the owner that the profile has with --owner; fargatectl get shows it", "%s", told[0].Message)
	}
	return err
}
