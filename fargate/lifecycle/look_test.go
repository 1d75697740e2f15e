// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// forgetful is a client whose first list leaves everything out.
type forgetful struct {
	lifecycle.API
	lists int
}

func (f *forgetful) ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, optFns ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	if f.lists++; f.lists == 1 {
		return &eks.ListFargateProfilesOutput{}, nil
	}
	return f.API.ListFargateProfiles(ctx, in, optFns...)
}

// The look for the profile finds nothing, and the list that is only read because the
// quota is known shows it.
func TestAProfileThatOnlyTheSecondListShowsIsTheObservedOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		before := names(t, c.EKS())
		r := lifecycle.New(&forgetful{API: c.EKS()}, func(o *lifecycle.Options) { o.Limits.Profiles = 10 })
		observed, err := r.Run(t.Context(), oldSpec(c))
		if err != nil || observed.Spec.Name != before[0] || !slices.Equal(names(t, c.EKS()), before) {
			t.Errorf("Run() = %s, %v; before %v, after %v", observed.Spec.Name, err, before, names(t, c.EKS()))
		}
	})
}

// madeRole is a role that the library made, which is good.
type madeRole struct{ arn string }

func (r madeRole) Prepare(context.Context, fargate.Desired, string) (fargate.Role, error) {
	return fargate.Role{ARN: r.arn, Trust: fargate.TrustGiven}, nil
}

func (r madeRole) Retire(context.Context, fargate.Desired) (fargate.Role, error) {
	return fargate.Role{}, nil
}

// Where the spec names no role, or another one, it is the look at the role that
// leads to the drain gate, and so the pods must be looked at after it.
func TestTheDrainGateSeesThePodsAfterALookAtTheRole(t *testing.T) {
	const otherTrust = `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"}}`
	tests := map[string]func(c *fake.Cloud, d *fargate.Desired) (role string){
		"the spec names no role": func(c *fake.Cloud, d *fargate.Desired) string {
			d.Spec.PodExecutionRoleARN = ""
			return c.RoleARN(fake.RoleName)
		},
		"the spec names another role": func(c *fake.Cloud, d *fargate.Desired) string {
			d.Spec.PodExecutionRoleARN = c.AddRole("another", otherTrust)
			return d.Spec.PodExecutionRoleARN
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				settle(func(c *fake.Cloud) fargate.Desired { return desired(c, "web", "web") })(t, c)
				d := desired(c, "web", "web", "api")
				d.Policy = fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Drain: fargate.DrainConfirmed}
				role := change(c, &d)
				pods := []selector.Placed{{Pod: selector.Pod{Namespace: "web", Name: "p"}, Profile: "web"}}
				r := lifecycle.New(c.EKS(), func(o *lifecycle.Options) {
					o.Roles = madeRole{role}
					o.Pods = func(context.Context, string) ([]selector.Placed, error) { return pods, nil }
				})
				out, err := r.Step(t.Context(), d, fargate.Memory{})
				if err != nil || out.Reason != fargate.ReasonDrainNotConfirmed || len(out.Warnings) != 1 || len(out.Warnings[0].Pods) != 1 {
					t.Fatalf("with a pod there: %s, warnings %v, %v", out.Reason, out.Warnings, err)
				}
				pods = nil
				out, err = r.Step(t.Context(), d, out.Memory)
				if err != nil || out.Reason != fargate.ReasonDeletingFirst {
					t.Errorf("without pods: %s: %s, %v", out.Reason, out.Message, err)
				}
			})
		})
	}
}
