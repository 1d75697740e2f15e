// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

func atRest(o *fake.Options) {
	now := time.UnixMilli(1_700_000_000_000)
	o.Now = func() time.Time { return now }
}

// staleReads makes all reads of an operation d old.
func staleReads(c *fake.Cloud, operation string, d time.Duration) {
	c.Inject(fake.Fault{Operation: operation, Stale: d, Count: -1})
}

func listed(t *testing.T, api eksAPI) []string {
	t.Helper()
	out, err := api.ListFargateProfiles(t.Context(), &eks.ListFargateProfilesInput{ClusterName: aws.String(fake.ClusterName)})
	if err != nil {
		t.Fatal(err)
	}
	return out.FargateProfileNames
}

func TestStaleDescribe(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		staleReads(c, "DescribeFargateProfile", 10*time.Second)
		c.Advance(time.Minute)
		mustCreate(t, c, api, "web")
		c.Advance(5 * time.Second)
		_, err := api.DescribeFargateProfile(t.Context(), describeInput("web"))
		wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
		c.Advance(5 * time.Second)
		mustDescribe(t, api, "web")
		c.Advance(85 * time.Second) // ACTIVE for 5 s
		if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusCreating {
			t.Errorf("status %s, want the older CREATING", got)
		}
		c.Advance(time.Minute)
		mustDelete(t, api, "web")
		if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusActive {
			t.Errorf("status %s right after the delete, want the older ACTIVE", got)
		}
		c.Advance(2*time.Minute + 9*time.Second)
		if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusDeleting {
			t.Errorf("status %s 9 s after the end, want the older DELETING", got)
		}
		if got := listed(t, api); len(got) != 0 {
			t.Errorf("the list, which is not stale, has %v", got)
		}
		c.Advance(time.Second)
		if _, err := api.DescribeFargateProfile(t.Context(), describeInput("web")); err == nil {
			t.Error("the profile is still there 10 s after its end")
		}
	}, atRest)
}

func TestListThatLagsBehindDescribe(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		mustCreate(t, c, api, "old")
		c.Advance(time.Hour)
		staleReads(c, "ListFargateProfiles", 30*time.Second)
		mustCreate(t, c, api, "new")
		c.Advance(29 * time.Second)
		mustDescribe(t, api, "new")
		if got := listed(t, api); !slices.Equal(got, []string{"old"}) {
			t.Errorf("29 s after the create: %v", got)
		}
		c.Advance(time.Second)
		if got := listed(t, api); !slices.Equal(got, []string{"new", "old"}) {
			t.Errorf("30 s after the create: %v", got)
		}
	}, atRest)
}

func TestStaleTagsAndClusters(t *testing.T) {
	c := fake.New(atRest)
	c.AddCluster(fake.Cluster{Name: "old"})
	c.Inject(
		fake.Fault{Operation: "ListTagsForResource", Stale: time.Minute, Count: -1},
		fake.Fault{Operation: "ListClusters", Stale: time.Minute, Count: -1},
		fake.Fault{Operation: "DeleteCluster", Stale: time.Minute, Count: -1},
	)
	c.Advance(time.Hour)
	api := c.EKS()
	arn := c.AddCluster(fake.Cluster{Name: "new"})
	tag := &eks.TagResourceInput{ResourceArn: &arn, Tags: map[string]string{"a": "b"}}
	if _, err := api.TagResource(t.Context(), tag); err != nil {
		t.Fatal(err)
	}
	if _, err := api.DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("old")}); err != nil {
		t.Fatal(err)
	}
	c.Advance(4*time.Minute + 30*time.Second)
	clusters := func() []string {
		out, err := api.ListClusters(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return out.Clusters
	}
	if got := clusters(); !slices.Equal(got, []string{"demo", "new", "old"}) {
		t.Errorf("clusters half a minute after one has gone: %v", got)
	}
	c.Advance(time.Minute)
	if got := clusters(); !slices.Equal(got, []string{"demo", "new"}) {
		t.Errorf("clusters: %v", got)
	}
	mustUntag(t, api, arn, "a")
	out, err := api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: &arn})
	if err != nil || out.Tags["a"] != "b" {
		t.Errorf("tags %v, error %v: want those of a minute ago", out, err)
	}
	c.ClearFaults()
	out, err = api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: &arn})
	if err != nil || len(out.Tags) != 0 {
		t.Errorf("tags %v, error %v after ClearFaults", out, err)
	}
}

func mustUntag(t *testing.T, api eksAPI, arn string, keys ...string) {
	t.Helper()
	if _, err := api.UntagResource(t.Context(), &eks.UntagResourceInput{ResourceArn: &arn, TagKeys: keys}); err != nil {
		t.Fatal(err)
	}
}

// A stale read answers as a fresh one would have done at that time, whatever
// has happened since.
func TestStaleReadsAreWhatWasSeen(t *testing.T) {
	c := fake.New(atRest)
	api := c.EKS()
	const lag = 40 * time.Second
	staleReads(c, "DescribeFargateProfile", lag)
	var seen []string // by second; a list is never stale here
	for second := range 600 {
		switch second {
		case 50, 350:
			mustCreate(t, c, api, "web")
		case 200:
			mustDelete(t, api, "web")
		}
		seen = append(seen, statusInList(t, c))
		_, err := api.DescribeFargateProfile(t.Context(), describeInput("web"))
		want := seen[max(0, second-int(lag/time.Second))]
		if got := map[bool]string{true: "there", false: "absent"}[err == nil]; got != want {
			t.Fatalf("second %d: %s, want %s", second, got, want)
		}
		c.Advance(time.Second)
	}
}

func statusInList(t *testing.T, c *fake.Cloud) string {
	t.Helper()
	return map[bool]string{true: "there", false: "absent"}[len(listed(t, c.EKS())) > 0]
}
