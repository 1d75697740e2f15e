// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// eventful has a bit of everything that a snapshot must keep.
func eventful(t *testing.T) *fake.Cloud {
	t.Helper()
	c := twoProfiles(t, func(o *fake.Options) { o.PodsOutliveDeleting = true })
	api := c.EKS()
	c.AddCluster(fake.Cluster{Name: "other", Version: "1.33", Tags: map[string]string{"a": "b"}})
	update := versionInput("1.34")
	update.Name = aws.String("other")
	if _, err := api.UpdateClusterVersion(t.Context(), update); err != nil {
		t.Fatal(err)
	}
	mustDelete(t, api, "a")
	c.BusyCluster("other", time.Hour)
	c.SetAWSAuth("other", []fake.AuthRow{{RoleARN: "r", Groups: []string{"g"}}})
	elsewhere := c.EKS(func(caller *fake.Caller) { caller.Account = "444455556666" })
	if _, err := elsewhere.ListClusters(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	c.Inject(fake.Throttle("DeleteFargateProfile", 3), fake.Fault{Stale: time.Minute, Operation: "ListClusters", Skip: 5})
	if _, err := api.DeleteFargateProfile(t.Context(), deleteInput("b")); err == nil {
		t.Fatal("the fault did not strike")
	}
	if err := c.SetPolicy("arn:aws:iam::111122223333:user/x", policyOf("[]")); err != nil {
		t.Fatal(err)
	}
	return c
}

func snapshotOf(t *testing.T, c *fake.Cloud) []byte {
	t.Helper()
	text, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// history goes on for an hour and writes down all that can be seen.
func history(t *testing.T, c *fake.Cloud) string {
	t.Helper()
	var out strings.Builder
	api := c.EKS()
	for minute := range 60 {
		out.WriteString(placed(c))
		for _, name := range []string{"a", "b", "new"} {
			p, err := api.DescribeFargateProfile(t.Context(), describeInput(name))
			if err == nil {
				out.WriteString(" " + name + ":" + string(p.FargateProfile.Status) + ":" + *p.FargateProfile.FargateProfileArn)
			}
		}
		if minute == 10 {
			out.WriteString(codeOf(second(api.DeleteFargateProfile(t.Context(), deleteInput("b")))))
			out.WriteString(codeOf(create(t, c, api, "new")))
		}
		cluster, err := api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String("other")})
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(" " + string(cluster.Cluster.Status) + *cluster.Cluster.Version + *cluster.Cluster.Endpoint + "\n")
		c.Advance(time.Minute)
	}
	return out.String()
}

func TestRestoredCloudGoesOnAsBefore(t *testing.T) {
	outlive := func(o *fake.Options) { o.PodsOutliveDeleting = true }
	original := eventful(t)
	text := snapshotOf(t, original)
	if again := snapshotOf(t, original); !bytes.Equal(text, again) {
		t.Error("two snapshots of one state differ")
	}
	restored := fake.New(outlive, func(o *fake.Options) {
		o.Empty = true
		o.Now = func() time.Time { return time.Unix(0, 0) } // another clock
	})
	if err := restored.Restore(text); err != nil {
		t.Fatal(err)
	}
	if got, want := restored.Now(), original.Now(); !got.Equal(want) {
		t.Errorf("time %v, want %v", got, want)
	}
	if again := snapshotOf(t, restored); !bytes.Equal(text, again) {
		t.Errorf("the restored state differs:\n%s", cmp.Diff(string(text), string(again)))
	}
	if diff := cmp.Diff(history(t, original), history(t, restored)); diff != "" {
		t.Errorf("the restored Cloud goes another way (-original +restored):\n%s", diff)
	}
	x := restored.EKS(func(caller *fake.Caller) { caller.ARN = "arn:aws:iam::111122223333:user/x" })
	if _, err := x.ListFargateProfiles(t.Context(), &eks.ListFargateProfilesInput{ClusterName: aws.String("demo")}); err == nil {
		t.Error("the policy was not restored")
	}
}

func TestSnapshotsThatCannotBeRestored(t *testing.T) {
	good := string(snapshotOf(t, eventful(t)))
	cases := map[string]string{
		"nothing":              "",
		"another version":      strings.Replace(good, `"version":1`, `"version":2`, 1),
		"no version":           "{}",
		"wrong chance":         strings.Replace(good, `"random":"`, `"random":"AAAA`, 1),
		"a hole in a map":      strings.Replace(good, `"Profiles":{`, `"Profiles":{"x":null,`, 1),
		"a hole in a list":     strings.Replace(good, `"Updates":[`, `"Updates":[null,`, 1),
		"a member misplaced":   strings.Replace(good, `"Regions":{`, `"Regions":[`, 1),
		"a cluster without":    strings.Replace(good, `"Clusters":{`, `"Clusters":{"x":{},`, 1),
		"a wrong type":         strings.Replace(good, `"Roles":{`, `"Roles":7,"x":{`, 1),
		"a policy of nonsense": strings.Replace(good, `"policies":{`, `"policies":{"x":"[",`, 1),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			c := eventful(t)
			before := snapshotOf(t, c)
			if err := c.Restore([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "restoring the fake: ") {
				t.Errorf("error %v", err)
			}
			if !bytes.Equal(before, snapshotOf(t, c)) {
				t.Error("the failed Restore has changed the Cloud")
			}
		})
	}
}

