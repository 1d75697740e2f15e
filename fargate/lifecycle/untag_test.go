// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// Others set a tag under a key of ours right after we removed it, before the memory on
// the profile says so.
func TestATagThatOthersSetWhereOursWas(t *testing.T) {
	for name, change := range map[string]func(*fargate.Desired){
		"the key stays unwanted":                   func(*fargate.Desired) {},
		"the key is wanted as it is, and then not": func(d *fargate.Desired) { d.Spec.Tags["old"] = "theirs" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settle(oldSpec)(t, c)
				r := lifecycle.New(c.EKS())
				without := with(oldSpec, func(d *fargate.Desired) { d.Spec.Tags = map[string]string{"team": "x"} })
				out, err := r.Step(t.Context(), without(c), fargate.Memory{})
				if err != nil || out.Reason != fargate.ReasonTagsDiffer || !slices.Contains(out.Memory.Untagged, "old") {
					t.Fatalf("Step() = %s, %v, and remembers %v", out.Reason, err, out.Memory.Untagged)
				}
				if _, err := c.EKS().TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: &out.Observed.ARN, Tags: map[string]string{"old": "theirs"}}); err != nil {
					t.Fatal(err)
				}
				for _, d := range []fargate.Desired{with(without, change)(c), without(c)} {
					for range 5 {
						if out, err = r.Step(t.Context(), d, out.Memory); err != nil || out.Settled {
							break
						}
					}
					if err != nil || !out.Settled || len(out.Memory.Untagged) > 0 {
						t.Fatalf("Step() = %s, %v, and remembers %v", out.Reason, err, out.Memory.Untagged)
					}
				}
				got := tagsOf(t, c, out.Observed.Spec.Name)
				if maps.DeleteFunc(got, func(key, _ string) bool { return key != "old" }); got["old"] != "theirs" {
					t.Error("the tag of the others is gone")
				}
			})
		})
	}
}
