// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// acceptedWrites are the inputs of the writes that EKS accepted, but for the
// create's token, which the SDK draws. All reads must ask for a name, and no more.
func acceptedWrites(t *testing.T, c *fake.Cloud) []any {
	t.Helper()
	var writes []any
	for call := range c.Calls() {
		switch in := call.Input.(type) {
		case *eks.DescribeFargateProfileInput:
			if aws.ToString(in.ClusterName) != "demo" || aws.ToString(in.FargateProfileName) == "" {
				t.Errorf("a look at %v", in)
			}
		case *eks.ListFargateProfilesInput:
			if want := (&eks.ListFargateProfilesInput{ClusterName: aws.String("demo")}); !cmp.Equal(want, in, ignoreSDK()) {
				t.Errorf("a list with %v", in)
			}
		case *eks.CreateFargateProfileInput:
			if in.ClientRequestToken == nil {
				t.Error("a create without a token")
			}
			without := *in
			without.ClientRequestToken = nil
			if call.Code == "" {
				writes = append(writes, &without)
			}
		default:
			if call.Code == "" {
				writes = append(writes, in)
			}
		}
	}
	return writes
}

func ignoreSDK() cmp.Option {
	return cmpopts.IgnoreUnexported(eks.CreateFargateProfileInput{}, eks.DescribeFargateProfileInput{}, eks.DeleteFargateProfileInput{},
		eks.ListFargateProfilesInput{}, eks.TagResourceInput{}, eks.UntagResourceInput{}, types.FargateProfileSelector{})
}

// TestEveryCallHasWhatItNeedsAndNoMore writes out the writes of a whole life: create,
// new and removed tags, a create-first replacement, and the deletion.
func TestEveryCallHasWhatItNeedsAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS())
		d := oldSpec(c)
		d.Generation = 1
		d.Spec.Tags = map[string]string{"team": "x"}
		d.Spec.Selectors[0].Labels = map[string]string{"app": "a"}
		run := func() fargate.Observed {
			t.Helper()
			o, err := r.Run(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		first := run()
		d.Spec.Tags = map[string]string{"owner": "me"}
		run()
		d.Spec.Selectors = []selector.Selector{{Namespace: "api"}}
		second := run()
		if err := r.Delete(t.Context(), d); err != nil {
			t.Fatal(err)
		}

		cluster := aws.String("demo")
		marks := func(more map[string]string) map[string]string {
			tags := map[string]string{ownerMark(me): me, profileMark: "web", genMark: "1"}
			maps.Copy(tags, more)
			return tags
		}
		create := func(name, namespace string, labels, tags map[string]string) any {
			return &eks.CreateFargateProfileInput{
				ClusterName: cluster, FargateProfileName: &name, PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)), Tags: marks(tags),
				Selectors: []types.FargateProfileSelector{{Namespace: &namespace, Labels: labels}},
			}
		}
		old, next := first.Spec.Name, second.Spec.Name
		claim := func(o fargate.Observed) string { return o.Spec.Tags[markPrefix+"tags"] }
		want := []any{
			create(old, "web", map[string]string{"app": "a"}, map[string]string{"team": "x", markPrefix + "tags": claim(first), peerMark: old}),
			&eks.UntagResourceInput{ResourceArn: &first.ARN, TagKeys: []string{peerMark}},
			&eks.UntagResourceInput{ResourceArn: &first.ARN, TagKeys: []string{"team"}},
			&eks.TagResourceInput{ResourceArn: &first.ARN, Tags: map[string]string{"owner": "me", markPrefix + "tags": claim(second)}},
			&eks.TagResourceInput{ResourceArn: &first.ARN, Tags: marks(map[string]string{peerMark: next})},
			create(next, "api", nil, map[string]string{"owner": "me", markPrefix + "tags": claim(second), peerMark: old}),
			&eks.DeleteFargateProfileInput{ClusterName: cluster, FargateProfileName: &old},
			&eks.UntagResourceInput{ResourceArn: &second.ARN, TagKeys: []string{peerMark}},
			&eks.DeleteFargateProfileInput{ClusterName: cluster, FargateProfileName: &next},
		}
		if diff := cmp.Diff(want, acceptedWrites(t, c), ignoreSDK()); diff != "" {
			t.Errorf("writes (-want +got):\n%s", diff)
		}
	})
}

// A step with nothing to do makes one call, and no list.
func TestANoOpIsOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(c.EKS())
		steps := func(d fargate.Desired, step func() (lifecycle.Outcome, error), want ...string) fargate.Memory {
			t.Helper()
			c.ForgetCalls()
			out, err := step()
			if got := calls(c); err != nil || out.Action != fargate.ActionNoOp || !slices.Equal(got, want) {
				t.Errorf("%s: %s %s, %v; calls %v, want %v", d.Spec.Name, out.Action, out.Reason, err, got, want)
			}
			return out.Memory
		}
		step := func(d fargate.Desired, mem fargate.Memory) func() (lifecycle.Outcome, error) {
			return func() (lifecycle.Outcome, error) { return r.Step(t.Context(), d, mem) }
		}
		derived, pinned := oldSpec(c), desired(c, "api", "api")
		for _, d := range []fargate.Desired{derived, pinned} {
			if _, err := r.Run(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		steps(pinned, step(pinned, fargate.Memory{}), "DescribeFargateProfile")
		mem := steps(derived, step(derived, fargate.Memory{}), "DescribeFargateProfile", "ListFargateProfiles", "DescribeFargateProfile")
		for range 3 {
			mem = steps(derived, step(derived, mem), "DescribeFargateProfile")
		}
	})
}
