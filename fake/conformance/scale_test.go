// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package conformance_test

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

// What does DescribeFargateProfile cost in a Cloud of 100,000 profiles, compared
// with smaller ones, and how much memory does a profile take? Clusters are visited
// in an order that no cache foresees.
func TestMeasureScale(t *testing.T) {
	measured(t)
	before := heap()
	large := populated(t, 10_000)
	t.Logf("memory per profile: %d bytes, its share of a cluster included", (heap()-before)/100_000)
	crowds := []*crowd{populated(t, 10), populated(t, 1_000), large}
	for _, way := range []string{"typed client", "SDK in process"} {
		compare(t, way, crowds)
	}
}

// compare alternates between crowds and prints the least that a call took.
func compare(t *testing.T, way string, crowds []*crowd) {
	t.Helper()
	best := make([]time.Duration, len(crowds))
	for range *rounds {
		for i, crowd := range crowds {
			took := crowd.describe(t, crowd.client(way))
			if best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	for i, crowd := range crowds {
		t.Logf("%s, %6d profiles in %5d clusters: %6d ns of CPU time, %.2f of the first",
			way, 10*crowd.clusters, crowd.clusters, best[i].Nanoseconds(), float64(best[i])/float64(best[0]))
	}
}

func (cr *crowd) client(way string) eks.DescribeFargateProfileAPIClient {
	if way == "typed client" {
		return cr.c.EKS()
	}
	return goSDK(cr.c.HTTPClient(), "http://fake.invalid").(goClient).profiles
}

// crowd is a Cloud with many clusters.
type crowd struct {
	c        *fake.Cloud
	clusters int
	next     int
}

// populated makes clusters of ten profiles that are ACTIVE.
func populated(t *testing.T, clusters int) *crowd {
	t.Helper()
	none := fake.Fixed(0)
	c := fake.New(func(o *fake.Options) {
		o.JournalSize = -1
		o.Delays = fake.Delays{CreateFirst: none, Create: none, Busy: none}
	})
	api := c.EKS()
	for i := range clusters {
		name := clusterName(i)
		c.AddCluster(fake.Cluster{Name: name})
		for j := range 10 {
			_, err := api.CreateFargateProfile(t.Context(), &eks.CreateFargateProfileInput{
				ClusterName: &name, FargateProfileName: aws.String(fmt.Sprint("p", j)),
				PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)), Subnets: fake.PrivateSubnetIDs(),
				Selectors: []types.FargateProfileSelector{{Namespace: aws.String("web"), Labels: map[string]string{"app": "x"}}},
				Tags:      map[string]string{"team": "x"},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return &crowd{c: c, clusters: clusters}
}

// clusterName makes a name anew, as whoever calls has it at hand: what is measured
// is what the Cloud has to fetch, not the list of names of this test.
func clusterName(i int) string { return "c" + strconv.Itoa(i) }

// describe returns the CPU time of one call, on the average of many.
func (cr *crowd) describe(t *testing.T, api eks.DescribeFargateProfileAPIClient) time.Duration {
	t.Helper()
	const calls = 10_000
	profile := "p5"
	runtime.GC()
	started := cpuTime(t, 0)
	for range calls {
		cr.next = (cr.next + 7919) % cr.clusters
		cluster := clusterName(cr.next)
		_, err := api.DescribeFargateProfile(t.Context(), &eks.DescribeFargateProfileInput{
			ClusterName: &cluster, FargateProfileName: &profile,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return (cpuTime(t, 0) - started) / calls
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
