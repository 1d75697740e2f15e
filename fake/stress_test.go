// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
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

// Many clients at once never see a cluster in which two profiles change, or
// which has more profiles than the quota.
func TestInvariantsUnderConcurrentCalls(t *testing.T) {
	const clients, calls, clusters = 16, 500, 3
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
	var wg sync.WaitGroup
	for seed := range uint64(clients) {
		wg.Go(func() { randomCalls(t, c, rand.New(rand.NewPCG(seed, 1)), calls, clusters) })
	}
	wg.Wait()
	if n := c.CallCount("CreateFargateProfile", "DeleteFargateProfile"); n == 0 {
		t.Error("nothing was called")
	}
	checkJournal(t, c)
}

func randomCalls(t *testing.T, c *fake.Cloud, r *rand.Rand, calls, clusters int) {
	t.Helper()
	api := c.EKS()
	for range calls {
		cluster, name := fmt.Sprint("c", r.IntN(clusters)), fmt.Sprint("p", r.IntN(8))
		// Refusals are part of the game; checkJournal judges them all.
		switch r.IntN(4) {
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
		default:
			c.Advance(time.Duration(r.IntN(30)) * time.Second)
		}
	}
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

// checkJournal replays the accepted changes: in one cluster, each must begin
// after the one before has ended.
func checkJournal(t *testing.T, c *fake.Cloud) {
	t.Helper()
	free := map[string]time.Time{}
	used := map[string]bool{}
	for call := range c.Calls() {
		if call.Code != "" {
			continue
		}
		var took time.Duration
		switch call.Operation {
		case "CreateFargateProfile":
			took = 15 * time.Second
			if !used[call.Target.Cluster] {
				took = 90 * time.Second
			}
			used[call.Target.Cluster] = true
		case "DeleteFargateProfile":
			took = 2 * time.Minute
		default:
			continue
		}
		if call.Time.Before(free[call.Target.Cluster]) {
			t.Errorf("call %d: %s of %s was accepted %v before the last change ended",
				call.Number, call.Operation, call.Target.Cluster, free[call.Target.Cluster].Sub(call.Time))
		}
		free[call.Target.Cluster] = call.Time.Add(took)
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
