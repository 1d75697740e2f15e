// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/selector"
)

// ClusterInput is all that the plan of a cluster depends on.
type ClusterInput struct {
	// Cluster is the EKS name of the cluster.
	Cluster string
	// Desired are the profiles that the cluster must have. Each names this cluster.
	Desired []Desired
	// Observed are all profiles that the cluster has.
	Observed []Observed
	// Place is where they were observed, as far as the caller knows.
	Place Place
	// Prune deletes the profiles of Owner that are not desired. Without it they are
	// reported as unmanaged.
	Prune bool
	// Owner is whose profiles Prune deletes. Its profiles need no marks of a
	// generation: those that are desired elsewhere must have another owner.
	Owner Owner
	// Limits are the quotas, as far as they are known.
	Limits Limits
	// Roles are the states of the pod execution roles, by the logical name of the
	// profile. One that is missing means that nobody looked.
	Roles map[string]Role
	// Pods are the running pods, for the costs; nil means that nobody looked.
	Pods []selector.Placed
	// Now is the time of the plan.
	Now time.Time
}

// PlanVersion is the version of the JSON form of a [Plan].
const PlanVersion = 1

// Plan is what it takes to bring the profiles of a cluster to their desired
// state: a value that can be shown, stored and carried out later, unless what it
// was made from has changed meanwhile (see [Plan.Stale]).
type Plan struct {
	Version int    `json:"version"`
	Cluster string `json:"cluster"`
	// Steps are in the order in which they happen, each after the one before: a
	// cluster changes one profile at a time.
	Steps []PlanStep `json:"steps"`
	// Unmanaged are the profiles that the plan leaves alone.
	Unmanaged []Unmanaged `json:"unmanaged,omitempty"`
	// Warnings are what the profiles of the cluster have to do with each other.
	Warnings []Warning `json:"warnings,omitempty"`
	// Desired and Observed are what the plan was made from, and Place is where that was,
	// as far as it was known: another cluster can have the same name elsewhere.
	Desired  []Desired  `json:"desired"`
	Observed []Observed `json:"observed"`
	Place    Place      `json:"place,omitzero"`
	// Prune and Owner say which profiles are deleted because nobody desires them.
	Prune bool  `json:"prune,omitempty"`
	Owner Owner `json:"owner,omitzero"`
}

