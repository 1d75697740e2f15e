// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"errors"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/manifest"
)

// Profile is a profile of which everything that the file says is known.
type Profile struct {
	Spec   fargate.Spec
	Source manifest.Source
	// Region is that of the cluster; empty if the file does not say it.
	Region string
}

// Set is the profiles of one cluster.
type Set struct {
	// Cluster is the name of the cluster; empty if neither the files nor the caller
	// say it.
	Cluster  string
	Profiles []Profile
	// Warnings are the problems of the files that keep nobody from using them.
	Warnings []manifest.Problem
	// LeftOut are the names of the profiles of other clusters.
	LeftOut []string
}

// Specs are the specifications of the profiles.
func (s Set) Specs() []fargate.Spec {
	specs := make([]fargate.Spec, len(s.Profiles))
	for i, p := range s.Profiles {
		specs[i] = p.Spec
	}
	return specs
}

// ClustersError says that the files are about several clusters.
type ClustersError struct{ Clusters []string }

// Error names the clusters.
func (e *ClustersError) Error() string {
	return "the files name several clusters: " + strings.Join(e.Clusters, ", ")
}

// NoneError says that no profile of the files is of the given cluster.
type NoneError struct {
	Cluster string
	// LeftOut are the names of the profiles of other clusters.
	LeftOut []string
}

// Error names the cluster and the profiles that there are.
func (e *NoneError) Error() string {
	return "no profile of the files is of cluster " + e.Cluster + ": they have " + strings.Join(e.LeftOut, ", ")
}

// Resolve returns the profiles of one cluster: the given one, else the only one that
// the files name. A profile that names no cluster belongs to the given one. The error
// holds every fault of every file and every value that is not known.
func Resolve(result manifest.Result, cluster string) (Set, error) {
	if err := result.Err(); err != nil {
		return Set{}, err
	}
	set := Set{Cluster: cluster, Warnings: result.Problems}
	var errs []error
	var clusters []string
	for _, p := range result.Profiles {
		spec, err := p.Spec()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if spec.ClusterName == "" {
			spec.ClusterName = cluster
		}
		if cluster != "" && spec.ClusterName != cluster {
			set.LeftOut = append(set.LeftOut, spec.ClusterName+"/"+spec.Name)
			continue
		}
		clusters = append(clusters, spec.ClusterName)
		known := Profile{Spec: spec, Source: p.Source}
		if p.Region.IsKnown() {
			known.Region = p.Region.Text
		}
		set.Profiles = append(set.Profiles, known)
	}
	return set.finish(clusters, errs)
}

func (s Set) finish(clusters []string, errs []error) (Set, error) {
	slices.Sort(clusters)
	clusters = slices.Compact(clusters)
	switch {
	case len(errs) > 0:
		return Set{}, errors.Join(errs...)
	case len(s.Profiles) == 0 && len(s.LeftOut) > 0:
		return Set{}, &NoneError{s.Cluster, s.LeftOut}
	case len(clusters) > 1:
		for i := range clusters {
			if clusters[i] == "" {
				clusters[i] = "(none)"
			}
		}
		return Set{}, &ClustersError{clusters}
	case len(clusters) == 1:
		s.Cluster = clusters[0]
	}
	return s, nil
}
