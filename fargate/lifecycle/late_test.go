// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// scripted is an API whose DescribeFargateProfile can be replaced.
type scripted struct {
	lifecycle.API
	describe func(context.Context, *eks.DescribeFargateProfileInput) (*eks.DescribeFargateProfileOutput, error)
}

func (s *scripted) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	return s.describe(ctx, in)
}

// Another writer makes the profile between the look for it and the look at the
// cluster.
func TestAProfileThatComesWhileItIsLookedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		d := desired(c, "web", "web")
		settle(func(*fake.Cloud) fargate.Desired { return d })(t, c)
		asked := 0
		api := &scripted{API: c.EKS(), describe: func(ctx context.Context, in *eks.DescribeFargateProfileInput) (*eks.DescribeFargateProfileOutput, error) {
			if asked++; asked == 1 {
				in.FargateProfileName = aws.String("not-there-yet")
			}
			return c.EKS().DescribeFargateProfile(ctx, in)
		}}
		r := lifecycle.New(api, func(o *lifecycle.Options) { o.Limits.Profiles = 10 })
		o, err := r.Run(t.Context(), d)
		if err != nil || o.Spec.Name != "web" || o.Status != fargate.StatusActive {
			t.Errorf("Run() = %+v, %v", o, err)
		}
	})
}

// A peer mark that no replacement can have written is removed, and EKS is not
// asked for a profile of that name: what it says about such names is not known.
func TestAPeerMarkThatCannotBeOurs(t *testing.T) {
	for name, peer := range map[string]string{
		"no name at all": " ?", "too long": strings.Repeat("x", 256), "another profile": "api", "a path": "../web",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				d := desired(c, "web", "web")
				settle(func(*fake.Cloud) fargate.Desired { return d })(t, c)
				web, err := c.EKS().DescribeFargateProfile(t.Context(), &eks.DescribeFargateProfileInput{ClusterName: aws.String("demo"), FargateProfileName: aws.String("web")})
				if err != nil {
					t.Fatal(err)
				}
				tags := map[string]string{"eksfargate.io/peer": peer}
				if _, err := c.EKS().TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: web.FargateProfile.FargateProfileArn, Tags: tags}); err != nil {
					t.Fatal(err)
				}
				api := &scripted{API: c.EKS(), describe: func(ctx context.Context, in *eks.DescribeFargateProfileInput) (*eks.DescribeFargateProfileOutput, error) {
					if *in.FargateProfileName != "web" {
						t.Errorf("EKS was asked for %q", *in.FargateProfileName)
					}
					return c.EKS().DescribeFargateProfile(ctx, in)
				}}
				if o, err := lifecycle.New(api).Run(t.Context(), d); err != nil || o.Peer() != "" {
					t.Errorf("Run() = %+v, %v", o, err)
				}
			})
		})
	}
}

// The cluster is deleted between the look for the profile and the look at the
// cluster: that is the same answer as at the first look, and no error.
func TestTheClusterVanishesBeforeItIsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		vanish := func() {
			if err := lifecycle.New(c.EKS()).Delete(t.Context(), oldSpec(c)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if _, err := c.EKS().DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("demo")}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		api := &scripted{API: c.EKS(), describe: func(ctx context.Context, in *eks.DescribeFargateProfileInput) (*eks.DescribeFargateProfileOutput, error) {
			out, err := c.EKS().DescribeFargateProfile(ctx, in)
			if err == nil && strings.HasPrefix(*in.FargateProfileName, "web-") {
				vanish()
			}
			return out, err
		}}
		edited := with(oldSpec, selects("web", "api"))(c)
		out, err := lifecycle.New(api).Step(t.Context(), edited, fargate.Memory{})
		if err != nil || out.Reason != fargate.ReasonClusterNotFound || out.Action != fargate.ActionBlocked {
			t.Errorf("Step() = %s %s, %v", out.Action, out.Reason, err)
		}
	})
}

// A memory that belongs to another profile, or to nothing, costs no call.
func TestAMemoryOfAnotherProfileLeadsNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		d := desired(c, "web", "web")
		settle(func(*fake.Cloud) fargate.Desired { return d })(t, c)
		for _, physical := range []string{"api", "api-999-aaaaaaaa", "../web", "\xff"} {
			c.ForgetCalls()
			out, err := lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{Version: fargate.MemoryVersion, Physical: physical})
			if got := calls(c); err != nil || !out.Settled || out.Memory.Physical != "web" || len(got) != 1 {
				t.Errorf("after a memory of %q: %s %s, %v, by the calls %v", physical, out.Action, out.Reason, err, got)
			}
		}
	})
}
