// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fake"
)

// listAll follows the tokens and returns the pages.
func listAll(t interface{ Fatal(...any) }, api *fake.EKS, size int32) [][]string {
	var pages [][]string
	in := &eks.ListClustersInput{MaxResults: &size}
	for range 1000 {
		out, err := api.ListClusters(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, out.Clusters)
		if out.NextToken == nil {
			return pages
		}
		in.NextToken = out.NextToken
	}
	t.Fatal("the list does not end")
	return nil
}

func TestPagesHoldEveryNameOnce(t *testing.T) {
	orders := []fake.ListOrder{fake.ListSorted, fake.ListCreated, fake.ListShuffled}
	rapid.Check(t, func(t *rapid.T) {
		c := fake.New(func(o *fake.Options) {
			o.Empty = true
			o.ListOrder = rapid.SampledFrom(orders).Draw(t, "order")
			o.EmptyFirstPage = rapid.Bool().Draw(t, "empty first page")
			o.PageSize = rapid.IntRange(0, 7).Draw(t, "page size")
		})
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,3}`), 0, 20, rapid.ID).Draw(t, "names")
		for _, name := range names {
			c.AddCluster(fake.Cluster{Name: name})
			c.Advance(time.Second)
		}
		size := rapid.Int32Range(1, 100).Draw(t, "maxResults")
		got := slices.Concat(listAll(t, c.EKS(), size)...)
		if !slices.Equal(sorted(names), sorted(got)) {
			t.Fatalf("listed %v, want %v", got, names)
		}
	})
}

func TestListOrders(t *testing.T) {
	list := func(order fake.ListOrder, seed uint64) []string {
		c := fake.New(func(o *fake.Options) { o.Empty, o.ListOrder, o.Seed = true, order, seed })
		for i := range 9 {
			c.AddCluster(fake.Cluster{Name: fmt.Sprint("c", 9-i)})
			c.Advance(time.Second)
		}
		return slices.Concat(listAll(t, c.EKS(), 2)...)
	}
	byName, byTime := list(fake.ListSorted, 0), list(fake.ListCreated, 0)
	if !slices.IsSorted(byName) {
		t.Errorf("sorted: %v", byName)
	}
	slices.Reverse(byTime)
	if !slices.Equal(byName, byTime) {
		t.Errorf("created: %v is not the order of creation", byTime)
	}
	shuffled := list(fake.ListShuffled, 1)
	if slices.Equal(shuffled, byName) || slices.Equal(shuffled, list(fake.ListShuffled, 2)) {
		t.Errorf("shuffled: %v does not depend on the seed", shuffled)
	}
	if !slices.Equal(shuffled, list(fake.ListShuffled, 1)) {
		t.Error("shuffled: the same seed gives another order")
	}
}

// A name that goes away between two pages must not hide another.
func TestPagingGoesOnWhileNamesGo(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		for _, name := range []string{"a", "b", "c"} {
			mustCreate(t, c, api, name)
			c.Advance(time.Hour)
		}
		in := &eks.ListFargateProfilesInput{ClusterName: aws.String(fake.ClusterName), MaxResults: aws.Int32(2)}
		first, err := api.ListFargateProfiles(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		mustDelete(t, api, "b")
		c.Advance(time.Hour)
		in.NextToken = first.NextToken
		second, err := api.ListFargateProfiles(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(second.FargateProfileNames, []string{"c"}) || second.NextToken != nil {
			t.Errorf("second page %v, token %v", second.FargateProfileNames, second.NextToken)
		}
	})
}

func TestProfileStaysListedUntilItIsGone(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		in := &eks.ListFargateProfilesInput{ClusterName: aws.String(fake.ClusterName)}
		wantNames := func(want ...string) {
			t.Helper()
			out, err := api.ListFargateProfiles(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(out.FargateProfileNames, want) {
				t.Errorf("listed %v, want %v", out.FargateProfileNames, want)
			}
		}
		wantNames()
		mustCreate(t, c, api, "web")
		wantNames("web")
		c.Advance(time.Hour)
		mustDelete(t, api, "web")
		wantNames("web")
		c.Advance(time.Hour)
		wantNames()
	})
}

func TestPagingRefusals(t *testing.T) {
	cases := map[string]struct {
		input   eks.ListFargateProfilesInput
		message string
	}{
		"more than 100": {
			eks.ListFargateProfilesInput{MaxResults: aws.Int32(101)},
			"maxResults must be between 1 and 100, but it is 101.",
		},
		"less than 1": {
			eks.ListFargateProfilesInput{MaxResults: aws.Int32(0)},
			"maxResults must be between 1 and 100, but it is 0.",
		},
		"a token of nobody": {
			eks.ListFargateProfilesInput{NextToken: aws.String("x!")},
			`The nextToken "x!" is not valid.`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				in := tc.input
				in.ClusterName = aws.String(fake.ClusterName)
				_, err := e.api.ListFargateProfiles(e.t.Context(), &in)
				wantError(e.t, err, "InvalidParameterException", 400, tc.message)
			})
		})
	}
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }
