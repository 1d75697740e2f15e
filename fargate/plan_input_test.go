// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

func TestPlanReportsEveryFaultOfEveryProfile(t *testing.T) {
	elsewhere := planned("x", "x")
	elsewhere.Spec.ClusterName = "other"
	_, err := fargate.PlanCluster(fargate.ClusterInput{
		Cluster: "demo", Prune: true,
		Desired: []fargate.Desired{planned("eks-a", "a"), planned("b"), elsewhere, planned("b", "b")},
	})
	invalid, ok := errors.AsType[*fargate.ValidationError](err)
	if !ok {
		t.Fatalf("PlanCluster() = %v", err)
	}
	var fields []string
	for _, e := range invalid.Errors {
		fields = append(fields, e.Field)
	}
	want := []string{
		"desired[0].spec.fargateProfileName", "desired[1].spec.selectors", "desired[2].spec.clusterName",
		"desired[3].spec.fargateProfileName", "owner.id",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestAPlanNamesTheProfilesThatAreFaulty(t *testing.T) {
	_, err := fargate.PlanCluster(fargate.ClusterInput{Cluster: "demo", Desired: []fargate.Desired{planned("web", "web"), planned("eks-a", "a")}})
	const want = `fargate: invalid profile of cluster "demo": desired[1].spec.fargateProfileName: profile "eks-a": the prefix eks- is reserved by EKS (choose a name that begins otherwise)`
	if err == nil || err.Error() != want {
		t.Errorf("PlanCluster() = %v, want %s", err, want)
	}
}

func TestAPlanNeedsACluster(t *testing.T) {
	_, err := fargate.PlanCluster(fargate.ClusterInput{})
	const want = `fargate: invalid profile: cluster: it is required (name the EKS cluster that the plan is for)`
	if err == nil || err.Error() != want {
		t.Errorf("PlanCluster() = %v, want %s", err, want)
	}
}

// What is known of a role decides about the profile that it is for, and no other.
func TestAPlanFollowsTheRoles(t *testing.T) {
	p, err := fargate.PlanCluster(fargate.ClusterInput{
		Cluster: "demo", Desired: []fargate.Desired{planned("api", "api"), planned("web", "web")},
		Roles: map[string]fargate.Role{"api": {ARN: roleR, Trust: fargate.TrustMissing, Message: "aws:SourceArn allows cluster other"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	blocked := p.Blocked()
	if len(blocked) != 1 || blocked[0].Name != "api" || blocked[0].Reason != fargate.ReasonRoleNotTrusted || !strings.Contains(blocked[0].Message, "allows cluster other") {
		t.Errorf("Blocked() = %+v", blocked)
	}
	i := slices.IndexFunc(p.Steps, func(s fargate.PlanStep) bool { return s.Action == fargate.ActionCreate })
	if i < 0 || p.Steps[i].Name != "web" || !slices.Contains(p.Steps[i].Unchecked, fargate.PreconditionRole) {
		t.Errorf("steps = %+v, want web to be created with its role unchecked", p.Steps)
	}
}