// PlanStep is one decision of a plan.
type PlanStep struct {
	// ID names the step; After are the ids of the steps that come before it.
	ID    string   `json:"id"`
	After []string `json:"after,omitempty"`
	// Name is the logical name of the profile, Profile the physical one. Next is the
	// physical name under which the profile is made, by this step or a later one.
	Name     string    `json:"name"`
	Profile  string    `json:"profile,omitempty"`
	Next     string    `json:"next,omitempty"`
	Action   Action    `json:"action"`
	Reason   Reason    `json:"reason"`
	Message  string    `json:"message"`
	Drift    Changes   `json:"drift,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
	// Unchecked are preconditions that nobody could check for the plan.
	Unchecked []Precondition `json:"unchecked,omitempty"`
}

// Unmanaged is a profile that a plan leaves alone.
type Unmanaged struct {
	Name      string    `json:"name"`
	Ownership Ownership `json:"ownership"`
	Owners    []string  `json:"owners,omitempty"`
}

// WarningOverlap means, in a plan, that two profiles select, or may select, some of the same pods,
// so that the names decide which one gets them.
const WarningOverlap WarningCode = "Overlap"

// PlanCluster plans all profiles of one cluster: in the order of their names, one
// after the other, each create before the delete that it makes possible, deletes
// of what is not desired last. It is [Decide] run ahead on a model of EKS in which
// everything succeeds, so that a plan says exactly what the steps would do.
//
// The error is a [*ValidationError] that holds every fault of every profile.
func PlanCluster(in ClusterInput) (Plan, error) {
	if err := in.Validate(); err != nil {
		return Plan{}, err
	}
	plan := Plan{
		Version: PlanVersion, Cluster: in.Cluster, Desired: sortedDesired(in.Desired), Observed: sortedObserved(in.Observed),
		Place: in.Place,
		Prune: in.Prune, Owner: in.Owner, Steps: []PlanStep{},
	}
	f := newForecast(in)
	for _, d := range plan.Desired {
		plan.add(d.Spec.Name, f.run(d, false))
	}
	for _, d := range in.undesired(plan.Observed) {
		plan.add(d.Spec.Name, f.run(d, true))
	}
	plan.Unmanaged = in.unmanaged(plan.Observed)
	plan.Warnings = overlaps(f.all())
	return plan, nil
}

// Undesired are the profiles that the plan deletes because nobody desires them, in
// the form that a deletion needs.
func (p Plan) Undesired() []Desired {
	in := ClusterInput{Cluster: p.Cluster, Desired: p.Desired, Prune: p.Prune, Owner: p.Owner}
	return in.undesired(p.Observed)
}

// Validate reports every fault of what is desired at once, as a
// [*ValidationError], and nil for none. What was observed is not its concern.
func (in ClusterInput) Validate() error {
	var faults []FieldError
	if in.Cluster == "" {
		faults = append(faults, FieldError{Field: "cluster", Code: CodeRequired, Message: "it is required", Help: "name the EKS cluster that the plan is for"})
	}
	seen := map[string]int{}
	for i, d := range in.Desired {
		at := "desired[" + strconv.Itoa(i) + "]."
		for _, f := range asValidation(d.Validate(func(l *Limits) { *l = in.Limits })) {
			f.Field = at + f.Field
			if d.Spec.Name != "" {
				f.Message = "profile " + quote(d.Spec.Name) + ": " + f.Message
			}
			faults = append(faults, f)
		}
		if d.Spec.ClusterName != in.Cluster && d.Spec.ClusterName != "" {
			faults = append(faults, FieldError{
				Field: at + "spec.clusterName", Code: CodeUnsupportedValue, Value: clip(d.Spec.ClusterName),
				Message: "the plan is for cluster " + quote(in.Cluster), Help: "plan each cluster by itself",
			})
		}
		if j, twice := seen[d.Spec.Name]; twice {
			faults = append(faults, FieldError{
				Field: at + "spec.fargateProfileName", Code: CodeDuplicate, Value: clip(d.Spec.Name),
				Message: "desired[" + strconv.Itoa(j) + "] has this name", Help: "names are unique in a cluster",
			})
		}
		seen[d.Spec.Name] = i
	}
	if in.Prune {
		faults = append(faults, in.Owner.faults()...)
	}
	return invalid(in.Cluster, "", faults)
}

func sortedDesired(desired []Desired) []Desired {
	out := slices.Clone(desired)
	slices.SortFunc(out, func(a, b Desired) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
	return out
}

func sortedObserved(observed []Observed) []Observed {
	out := slices.Clone(observed)
	slices.SortFunc(out, func(a, b Observed) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
	return out
}

func (p *Plan) add(name string, decisions []Decision) {
	for _, d := range decisions {
		step := PlanStep{
			ID: strconv.Itoa(len(p.Steps) + 1), Name: name, Profile: d.Target(""), Next: d.Next, Action: d.Action, Reason: d.Reason,
			Message: d.Message, Drift: d.Drift, Warnings: d.Warnings, Unchecked: d.Unchecked,
		}
		if n := len(p.Steps); n > 0 {
			step.After = []string{p.Steps[n-1].ID}
		}
		p.Steps = append(p.Steps, step)
	}
}

// undesired are the profiles that prune deletes.
func (in ClusterInput) undesired(observed []Observed) []Desired {
	if !in.Prune {
		return nil
	}
	var out []Desired
	for _, o := range observed {
		if in.desires(o) || !in.owns(o) {
			continue
		}
		i := slices.IndexFunc(out, func(d Desired) bool { return d.Spec.Name == o.LogicalName() })
		if i < 0 {
			i = len(out)
			out = append(out, Desired{Spec: Spec{ClusterName: in.Cluster, Name: o.LogicalName()}, Owner: in.Owner})
		}
		// Of two profiles of one logical name, either can carry the newer generation.
		out[i].Generation = max(out[i].Generation, o.Generation())
	}
	return out
}

// owns reports whether a profile is the owner's, under a name that its marks allow.
func (in ClusterInput) owns(o Observed) bool {
	state, _ := OwnershipOf(o, in.Owner)
	return state == OwnershipOwned && MayBelong(o.LogicalName(), o.Spec.Name)
}

// desires reports whether a profile stands for one that is desired.
func (in ClusterInput) desires(o Observed) bool {
	return slices.ContainsFunc(in.Desired, func(d Desired) bool { return d.Claims(o) || d.Spec.Name == o.Spec.Name })
}

func (in ClusterInput) unmanaged(observed []Observed) []Unmanaged {
	var out []Unmanaged
	for _, o := range observed {
		if in.desires(o) || in.Prune && in.owns(o) {
			continue
		}
		state, owners := OwnershipOf(o, in.Owner)
		out = append(out, Unmanaged{Name: o.Spec.Name, Ownership: state, Owners: owners})
	}
	return out
}

// overlaps warns of each pair that selects some of the same pods in the end.
func overlaps(all []Observed) []Warning {
	var out []Warning
	for i, a := range all {
		for _, b := range all[i+1:] {
			verb := ""
			switch overlap(a.Spec.Selectors, b.Spec.Selectors) {
			case selector.Overlaps:
				verb = "select"
			case selector.Undecided:
				verb = "may select"
			default:
				continue
			}
			out = append(out, Warning{Code: WarningOverlap, Message: fmt.Sprintf("profiles %s and %s %s some of the same pods: %s gets them, since its name sorts first", a.Spec.Name, b.Spec.Name, verb, a.Spec.Name)})
		}
	}
	return out
}
