// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// EKS itself says that no slot is left for a successor: the policy decides.
func TestNoSlotForASuccessor(t *testing.T) {
	for name, fallBack := range map[string]bool{"is blocked": false, "falls back to delete-first": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick, func(o *fake.Options) { o.Quotas.Profiles = 1 })
				settle(oldSpec)(t, c)
				d := with(oldSpec, selects("api"))(c)
				d.Policy.FallBackToDeleteFirst = fallBack
				_, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
				blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
				if ok == fallBack || ok && blocked.Outcome.Reason != fargate.ReasonQuotaExceeded || !ok && err != nil {
					t.Errorf("Run() = %v", err)
				}
				if got := names(t, c.EKS()); len(got) != 1 || tagsOf(t, c, got[0])[peerMark] != "" && fallBack {
					t.Errorf("profiles left: %v", got)
				}
			})
		})
	}
}

// The cluster can go between two reads of a step.
func TestAClusterThatGoesBetweenTwoReads(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "ListFargateProfiles", Count: 2, Code: "ResourceNotFoundException", Message: "No cluster found for name: demo."})
	r := lifecycle.New(c.EKS())
	if out, err := r.StepDelete(t.Context(), oldSpec(c), fargate.Memory{}); err != nil || !out.Gone || out.Reason != fargate.ReasonClusterGone {
		t.Errorf("StepDelete() = %s, %v", out.Reason, err)
	}
	if out, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{}); err != nil || out.Reason != fargate.ReasonClusterNotFound {
		t.Errorf("Step() = %s, %v", out.Reason, err)
	}
}
