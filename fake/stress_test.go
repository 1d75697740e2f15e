// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

// stressRounds makes the test longer: one round is 64 clients with 200 calls each,
// so 500 rounds are 100,000 calls of each.
var stressRounds = flag.Uint64("stress.rounds", 1, "how many rounds of concurrent calls to make")

// Many clients at once never see a cluster in which two profiles change, or
// which has more profiles than the quota.
func TestInvariantsUnderConcurrentCalls(t *testing.T) {
	const clients, calls, clusters = 64, 200, 3
	// The clock stands still but for Advance, so that an observer can compare.
	now := time.UnixMilli(1_700_000_000_000)
	c := fake.New(func(o *fake.Options) {
		o.Now = func() time.Time { return now }
		o.Quotas.Profiles = 4
		o.Delays.Busy = fake.Between(0, 10*time.Second)
	})
	for i := range clusters {
		c.AddCluster(fake.Cluster{Name: fmt.Sprint("c", i)})
	}
	r := replay{free: map[string]time.Time{}, used: map[string]bool{}}
	for round := range *stressRounds {
		var wg sync.WaitGroup
		for seed := range uint64(clients) {
			wg.Go(func() { randomCalls(t, c, rand.New(rand.NewPCG(seed, round)), calls, clusters) })
		}
		wg.Wait()
		if r.check(t, c); t.Failed() {
			t.Fatalf("in round %d", round)
		}
		c.ForgetCalls()
	}
	if r.changes == 0 {
		t.Error("no change was ever accepted")
	}
}

func randomCalls(t *testing.T, c *fake.Cloud, r *rand.Rand, calls, clusters int) {
	t.Helper()
	api := c.EKS()
	for range calls {
		cluster, name := fmt.Sprint("c", r.IntN(clusters)), fmt.Sprint("p", r.IntN(8))
		// Refusals are part of the game; the replay judges them all.
		switch r.IntN(6) {
		case 0:
			in := createInput(c, name)
			in.ClusterName = &cluster
			_, _ = api.CreateFargateProfile(t.Context(), in)
		case 1:
			in := deleteInput(name)
			in.ClusterName = &cluster
			_, _ = api.DeleteFargateProfile(t.Context(), in)
		case 2:
			checkCluster(t, c, cluster)
		case 3:
			checkTags(t, api, cluster, name, fmt.Sprint(r.Uint64()))
		default:
			c.Advance(time.Duration(r.IntN(30)) * time.Second)
		}
	}
}

// checkTags sets a tag whose key nobody else uses, and reads it back. The profile
// may go at any moment, and another may come in its place.
func checkTags(t *testing.T, api *fake.EKS, cluster, name, key string) {
	t.Helper()
	in := describeInput(name)
	in.ClusterName = &cluster
	before, err := api.DescribeFargateProfile(t.Context(), in)
	if err != nil {
		return
	}
	resource := before.FargateProfile.FargateProfileArn
	_, err = api.TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: resource, Tags: map[string]string{key: "x"}})
	if err != nil {
		return
	}
	after, err := api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: resource})
	if err == nil && after.Tags[key] != "x" {
		t.Errorf("tag %s of %s is lost", key, *resource)
	}
	_, _ = api.UntagResource(t.Context(), &eks.UntagResourceInput{ResourceArn: resource, TagKeys: []string{key}})
}

func checkCluster(t *testing.T, c *fake.Cloud, cluster string) {
	t.Helper()
	list, err := c.EKS().ListFargateProfiles(t.Context(), &eks.ListFargateProfilesInput{ClusterName: &cluster})
	if err != nil {
		t.Error(err)
		return
	}
	if n := len(list.FargateProfileNames); n > 4 {
		t.Errorf("cluster %s has %d profiles, more than its quota", cluster, n)
	}
}

// replay goes once more through the accepted changes: in one cluster, each must
// begin after the one before has ended.
type replay struct {
	free    map[string]time.Time // when a cluster takes the next change
	used    map[string]bool      // clusters that have used the role
	changes int
}

func (r *replay) check(t *testing.T, c *fake.Cloud) {
	t.Helper()
	for call := range c.Calls() {
		took := r.duration(call)
		if took == 0 {
			continue
		}
		cluster := call.Target.Cluster
		if call.Time.Before(r.free[cluster]) {
			t.Errorf("call %d: %s of %s was accepted %v before the last change ended",
				call.Number, call.Operation, cluster, r.free[cluster].Sub(call.Time))
		}
		r.free[cluster] = call.Time.Add(took)
		r.changes++
	}
}

// duration is how long the change takes that a call has begun, 0 for none.
func (r *replay) duration(call fake.Call) time.Duration {
	switch {
	case call.Code != "":
		return 0
	case call.Operation == "DeleteFargateProfile":
		return 2 * time.Minute
	case call.Operation != "CreateFargateProfile":
		return 0
	case r.used[call.Target.Cluster]:
		return 15 * time.Second
	default:
		r.used[call.Target.Cluster] = true
		return 90 * time.Second
	}
}

// The cost of a look-up must not grow with what else there is. The bigger Cloud
// does not fit into the processor's caches; compare the best of several runs:
//
//	go test -run - -bench Describe -benchtime 3000x -count 40
func BenchmarkDescribe(b *testing.B) {
	for _, clusters := range []int{10, 10_000} {
		api := crowded(b, clusters).EKS()
		b.Run(fmt.Sprintf("%d clusters of 10 profiles", clusters), func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				out, err := api.DescribeFargateProfile(b.Context(), &eks.DescribeFargateProfileInput{
					ClusterName: aws.String(fmt.Sprint("c", i*7919%clusters)), FargateProfileName: aws.String("p5"),
				})
				if err != nil || out.FargateProfile.Status != types.FargateProfileStatusActive {
					b.Fatal(out, err)
				}
			}
		})
	}
}

// crowded makes clusters of ten profiles.
func crowded(b *testing.B, clusters int) *fake.Cloud {
	b.Helper()
	c := fake.New(func(o *fake.Options) { o.JournalSize = -1 })
	for i := range clusters {
		name := fmt.Sprint("c", i)
		c.AddCluster(fake.Cluster{Name: name})
		for j := range 10 {
			if _, err := c.AddProfile(fake.Profile{Cluster: name, Name: fmt.Sprint("p", j)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	return c
}
