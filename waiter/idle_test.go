// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/waiter"
)

// cluster is a scripted cluster: what each profile is by its age, listed in pages.
type cluster struct {
	start  time.Time
	names  []string
	turns  map[string]time.Duration // in progress until then; absent means never
	gone   map[string]bool
	paging int
	errs   []error // what the first calls of the list meet
	lists  int
	reads  []string
}

func newCluster(names ...string) *cluster {
	return &cluster{start: time.Now(), names: names, turns: map[string]time.Duration{}, gone: map[string]bool{}, paging: 2}
}

func (c *cluster) ListFargateProfiles(_ context.Context, in *eks.ListFargateProfilesInput, _ ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	c.lists++
	if c.lists <= len(c.errs) {
		return nil, c.errs[c.lists-1]
	}
	from := 0
	if in.NextToken != nil {
		from = len(*in.NextToken)
	}
	to := min(from+c.paging, len(c.names))
	out := &eks.ListFargateProfilesOutput{FargateProfileNames: c.names[from:to]}
	if to < len(c.names) {
		out.NextToken = new("xxxxxxxxxx"[:to])
	}
	return out, nil
}

func (c *cluster) DescribeFargateProfile(_ context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	name := *in.FargateProfileName
	c.reads = append(c.reads, name)
	switch {
	case time.Since(c.start) < c.turns[name]:
		return says(creating).output(c.start)
	case c.gone[name]:
		return nil, notFound()
	}
	return says(active).output(c.start)
}

func TestClusterIdle(t *testing.T) {
	tests := map[string]struct {
		set   func(*cluster)
		want  string
		reads []string
	}{
		"nothing is in progress":          {func(*cluster) {}, "done", []string{"a", "b", "c"}},
		"no profile at all":               {func(c *cluster) { c.names = nil }, "done", nil},
		"one vanishes after the list":     {func(c *cluster) { c.gone["b"] = true }, "done", []string{"a", "b", "c"}},
		"one is in progress":              {func(c *cluster) { c.turns["b"] = 10 * time.Second }, "done", []string{"a", "b", "b", "a", "b", "c"}},
		"one is deleted":                  {func(c *cluster) { c.turns["c"], c.gone["c"] = 10*time.Second, true }, "done", []string{"a", "b", "c", "c", "a", "b", "c"}},
		"the list is throttled":           {func(c *cluster) { c.errs = []error{throttled(), serverError()} }, "done", []string{"a", "b", "c"}},
		"the list brings no answer":       {func(c *cluster) { c.errs = []error{nil} }, "done", []string{"a", "b", "c"}},
		"the list is denied":              {func(c *cluster) { c.errs = []error{denied()} }, "ended Denied", nil},
		"the cluster is not there":        {func(c *cluster) { c.errs = []error{clusterNotFound()} }, "ended ClusterNotFound", nil},
		"many pages":                      {func(c *cluster) { c.paging = 1 }, "done", []string{"a", "b", "c"}},
		"one that stays until the end":    {func(c *cluster) { c.turns["a"] = 2 * time.Hour }, "timeout CREATING", nil},
		"an error that does not go by":    {func(c *cluster) { c.errs = []error{noConnection(), context.Canceled} }, "ended CallFailed", nil},
		"a time limit inside of a client": {func(c *cluster) { c.errs = []error{context.DeadlineExceeded} }, "done", []string{"a", "b", "c"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := newCluster("a", "b", "c")
				tt.set(api)
				err := waiter.ClusterIdle(hour(t), api, "demo", noJitter)
				if got := outcome(err); got != tt.want {
					t.Fatalf("got %q (%v), want %q", got, err, tt.want)
				}
				if diff := cmp.Diff(tt.reads, api.reads); tt.want == "done" && diff != "" {
					t.Errorf("reads (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestClusterIdleEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		api := newCluster("a")
		api.errs = []error{throttled(), throttled(), throttled(), throttled(), throttled(), throttled()}
		start := time.Now()
		err := waiter.ClusterIdle(ctx, api, "demo")
		if outcome(err) != "timeout " || time.Since(start) != 10*time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}

// A list that never ends says nothing of the cluster: what was read of it may lack
// the profile that is in progress.
func TestClusterIdleDoesNotBelieveAListThatGoesRound(t *testing.T) {
	for name, pages := range map[string]map[string]string{
		"a page that names itself": {"": "a", "a": "a"},
		"pages that go round":      {"": "a", "a": "b", "b": "a"},
	} {
		t.Run(name, func(t *testing.T) {
			api := &circular{newCluster("a"), pages}
			err := waiter.ClusterIdle(t.Context(), api, "demo")
			if outcome(err) != "ended CallFailed" || len(api.reads) != 0 {
				t.Errorf("got %v after reading %v", err, api.reads)
			}
		})
	}
}

// circular is a cluster whose pages name the next one as told.
type circular struct {
	*cluster
	next map[string]string
}

func (c *circular) ListFargateProfiles(_ context.Context, in *eks.ListFargateProfilesInput, _ ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	return &eks.ListFargateProfilesOutput{FargateProfileNames: c.names, NextToken: new(c.next[aws.ToString(in.NextToken)])}, nil
}

func TestClusterIdleNeedsACluster(t *testing.T) {
	api := &cluster{}
	if err := waiter.ClusterIdle(t.Context(), api, ""); outcome(err) != "ended InvalidInput" || api.lists != 0 {
		t.Errorf("got %v after %d calls", err, api.lists)
	}
}
