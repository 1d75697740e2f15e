// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// wishes are the flags that say what is desired and what may be done to reach it.
type wishes struct {
	paths, pods []string
	policy      fargate.Policy
	prune       bool
	drained     []string
	role        roleFlags
}

func (w *wishes) addFlags(cmd *cobra.Command) {
	filesFlag(cmd, &w.paths, "the profiles that the cluster must have")
	f := cmd.Flags()
	choiceFlag(cmd, &w.policy.Replacement, "replacement", "what may be done about a difference in an immutable field",
		word[fargate.Replacement]{"forbid", fargate.ReplacementForbid},
		word[fargate.Replacement]{"delete-first", fargate.ReplacementDeleteFirst},
		word[fargate.Replacement]{"create-first", fargate.ReplacementCreateFirst})
	choiceFlag(cmd, &w.policy.Adoption, "adopt", "whether a profile that nobody owns may become yours",
		word[fargate.Adoption]{"never", fargate.AdoptionNever},
		word[fargate.Adoption]{"when-equal", fargate.AdoptionWhenEqual},
		word[fargate.Adoption]{"always", fargate.AdoptionAlways})
	choiceFlag(cmd, &w.policy.TagMode, "tag-mode", "which tags are removed: those that were set here, or all that are not desired",
		word[fargate.TagMode]{"merge", fargate.TagsMerge},
		word[fargate.TagMode]{"exact", fargate.TagsExact})
	choiceFlag(cmd, &w.policy.Drain, "drain", "whether a replacement waits until you confirm with --drained that no pod would end",
		word[fargate.Drain]{"none", fargate.DrainNone},
		word[fargate.Drain]{"confirmed", fargate.DrainConfirmed})
	f.StringArrayVar(&w.drained, "drained", nil, "the `name` at EKS of a profile whose pods were moved away; may be repeated")
	f.StringArrayVar(&w.policy.TakeOverFrom, "take-over-from", nil, "an owner `id`, or the tag key of another tool, whose profiles may be taken from it; may be repeated")
	f.BoolVar(&w.prune, "prune", false, "delete the profiles of this owner that the files do not have")
	f.StringArrayVar(&w.pods, "pod", nil, "the running pods of the cluster, to say what the changes cost them; a `file`, a folder, or -")
	w.role.addFlags(cmd)
	w.role.addARN(cmd)
}

// input is what the cluster must have. Everything that EKS would refuse is an error
// here, all of it at once.
func (a *app) input(w *wishes, cloud *connect.Cloud, owner fargate.Owner) (fargate.ClusterInput, error) {
	set, err := a.resolveFor(cloud, w.paths)
	if err != nil {
		return fargate.ClusterInput{}, err
	}
	if set.Cluster == "" {
		return fargate.ClusterInput{}, failure("name it with --cluster NAME", "the files do not say which cluster the profiles are for")
	}
	in := fargate.ClusterInput{Cluster: set.Cluster, Prune: w.prune, Owner: owner}
	var errs []error
	for _, p := range set.Profiles {
		d := w.desired(p.Spec, owner)
		errs = append(errs, w.faults(p.Source, d)...)
		in.Desired = append(in.Desired, d)
	}
	if err := errors.Join(errs...); err != nil {
		return in, advise(err, "mend the files; fargatectl validate shows what is wrong with them, in the words of their format")
	}
	a.warn(set.Warnings)
	return in, nil
}

// warn tells the warnings of the files, but for those that the plan judges itself.
func (a *app) warn(problems []manifest.Problem) {
	for _, p := range problems {
		if p.Code != manifest.CodeRequired && p.Code != manifest.CodePlaceholder {
			a.tell(a.problemLine(a.errStyle(), p) + "\n")
		}
	}
}

func (w *wishes) desired(spec fargate.Spec, owner fargate.Owner) fargate.Desired {
	if spec.PodExecutionRoleARN == "" {
		spec.PodExecutionRoleARN = w.role.arn
	}
	policy := w.policy
	if policy.Replacement == fargate.ReplacementCreateFirst {
		policy.Name = fargate.NameDerived
	}
	return fargate.Desired{Spec: spec, Owner: owner, Policy: policy, Drained: w.drained}
}

// faults are what is wrong with a desired profile, with its place.
func (w *wishes) faults(at manifest.Source, d fargate.Desired) []error {
	var errs []error
	add := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: profile %s: "+format, append([]any{at.File, at.Line, d.Spec.Name}, args...)...))
	}
	placeholder := manifest.Placeholder(d.Spec.ClusterName)
	if placeholder {
		add("%q is a placeholder, and no name of a cluster", d.Spec.ClusterName)
	}
	invalid, ok := errors.AsType[*fargate.ValidationError](d.Validate(func(l *fargate.Limits) {
		l.RoleOptional = w.role.mode == iam.ModeEnsure
	}))
	if !ok {
		return errs
	}
	for _, f := range invalid.Errors {
		if placeholder && f.Field == "spec.clusterName" {
			continue
		}
		if f.Field == "spec.podExecutionRoleArn" && f.Code == fargate.CodeRequired {
			f.Help = "name it in the file, or give --role-arn ARN, or --role ensure to make one"
		}
		add("%w", f)
	}
	return errs
}

// options are those of the reconciler that the wishes ask for.
func (a *app) options(w *wishes, cloud *connect.Cloud, owner fargate.Owner) (func(*lifecycle.Options), error) {
	placed, err := a.placedPods(w.pods)
	if err != nil {
		return nil, err
	}
	return func(o *lifecycle.Options) {
		a.rolesFor(&w.role, cloud, owner)(o)
		if len(w.pods) > 0 {
			o.Pods = func(context.Context, string) ([]selector.Placed, error) { return placed, nil }
		}
	}, nil
}

func (a *app) placedPods(paths []string) ([]selector.Placed, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	pods, err := a.readPods(paths)
	placed := make([]selector.Placed, len(pods))
	for i, p := range pods {
		placed[i] = p.Placed()
		if p.Scheduler == selector.FargateScheduler {
			placed[i].Profile = p.Labels[selector.ProfileLabel]
		}
	}
	return placed, err
}
