// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// wide has room for a placement test, and no hidden waiting.
func wide(o *fake.Options) {
	atRest(o)
	zero := fake.Fixed(0)
	o.Delays = fake.Delays{CreateFirst: zero, Create: zero, Busy: zero, Delete: zero, StartPod: zero}
}

// activate makes a profile with one selector, ACTIVE.
func activate(t *testing.T, c *fake.Cloud, name, namespace string, labels map[string]string) {
	t.Helper()
	err := create(t, c, c.EKS(), name, func(in *eks.CreateFargateProfileInput) {
		in.Selectors = []types.FargateProfileSelector{{Namespace: aws.String(namespace), Labels: labels}}
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Hour)
}

func run(t *testing.T, c *fake.Cloud, p fake.Pod) fake.PodStatus {
	t.Helper()
	status, err := c.RunPod(p)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestPodGetsItsNodeInTime(t *testing.T) {
	c := fake.New(atRest)
	activate(t, c, "a", "web", nil)
	begin := c.Now()
	run(t, c, fake.Pod{Namespace: "web", Name: "p"})
	c.Advance(44 * time.Second)
	if p := c.Pods()[0]; p.Node != "" || p.Pending != 44*time.Second || !p.Started.IsZero() {
		t.Errorf("after 44 s: %+v", p)
	}
	if n := len(c.Events()); n != 1 {
		t.Errorf("%d events before the pod has a node", n)
	}
	c.Advance(time.Minute)
	p := c.Pods()[0]
	if p.Node == "" || p.Pending != 45*time.Second || !p.Started.Equal(begin.Add(45*time.Second)) || !p.Created.Equal(begin) {
		t.Errorf("after 104 s: %+v", p)
	}
	want := []fake.PodEvent{
		{
			Time: begin, Cluster: "demo", Namespace: "web", Pod: "p", Type: "Warning", Reason: "LoggingDisabled",
			From:    "fargate-scheduler",
			Message: `Disabled logging because aws-logging configmap was not found. configmap "aws-logging" not found`,
		},
		{
			Time: begin.Add(45 * time.Second), Cluster: "demo", Namespace: "web", Pod: "p", Type: "Normal", Reason: "Scheduled",
			From: "fargate-scheduler", Message: "Successfully assigned web/p to " + p.Node,
		},
	}
	if diff := cmp.Diff(want, c.Events()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// EKS looks at a pod once: a profile that comes later does not help it.
func TestScenario_B68_PodsThatAreOlderThanTheirProfile(t *testing.T) {
	c := fake.New(atRest)
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(89 * time.Second)
	run(t, c, fake.Pod{Namespace: "web", Name: "early"})
	c.Advance(time.Second)
	run(t, c, fake.Pod{Namespace: "web", Name: "late"})
	c.Advance(time.Hour)
	pods := c.Pods()
	if pods[0].Profile != "" || pods[0].Pending != time.Hour+time.Second || pods[1].Profile != "web" {
		t.Errorf("pods %+v", pods)
	}
	if pods[0].Labels[fake.ProfileLabel] != "" {
		t.Errorf("labels %v", pods[0].Labels)
	}
	again, err := c.RecreatePod(fake.Pod{Namespace: "web", Name: "early"})
	if err != nil || again.Profile != "web" || again.Name != "early" {
		t.Errorf("recreated %+v, error %v", again, err)
	}
	events := c.Events()
	if first := events[0]; first.Reason != "FailedScheduling" || first.From != "default-scheduler" ||
		first.Message != "no nodes available to schedule pods" {
		t.Errorf("first event %+v", first)
	}
	run(t, c, fake.Pod{Namespace: "api", Name: "p"})
	events = c.Events()
	want := "0/1 nodes are available: 1 node(s) had untolerated taint {eks.amazonaws.com/compute-type: fargate}."
	if last := events[len(events)-1]; last.Message != want {
		t.Errorf("last event %+v, want %s", last, want)
	}
}

func TestActiveProfileThatIsNotKnownYet(t *testing.T) {
	c := fake.New(atRest, func(o *fake.Options) { o.Delays.Known = fake.Fixed(30 * time.Second) })
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(119 * time.Second)
	if got := mustDescribe(t, c.EKS(), "web").Status; got != types.FargateProfileStatusActive {
		t.Fatalf("status %s", got)
	}
	if p := run(t, c, fake.Pod{Namespace: "web", Name: "early"}); p.Profile != "" {
		t.Errorf("29 s after ACTIVE: profile %s", p.Profile)
	}
	c.Advance(time.Second)
	if p := run(t, c, fake.Pod{Namespace: "web", Name: "late"}); p.Profile != "web" {
		t.Error("30 s after ACTIVE the profile is unknown")
	}
}

// twoProfiles has pods on "a", which matches the same as "b", and one of a
// namespace that only "a" covers.
func twoProfiles(t *testing.T, optFns ...func(*fake.Options)) *fake.Cloud {
	t.Helper()
	c := fake.New(append([]func(*fake.Options){atRest}, optFns...)...)
	err := create(t, c, c.EKS(), "a", func(in *eks.CreateFargateProfileInput) {
		in.Selectors = []types.FargateProfileSelector{{Namespace: aws.String("web")}, {Namespace: aws.String("only-a")}}
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Hour)
	activate(t, c, "b", "web", nil)
	run(t, c, fake.Pod{Namespace: "web", Name: "moves", Replicated: true})
	run(t, c, fake.Pod{Namespace: "only-a", Name: "orphaned", Replicated: true})
	run(t, c, fake.Pod{Namespace: "web", Name: "bare"})
	c.Advance(time.Hour)
	return c
}

// placed writes the pods as name:profile.
func placed(c *fake.Cloud) string {
	var out []string
	for _, p := range c.Pods() {
		out = append(out, p.Name+":"+p.Profile)
	}
	return strings.Join(out, " ")
}

func TestScenario_B20_PodsEndWithTheirProfile(t *testing.T) {
	c := twoProfiles(t)
	if got := placed(c); got != "moves:a orphaned:a bare:a" {
		t.Fatal(got)
	}
	begin := c.Now()
	mustDelete(t, c.EKS(), "a")
	if got := placed(c); got != "moves-4:b orphaned-5:" {
		t.Errorf("when the deletion begins: %s", got)
	}
	c.Advance(time.Hour)
	if got := placed(c); got != "moves-4:b orphaned-5:" {
		t.Errorf("an hour later: %s", got)
	}
	want := fake.PodStats{
		Made: 5, EndedByProfiles: 3,
		Pending:   3*45*time.Second + 45*time.Second + time.Hour,
		Unmatched: []fake.UnmatchedPods{{Since: begin, Pods: 1}},
	}
	if diff := cmp.Diff(want, c.PodStats(fake.ClusterName)); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	activate(t, c, "c", "only-a", nil)
	if got := placed(c); got != "moves-4:b orphaned-5:" {
		t.Errorf("with a new profile: %s", got)
	}
	if !c.DeletePod(fake.Pod{Namespace: "only-a", Name: "orphaned-5"}) {
		t.Error("the pod was not there")
	}
	if got := placed(c); got != "moves-4:b orphaned-6:c" {
		t.Errorf("after the pod was deleted: %s", got)
	}
	if got := c.PodStats("").Unmatched; len(got) != 2 || got[1].Pods != 0 {
		t.Errorf("unmatched %v", got)
	}
}

func TestPodsThatOutliveDeleting(t *testing.T) {
	outlive := func(o *fake.Options) { o.PodsOutliveDeleting = true }
	c := twoProfiles(t, outlive)
	mustDelete(t, c.EKS(), "a")
	if p := run(t, c, fake.Pod{Namespace: "web", Name: "new"}); p.Profile != "b" {
		t.Errorf("a new pod went to %q, but only b is ACTIVE", p.Profile)
	}
	c.Advance(119 * time.Second)
	if got := placed(c); got != "moves:a orphaned:a bare:a new:b" {
		t.Errorf("while DELETING: %s", got)
	}
	c.Advance(time.Hour)
	if got := placed(c); got != "new:b moves-5:b orphaned-6:" {
		t.Errorf("in the end: %s", got)
	}
	if p := c.Pods()[2]; p.Pending != time.Hour-time.Second {
		t.Errorf("Pending for %v", p.Pending)
	}

	failing := twoProfiles(t, outlive)
	failing.Inject(fake.Fault{Operation: "DeleteFargateProfile", Outcome: fake.FailAfter(0, "InternalFailure", "")})
	mustDelete(t, failing.EKS(), "a")
	failing.Advance(time.Hour)
	if got := placed(failing); got != "moves:a orphaned:a bare:a" {
		t.Errorf("after a failed deletion: %s", got)
	}
}

// Successors are placed at their time, whenever somebody looks.
func TestPodsDoNotDependOnWhoLooks(t *testing.T) {
	run := func(looks bool) string {
		c := twoProfiles(t, func(o *fake.Options) { o.PodsOutliveDeleting = true })
		mustDelete(t, c.EKS(), "a")
		for range 10 {
			if looks {
				placed(c)
			}
			c.Advance(20 * time.Second)
		}
		mustDelete(t, c.EKS(), "b")
		for range 10 {
			if looks {
				placed(c)
			}
			c.Advance(20 * time.Second)
		}
		return placed(c)
	}
	if seen, unseen := run(true), run(false); seen != unseen || seen != "orphaned-5: moves-6:" {
		t.Errorf("with looks %q, without %q", seen, unseen)
	}
}

func TestPodsThatCannotBeMade(t *testing.T) {
	c := fake.New(wide)
	run(t, c, fake.Pod{Name: "p"})
	for name, p := range map[string]fake.Pod{
		"a name that is taken":          {Name: "p", Namespace: "default"},
		"no name":                       {},
		"a cluster that does not exist": {Name: "q", Cluster: "none"},
	} {
		if _, err := c.RunPod(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, p := range []fake.Pod{{Name: "none"}, {Name: "p", Cluster: "none"}} {
		if _, err := c.RecreatePod(p); err == nil {
			t.Errorf("recreated %+v", p)
		}
		if c.DeletePod(p) {
			t.Errorf("deleted %+v", p)
		}
	}
	if stats := c.PodStats("none"); stats.Made != 0 {
		t.Errorf("stats of no cluster %+v", stats)
	}
	// The other namespace has room for the name.
	run(t, c, fake.Pod{Name: "p", Namespace: "other"})
}

func TestPodsShareNothingWithTheirMaker(t *testing.T) {
	c := fake.New(wide)
	activate(t, c, "a", "*", nil)
	labels := map[string]string{"app": "x"}
	status := run(t, c, fake.Pod{Name: "p", Labels: labels})
	labels["app"], status.Labels["app"], status.Template.Labels["app"] = "1", "2", "3"
	if got := c.Pods()[0]; got.Labels["app"] != "x" || got.Template.Labels["app"] != "x" {
		t.Errorf("labels %v, template %v", got.Labels, got.Template.Labels)
	}
}

// A deleted pod takes its future events with it, and a cluster that is replaced
// takes its pods.
func TestPodsThatGo(t *testing.T) {
	c := fake.New(atRest)
	activate(t, c, "a", "*", nil)
	run(t, c, fake.Pod{Name: "p"})
	c.Advance(time.Second)
	c.DeletePod(fake.Pod{Name: "p"})
	c.Advance(time.Hour)
	if events := c.Events(); len(events) != 1 || events[0].Reason != "LoggingDisabled" {
		t.Errorf("events %+v", events)
	}
	if got := c.PodStats("demo").Pending; got != time.Second {
		t.Errorf("Pending for %v", got)
	}
	run(t, c, fake.Pod{Name: "q"})
	c.AddCluster(fake.Cluster{Name: fake.ClusterName})
	if pods := c.Pods(); len(pods) != 0 {
		t.Errorf("pods %+v in a new cluster", pods)
	}
}

// How long a replacement leaves pods without a place is a question to PodStats.
func TestReplacementOrderShowsInPendingTime(t *testing.T) {
	pending := func(createFirst bool) (total time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			c := fake.New()
			api := c.EKS()
			mustCreate(t, c, api, "b")
			time.Sleep(time.Hour)
			run(t, c, fake.Pod{Namespace: "web", Name: "p", Replicated: true})
			time.Sleep(time.Hour)
			if createFirst {
				mustCreate(t, c, api, "a")
				time.Sleep(time.Hour)
			}
			mustDelete(t, api, "b")
			time.Sleep(time.Hour)
			total = c.PodStats(fake.ClusterName).Pending
		})
		return total
	}
	if got := []time.Duration{pending(true), pending(false)}; !slices.Equal(got, []time.Duration{90 * time.Second, 45*time.Second + time.Hour}) {
		t.Errorf("Pending for %v with and without a successor", got)
	}
}
