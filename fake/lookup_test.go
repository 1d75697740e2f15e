// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fake"
)

// drawName draws one of few names, so that they come again: short ones, ones about
// as long as what the state keeps in place, and a pair with the same FNV-1a hash.
func drawName(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`[ab][0-9]`),
		rapid.SampledFrom([]string{"costarring", "liquid"}),
		rapid.Custom(func(t *rapid.T) string { return strings.Repeat("x", rapid.IntRange(22, 25).Draw(t, "length")) }),
	).Draw(t, "name")
}

// atOnce makes every change end when it begins.
func atOnce(o *fake.Options) {
	none := fake.Fixed(0)
	o.Delays = fake.Delays{CreateFirst: none, Create: none, Busy: none, Delete: none, DeleteCluster: none}
	o.Quotas = fake.Quotas{Clusters: 1000, Profiles: 1000}
}

func TestClustersAreFoundByTheirNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fake.New(atOnce, func(o *fake.Options) { o.Empty = true })
		api, want := c.EKS(), map[string]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				name := drawName(t)
				if !want[name] {
					c.AddCluster(fake.Cluster{Name: name})
				}
				want[name] = true
			},
			"delete": func(t *rapid.T) {
				name := drawName(t)
				_, err := api.DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: &name})
				if (err == nil) != want[name] {
					t.Fatalf("delete %q: %v", name, err)
				}
				delete(want, name)
			},
			"": func(t *rapid.T) {
				name := drawName(t)
				out, err := api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: &name})
				if (err == nil) != want[name] || err == nil && *out.Cluster.Name != name {
					t.Fatalf("describe %q: %v", name, err)
				}
				list, err := api.ListClusters(t.Context(), nil)
				if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Clone(list.Clusters), emptyIsNil()); err != nil || diff != "" {
					t.Fatalf("list: %v (-want +got)\n%s", err, diff)
				}
			},
		})
	})
}

func emptyIsNil() cmp.Option {
	return cmp.Transformer("empty", func(s []string) string { return strings.Join(s, " ") })
}

// The quota is raised, so that there are more profiles than the default one allows.
func TestProfilesAreFoundByTheirNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fake.New(atOnce)
		want := map[string]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) {
				name := drawName(t)
				_, err := c.EKS().CreateFargateProfile(t.Context(), createInput(c, name))
				if (err == nil) == want[name] {
					t.Fatalf("create %q: %v", name, err)
				}
				want[name] = true
			},
			"delete": func(t *rapid.T) {
				name := drawName(t)
				_, err := c.EKS().DeleteFargateProfile(t.Context(), deleteInput(name))
				if (err == nil) != want[name] {
					t.Fatalf("delete %q: %v", name, err)
				}
				delete(want, name)
			},
			"restore": func(t *rapid.T) {
				text, err := c.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				c = fake.New(atOnce)
				if err := c.Restore(text); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				name := drawName(t)
				out, err := c.EKS().DescribeFargateProfile(t.Context(), describeInput(name))
				if (err == nil) != want[name] || err == nil && *out.FargateProfile.FargateProfileName != name {
					t.Fatalf("describe %q: %v", name, err)
				}
			},
		})
	})
}

func TestAProfileThatIsGoneIsNotRestored(t *testing.T) {
	c := fake.New()
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(10 * time.Minute)
	mustDelete(t, c.EKS(), "web")
	c.Advance(10 * time.Minute) // nobody looks
	restored := fake.New(func(o *fake.Options) { o.Empty = true })
	if err := restored.Restore(snapshotOf(t, c)); err != nil {
		t.Fatal(err)
	}
	_, err := restored.EKS().DescribeFargateProfile(t.Context(), describeInput("web"))
	wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
}

func TestTagsAndLabelsOfAReplyAreTheCallers(t *testing.T) {
	c := fake.New()
	in := createInput(c, "web")
	in.Tags = map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}
	in.Selectors[0].Labels = map[string]string{"k": "v"}
	if _, err := c.EKS().CreateFargateProfile(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(in.Tags)
	first := mustDescribe(t, c.EKS(), "web")
	first.Tags["a"], first.Selectors[0].Labels["k"] = "changed", "changed"
	first.Subnets[0], first.Selectors[0].Namespace = "changed", aws.String("changed")
	second := mustDescribe(t, c.EKS(), "web")
	if diff := cmp.Diff(want, second.Tags); diff != "" || second.Selectors[0].Labels["k"] != "v" {
		t.Errorf("labels %v, tags (-want +got):\n%s", second.Selectors[0].Labels, diff)
	}
	if second.Subnets[0] == "changed" || *second.Selectors[0].Namespace == "changed" {
		t.Error("the state changed with the reply")
	}
}
