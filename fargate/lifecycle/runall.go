// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Report is what RunAll and Teardown did, profile by profile, sorted by cluster
// and name.
type Report struct {
	Results []Result `json:"results"`
}

// Result is what became of one profile.
type Result struct {
	Cluster string `json:"cluster"`
	Profile string `json:"profile"`
	// Observed is the settled profile; nil where there is an error or the profile is
	// gone.
	Observed *fargate.Observed `json:"observed,omitempty"`
	// Err is why the profile is not settled; nil where it is.
	Err error `json:"-"`
}

// Failed are the results with an error.
func (r Report) Failed() []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(x Result) bool { return x.Err == nil })
}

// Err joins the errors of the results; nil if there is none.
func (r Report) Err() error {
	var errs []error
	for _, x := range r.Results {
		errs = append(errs, x.Err)
	}
	return errors.Join(errs...)
}

// RunAll runs every desired profile: one after the other in a cluster, ordered by
// name, since EKS changes one at a time there, and several clusters at once, as
// Options.Clusters allows. An error of one does not stop the others.
//
// The error joins those of the results. It is an [*Error] alone, and nothing was
// called, where two desired profiles are the same one.
func (r *Reconciler) RunAll(ctx context.Context, desired []fargate.Desired) (Report, error) {
	clusters, err := r.byCluster(desired)
	if err != nil {
		return Report{}, err
	}
	report := r.forClusters(clusters, func(d fargate.Desired) Result {
		observed, err := r.Run(ctx, d)
		if err != nil {
			return Result{Err: err}
		}
		return Result{Observed: &observed}
	})
	return report, report.Err()
}

// byCluster sorts the desired profiles into their clusters.
func (r *Reconciler) byCluster(desired []fargate.Desired) (map[string][]fargate.Desired, error) {
	clusters := map[string][]fargate.Desired{}
	for _, d := range desired {
		cluster := d.Spec.ClusterName
		for _, other := range clusters[cluster] {
			if other.Spec.Name == d.Spec.Name {
				return nil, r.fail("planning", d.Spec, fmt.Errorf("the profile is desired twice"))
			}
		}
		clusters[cluster] = append(clusters[cluster], d)
	}
	return clusters, nil
}

// forClusters works on a bounded number of clusters at once and on each in order.
func (r *Reconciler) forClusters(clusters map[string][]fargate.Desired, do func(fargate.Desired) Result) Report {
	var (
		wait    sync.WaitGroup
		mu      sync.Mutex
		results []Result
		slots   = make(chan struct{}, r.options.Clusters)
	)
	for _, cluster := range slices.Sorted(maps.Keys(clusters)) {
		profiles := clusters[cluster]
		slices.SortFunc(profiles, func(a, b fargate.Desired) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			for _, d := range profiles {
				result := do(d)
				result.Cluster, result.Profile = d.Spec.ClusterName, d.Spec.Name
				mu.Lock()
				results = append(results, result)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	slices.SortFunc(results, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.Cluster, b.Cluster), strings.Compare(a.Profile, b.Profile))
	})
	return Report{Results: results}
}

// Teardown deletes every profile of the cluster that the owner owns, one after the
// other, and leaves all others alone. Where the options have Roles, the roles that
// were made for them go, too. It looks at every page and does not mind a profile
// that vanishes meanwhile. A cluster that EKS does not know has no profiles, which
// is success: make sure of the account and the region. Roles of profiles that were
// gone before are not found then; StepDelete retires them by the profile's name.
//
// The error joins those of the results, or is an [*Error] where the profiles could
// not be listed, and where the cluster or the owner is invalid: then nothing was
// called.
func (r *Reconciler) Teardown(ctx context.Context, cluster string, by fargate.Owner, policy fargate.Policy) (Report, error) {
	at := fargate.Spec{ClusterName: cluster}
	if err := validateTeardown(cluster, by, policy); err != nil {
		return Report{}, r.fail("validation", at, err)
	}
	all, _, err := r.caller(at).readCluster(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, err
	}
	desired := fargate.Plan{Cluster: cluster, Observed: all, Prune: true, Owner: by}.Undesired()
	for i := range desired {
		desired[i].Policy = policy
	}
	report := r.deleteAll(ctx, cluster, desired)
	return report, report.Err()
}

// validateTeardown reports the faults of what a teardown goes by: that of a profile,
// but for its name, which is found at EKS.
func validateTeardown(cluster string, by fargate.Owner, policy fargate.Policy) error {
	d := fargate.Desired{Spec: fargate.Spec{ClusterName: cluster, Name: "any"}, Owner: by}
	err := d.ValidateIdentity()
	if invalid, ok := errors.AsType[*fargate.ValidationError](err); ok {
		invalid.Profile = "" // nobody gave that name
	}
	return errors.Join(err, fargate.Policy{Deletion: policy.Deletion}.Validate())
}

func (r *Reconciler) deleteAll(ctx context.Context, cluster string, desired []fargate.Desired) Report {
	return r.forClusters(map[string][]fargate.Desired{cluster: desired}, func(d fargate.Desired) Result {
		return Result{Err: r.Delete(ctx, d)}
	})
}
