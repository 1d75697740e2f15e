// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// Severity says how grave a finding is.
type Severity string

// The severities.
const (
	OK      Severity = "ok"      // as it must be
	Warning Severity = "warning" // worth a look, or could not be looked at
	Error   Severity = "error"   // EKS would refuse, or pods would not run
)

// Finding is the answer of one check.
type Finding struct {
	Severity Severity `json:"severity"`
	// Check is what was looked at: cluster, name, role, subnets, quota or overlap.
	Check string `json:"check"`
	// Profile is the profile it is about; empty for all of them.
	Profile string `json:"profile,omitempty"`
	Message string `json:"message"`
	// Remedy says what to do; empty where nothing is to be done.
	Remedy string `json:"remedy,omitempty"`
}

// Clusters reads clusters. *eks.Client satisfies it.
type Clusters interface {
	DescribeCluster(ctx context.Context, in *eks.DescribeClusterInput, optFns ...func(*eks.Options)) (*eks.DescribeClusterOutput, error)
}

// Input is what is to be made, and whom to ask.
type Input struct {
	Cluster string
	// Region is where the cluster is. Empty: what the cluster says itself.
	Region   string
	Desired  []fargate.Desired
	Clusters Clusters
	// Observe reads the profiles of the cluster.
	Observe func(ctx context.Context, cluster string) ([]fargate.Observed, error)
	// Verify reads a role and says what it lacks. Nil leaves the roles alone.
	Verify func(ctx context.Context, desired iam.DesiredRole) (role.Report, error)
	// RoleMade says that profiles without a role get one that is made for them.
	RoleMade bool
}

// run is one preflight.
type run struct {
	Input

	cluster  *types.Cluster
	observed []fargate.Observed
	findings []Finding
}

// Run makes every check that can be made and returns all findings, in the order of the
// checks and profiles. The error says that the context ended.
func Run(ctx context.Context, in Input) ([]Finding, error) {
	r := &run{Input: in, findings: []Finding{}}
	if r.lookAtCluster(ctx) {
		r.lookAtProfiles(ctx)
		r.lookAtRoles(ctx)
		r.lookAtSubnets()
	}
	return r.findings, ctx.Err()
}

func (r *run) add(s Severity, check, profile, message, remedy string) {
	r.findings = append(r.findings, Finding{s, check, profile, message, remedy})
}

// unreadable reports a check that could not be made.
func (r *run) unreadable(check, profile string, err error, action string) {
	remedy := "try again"
	if lifecycle.Classify(err).Kind == "Denied" {
		remedy = "allow the caller " + action + ", or go on without this check"
	}
	r.add(Warning, check, profile, "can't be checked: "+err.Error(), remedy)
}

const checkCluster = "cluster"

// lookAtCluster reports whether it makes sense to look at anything else.
func (r *run) lookAtCluster(ctx context.Context) bool {
	out, err := r.Clusters.DescribeCluster(ctx, &eks.DescribeClusterInput{Name: &r.Cluster})
	if kind := lifecycle.Classify(err).Kind; kind == "ClusterNotFound" {
		r.add(Error, checkCluster, "", "EKS has no cluster "+r.Cluster, "check the name, the region and the account: aws eks list-clusters")
		return false
	}
	if err != nil {
		r.unreadable(checkCluster, "", err, "eks:DescribeCluster")
		return true
	}
	r.cluster = out.Cluster
	if s := out.Cluster.Status; s != types.ClusterStatusActive {
		r.add(Error, checkCluster, "", "cluster "+r.Cluster+" is "+string(s), "wait until it is ACTIVE: aws eks wait cluster-active --name "+r.Cluster)
		return true
	}
	r.add(OK, checkCluster, "", "cluster "+r.Cluster+" is ACTIVE", "")
	return true
}
