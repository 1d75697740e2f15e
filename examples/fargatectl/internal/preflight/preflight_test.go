// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package preflight_test

import (
	"context"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/preflight"
)

// input asks a fake about a profile that it would accept.
func input(c *fake.Cloud) preflight.Input {
	return preflight.Input{
		Cluster: fake.ClusterName, Clusters: c.EKS(), Verify: role.New(c.IAM()).Verify,
		Desired: []fargate.Desired{{
			Spec: fargate.Spec{
				ClusterName: fake.ClusterName, Name: "web", PodExecutionRoleARN: c.RoleARN(fake.RoleName),
				Selectors: []selector.Selector{{Namespace: "web"}},
			},
			Owner: fargate.Owner{ID: "me"},
		}},
		Observe: func(ctx context.Context, cluster string) ([]fargate.Observed, error) {
			plan, err := lifecycle.New(c.EKS()).PlanCluster(ctx, fargate.ClusterInput{Cluster: cluster})
			return plan.Observed, err
		},
	}
}

func TestAReadThatIsDeniedIsNamedAndStopsNothing(t *testing.T) {
	tests := map[string]struct{ denied, check, remedy string }{
		"the cluster":  {"eks:DescribeCluster", "cluster", "allow the caller eks:DescribeCluster"},
		"the profiles": {"eks:ListFargateProfiles", "name", "allow the caller eks:ListFargateProfiles"},
		"the role":     {"iam:GetRole", "role", "allow the caller iam:GetRole"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			c.Deny(tt.denied)
			findings, err := preflight.Run(t.Context(), input(c))
			if err != nil {
				t.Fatal(err)
			}
			var open []string
			for _, f := range findings {
				if strings.HasPrefix(f.Message, "can't be checked: ") && strings.HasPrefix(f.Remedy, tt.remedy) {
					open = append(open, f.Check)
				}
			}
			if diff := cmp.Diff([]string{tt.check}, open); diff != "" {
				t.Errorf("the checks that could not be made (-want +got):\n%s\n%+v", diff, findings)
			}
		})
	}
}

func TestPreflightWritesNothing(t *testing.T) {
	c := fake.New()
	if _, err := preflight.Run(t.Context(), input(c)); err != nil {
		t.Fatal(err)
	}
	for call := range c.Calls() {
		if !strings.HasPrefix(call.Operation, "Describe") && !strings.HasPrefix(call.Operation, "List") && !strings.HasPrefix(call.Operation, "Get") {
			t.Errorf("preflight called %s", call.Operation)
		}
	}
}

func TestTheEndOfTheContextIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := preflight.Run(ctx, input(fake.New())); err == nil {
		t.Error("no error")
	}
}
