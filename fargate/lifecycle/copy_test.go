// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// copied makes a profile by hand, with every tag of the only one that is there.
func copied(t *testing.T, c *fake.Cloud, name, namespace string) {
	t.Helper()
	_, err := c.EKS().CreateFargateProfile(t.Context(), &eks.CreateFargateProfileInput{
		ClusterName: aws.String("demo"), FargateProfileName: &name, PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)),
		Selectors: []types.FargateProfileSelector{{Namespace: &namespace}}, Tags: tagsOf(t, c, names(t, c.EKS())[0]),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Somebody copies a profile by hand with all of its tags, our marks included. No
// look by name finds the copy, so it must not become a part of a replacement.
func TestACopyUnderAnotherNameIsLeftAlone(t *testing.T) {
	edited := with(oldSpec, selects("web", "api"))
	for name, namespace := range map[string]string{"as it was": "web", "as it is wanted next": "api"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settle(oldSpec)(t, c)
				copied(t, c, "zz-copy", namespace)
				before := tagsOf(t, c, "zz-copy")
				r := lifecycle.New(c.EKS())
				got, err := r.Run(t.Context(), edited(c))
				if err != nil || !fargate.MayBelong("web", got.Spec.Name) {
					t.Fatalf("Run() = %+v, %v", got, err)
				}
				if left := names(t, c.EKS()); !slices.Equal(left, []string{got.Spec.Name, "zz-copy"}) {
					t.Errorf("profiles = %v", left)
				}
				if after := tagsOf(t, c, "zz-copy"); len(after) != len(before) {
					t.Errorf("the tags of the copy changed from %v to %v", before, after)
				}

				p, err := r.PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "demo", Prune: true, Owner: fargate.Owner{ID: me}})
				if err != nil || len(p.Unmanaged) != 1 || p.Unmanaged[0].Name != "zz-copy" {
					t.Fatalf("unmanaged = %+v, %v", p.Unmanaged, err)
				}
				if _, err := r.Apply(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if left := names(t, c.EKS()); !slices.Equal(left, []string{"zz-copy"}) {
					t.Errorf("profiles = %v", left)
				}
			})
		})
	}
}
