// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// circular is an API whose lists never end.
type circular struct{ lifecycle.API }

func (circular) ListFargateProfiles(context.Context, *eks.ListFargateProfilesInput, ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return &eks.ListFargateProfilesOutput{NextToken: aws.String("again")}, nil
}

// A list that never ends is an error of its own, and no absence: nothing is created.
func TestAListThatGoesRoundInACircle(t *testing.T) {
	c := fake.New()
	r := lifecycle.New(circular{c.EKS()})
	_, stepped := r.Step(t.Context(), desired(c, "web", "web"), fargate.Memory{})
	_, torn := r.Teardown(t.Context(), "demo", fargate.Owner{ID: me}, fargate.Policy{})
	_, planned := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo"})
	for name, err := range map[string]error{"Step": stepped, "Teardown": torn, "PlanCluster": planned} {
		e, ok := errors.AsType[*lifecycle.Error](err)
		repeated, circle := errors.AsType[*lifecycle.RepeatedPageError](err)
		if !ok || !circle || e.Op != "ListFargateProfiles" || e.Cluster != "demo" || e.Retryable() || repeated.Token != "again" {
			t.Errorf("%s() = %v", name, err)
		}
	}
	if n := c.CallCount("CreateFargateProfile"); n != 0 {
		t.Errorf("%d creates", n)
	}
}
