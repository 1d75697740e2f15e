// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

func TestPlanGoesOnWhenTheRoleIsMade(t *testing.T) {
	nameless, named := planned("a", "a"), planned("b", "b")
	nameless.Spec.PodExecutionRoleARN = ""
	p := plan(t, fargate.ClusterInput{Desired: []fargate.Desired{nameless, named}, Limits: fargate.Limits{RoleOptional: true}})
	if p.Steps[0].Reason != fargate.ReasonRoleNotReady {
		t.Errorf("the plan begins with %s, want a wait for the role", p.Steps[0].Reason)
	}
	want := []string{"wait ", "create a", "wait a", "create b", "wait b"}
	if diff := cmp.Diff(want, actions(p)); diff != "" {
		t.Errorf("the steps (-want +got):\n%s", diff)
	}
	if role := p.Desired[0].Spec.PodExecutionRoleARN; role != "" {
		t.Errorf("the plan desires the role %q, which nobody named", role)
	}
}