func TestSnapshotTooFarInTheFuture(t *testing.T) {
	c := fake.New(func(o *fake.Options) {
		o.Now = func() time.Time { return time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC) }
	})
	if _, err := c.Snapshot(); err == nil {
		t.Error("JSON has no time in the year 10000")
	}
}

func TestResetIsANewCloud(t *testing.T) {
	c := eventful(t)
	c.Before(1, func() { t.Error("Reset has left a plan") })
	c.Chaos(fake.ChaosOptions{Throttle: 1})
	c.Reset()
	fresh := fake.New(atRest, func(o *fake.Options) { o.PodsOutliveDeleting = true })
	if got, want := snapshotOf(t, c), snapshotOf(t, fresh); !bytes.Equal(got, want) {
		t.Errorf("after Reset:\n%s", cmp.Diff(string(want), string(got)))
	}
	if n := c.CallCount(); n != 0 {
		t.Errorf("%d calls in the journal", n)
	}
	if got := pattern(t, c, 3); got != "..." {
		t.Errorf("struck %s", got)
	}
}

// Whatever a snapshot holds, reading it fails or leaves a Cloud that answers.
func FuzzRestore(f *testing.F) {
	c := fake.New(atRest)
	if text, err := c.Snapshot(); err == nil {
		f.Add(text)
	}
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := fake.New(atRest)
		if err := c.Restore(text); err != nil {
			return
		}
		mustAnswer(t, c)
		if again, err := c.Snapshot(); err == nil && !json.Valid(again) {
			t.Errorf("snapshot %s", again)
		}
	})
}

// mustAnswer makes calls that look at everything; none may panic.
func mustAnswer(t *testing.T, c *fake.Cloud) {
	t.Helper()
	api := c.EKS()
	for range 2 {
		_ = create(t, c, api, "web")
		_ = listedOrNil(t, api)
		_, _ = api.ListClusters(t.Context(), nil)
		_, _ = api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
		_, _ = api.DescribeFargateProfile(t.Context(), describeInput("web"))
		_, _ = api.ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: aws.String(fake.ClusterName)})
		_, _ = api.ListAccessEntries(t.Context(), &eks.ListAccessEntriesInput{ClusterName: aws.String(fake.ClusterName)})
		_, _ = c.RunPod(fake.Pod{Namespace: "web", Name: "p"})
		_, _ = api.DeleteFargateProfile(t.Context(), deleteInput("web"))
		_, _ = c.Pods(), c.Events()
		c.Advance(time.Hour)
	}
}

func listedOrNil(t *testing.T, api eksAPI) []string {
	t.Helper()
	out, err := api.ListFargateProfiles(t.Context(), &eks.ListFargateProfilesInput{ClusterName: aws.String(fake.ClusterName)})
	if err != nil {
		return nil
	}
	return out.FargateProfileNames
}

// Damage to any part of a snapshot makes Restore fail, or leaves a Cloud that
// answers.
func TestRestoreOfDamagedSnapshots(t *testing.T) {
	good := snapshotOf(t, eventful(t))
	restored := 0
	for seed := range uint64(400) {
		var tree any
		if err := json.Unmarshal(good, &tree); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for range 1 + r.IntN(3) {
			tree = damaged(r, tree)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		c := fake.New(atRest)
		if c.Restore(text) == nil {
			restored++
			mustAnswer(t, c)
		}
	}
	if restored < 50 {
		t.Errorf("%d of 400 were restored: the damage is too great to show anything", restored)
	}
}

// damaged replaces one part of a tree, near or far from its root.
func damaged(r *rand.Rand, tree any) any {
	if r.IntN(12) == 0 {
		return []any{nil, "", "x", 0.0, -1.0, true, []any{}, []any{nil}, map[string]any{}}[r.IntN(9)]
	}
	switch node := tree.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(node))
		if len(keys) > 0 {
			key := keys[r.IntN(len(keys))]
			node[key] = damaged(r, node[key])
		}
	case []any:
		if len(node) > 0 {
			i := r.IntN(len(node))
			node[i] = damaged(r, node[i])
		}
	}
	return tree
}
