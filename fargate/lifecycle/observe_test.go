// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// A step that looks at the whole cluster sees its own profile a second time. The
// newer look counts.
func TestTheNewerLookCounts(t *testing.T) {
	tests := map[string]struct {
		meanwhile time.Duration // how long ago somebody deleted it at the second look
		want      fargate.Reason
		call      string
	}{
		"it is being deleted": {0, fargate.ReasonDeleting, "DescribeFargateProfile"},
		"it is gone":          {10 * time.Second, fargate.ReasonAbsent, "CreateFargateProfile"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settle(oldSpec)(t, c)
				r := lifecycle.New(c.EKS())
				before, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{})
				if err != nil || !before.Settled {
					t.Fatalf("Step() = %+v, %v", before, err)
				}
				newer := with(oldSpec, selects("web", "api"))(c)
				c.Before(2, func() { deleteByHand(t, c, before.Observed.Spec.Name) })
				c.Before(3, func() { time.Sleep(tt.meanwhile) })
				out, err := r.Step(t.Context(), newer, before.Memory)
				if ops := calls(c); err != nil || out.Reason != tt.want || ops[len(ops)-1] != tt.call {
					t.Errorf("Step() = %s %s, %v after %v; want %s and %s at last", out.Action, out.Reason, err, ops, tt.want, tt.call)
				}
			})
		})
	}
}

func deleteByHand(t *testing.T, c *fake.Cloud, name string) {
	t.Helper()
	cluster := fake.ClusterName
	if _, err := c.EKS().DeleteFargateProfile(t.Context(), &eks.DeleteFargateProfileInput{ClusterName: &cluster, FargateProfileName: &name}); err != nil {
		t.Fatal(err)
	}
}

// A memory of a version that is not known counts as none.
func TestAMemoryOfAnotherVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{} })
		settle(pinned)(t, c)
		c.ForgetCalls()
		mem := fargate.Memory{Version: fargate.MemoryVersion + 1, Physical: "other", ARN: "arn:aws:eks:eu-west-1:444455556666:fargateprofile/demo/other/1", Unlisted: true}
		out, err := lifecycle.New(c.EKS()).Step(t.Context(), pinned(c), mem)
		if err != nil || !out.Settled || out.Memory.Version != fargate.MemoryVersion || out.Memory.Unlisted {
			t.Errorf("Step() = %+v, %v", out, err)
		}
		if got := calls(c); !slices.Equal(got, []string{"DescribeFargateProfile"}) {
			t.Errorf("calls = %v", got)
		}
	})
}
