// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// mute is an API that answers a look with success and no profile, as a proxy may.
type mute struct {
	lifecycle.API
	answer *eks.DescribeFargateProfileOutput
}

func (m mute) DescribeFargateProfile(context.Context, *eks.DescribeFargateProfileInput, ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	return m.answer, nil
}

// An empty answer is no profile that is not ours, and no absence.
func TestAnEmptyAnswerSaysNothing(t *testing.T) { synctest.Test(t, emptyAnswers) }

func emptyAnswers(t *testing.T) {
	for name, answer := range map[string]*eks.DescribeFargateProfileOutput{"nothing": nil, "no profile": {}} {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		c.ForgetCalls()
		r := lifecycle.New(mute{c.EKS(), answer})
		out, deleted := r.StepDelete(t.Context(), oldSpec(c), fargate.Memory{})
		_, stepped := r.Step(t.Context(), oldSpec(c), fargate.Memory{})
		_, planned := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Owner: fargate.Owner{ID: me}, Prune: true})
		for what, err := range map[string]error{"StepDelete": deleted, "Step": stepped, "PlanCluster": planned} {
			if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "DescribeFargateProfile" {
				t.Errorf("%s: %s() = %v", name, what, err)
			}
		}
		if out.Gone {
			t.Errorf("%s: the profile counts as gone", name)
		}
	}
}
