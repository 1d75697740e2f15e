// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
)

// PlanCluster reads the profiles of a cluster and plans all of it, see
// [fargate.PlanCluster]. It fills in what it reads: Place, Observed, Limits, Pods and
// Now and, where Options.Roles is a [RoleLooker], the Roles of those profiles that the
// plan makes. Nothing is written.
//
// The error is an [*Error]. It wraps a [*fargate.ValidationError] where the input is
// invalid, and then nothing was called.
func (r *Reconciler) PlanCluster(ctx context.Context, in fargate.ClusterInput) (fargate.Plan, error) {
	at := fargate.Spec{ClusterName: in.Cluster}
	in.Limits, in.Now = r.options.Limits, r.options.Now()
	err := in.Validate()
	if err != nil {
		return fargate.Plan{}, r.fail("planning", at, err)
	}
	if in.Place, err = r.place(ctx, at); err != nil {
		return fargate.Plan{}, err
	}
	if in.Observed, _, err = r.caller(at).readCluster(ctx); err != nil {
		return fargate.Plan{}, err
	}
	if r.options.Pods != nil {
		if in.Pods, err = r.options.Pods(ctx, in.Cluster); err != nil {
			return fargate.Plan{}, r.fail("listing the pods", at, err)
		}
	}
	plan, err := fargate.PlanCluster(in)
	if err != nil {
		return fargate.Plan{}, r.fail("planning", at, err)
	}
	looker, ok := r.options.Roles.(RoleLooker)
	if !ok {
		return plan, nil
	}
	if in.Roles, err = r.lookAtRoles(ctx, looker, plan); err != nil {
		return fargate.Plan{}, err
	}
	if len(in.Roles) == 0 {
		return plan, nil
	}
	return fargate.PlanCluster(in) // valid as before, now with the roles
}

// lookAtRoles asks for the roles of the profiles that a plan makes.
func (r *Reconciler) lookAtRoles(ctx context.Context, looker RoleLooker, plan fargate.Plan) (map[string]fargate.Role, error) {
	roles := map[string]fargate.Role{}
	for _, d := range plan.Desired {
		i := slices.IndexFunc(plan.Steps, func(s fargate.PlanStep) bool {
			return s.Name == d.Spec.Name && slices.Contains(s.Unchecked, fargate.PreconditionRole)
		})
		if i < 0 {
			continue
		}
		role, err := looker.Look(ctx, d, cmp.Or(plan.Steps[i].Next, plan.Steps[i].Profile, d.Spec.Name))
		if err != nil {
			return nil, r.fail("looking at the role", d.Spec, err)
		}
		roles[d.Spec.Name] = role
	}
	return roles, nil
}

// StalePlanError is what Apply returns when the cluster is not as it was when the
// plan was made. Nothing was written: plan again.
type StalePlanError struct {
	Cluster string
	// Changes say what is different, in one line each.
	Changes []string
}

// Error lists what is different.
func (e *StalePlanError) Error() string {
	return fmt.Sprintf("lifecycle: the plan of cluster %s is stale: %s (plan again)", e.Cluster, strings.Join(e.Changes, "; "))
}

// Apply carries a plan out: what is desired first, one profile after the other,
// then the deletes. It refuses a plan whose observations have changed, with a
// [*StalePlanError], and one of another version, account or region. The steps decide
// anew from what they see, so that nothing is lost when something changes on the way.
//
// The error joins those of the results; one of them does not stop the others, but
// nothing is deleted after an error.
func (r *Reconciler) Apply(ctx context.Context, plan fargate.Plan) (Report, error) {
	at := fargate.Spec{ClusterName: plan.Cluster}
	if plan.Version != fargate.PlanVersion {
		return Report{}, r.fail("applying", at, fmt.Errorf("the plan has version %d, this library reads %d", plan.Version, fargate.PlanVersion))
	}
	for _, d := range plan.Desired {
		if d.Spec.ClusterName != plan.Cluster {
			return Report{}, r.fail("applying", d.Spec, fmt.Errorf("the plan is for cluster %s", plan.Cluster))
		}
	}
	if err := r.samePlace(ctx, at, plan.Place); err != nil {
		return Report{}, err
	}
	observed, _, err := r.caller(at).readCluster(ctx)
	if err != nil {
		return Report{}, err
	}
	if stale := plan.Stale(observed); len(stale) > 0 {
		return Report{}, &StalePlanError{Cluster: plan.Cluster, Changes: stale}
	}
	report, err := r.RunAll(ctx, plan.Desired)
	if err != nil {
		return report, err
	}
	pruned := r.deleteAll(ctx, plan.Cluster, plan.Undesired())
	report.Results = append(report.Results, pruned.Results...)
	return report, report.Err()
}

// samePlace refuses to carry a plan out where it was not made.
func (r *Reconciler) samePlace(ctx context.Context, at fargate.Spec, planned fargate.Place) error {
	here, err := r.place(ctx, at)
	if err == nil && here.Contradicts(planned) {
		err = r.fail("applying", at, fmt.Errorf("the plan was made in %s, and the calls go to %s: use the credentials and the region of the plan", planned, here))
	}
	return err
}
