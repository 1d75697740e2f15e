// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/selector"

	peer "github.com/eksfargate/eksfargate/internal/bench/selector"
)

// cluster has 10 profiles of 5 selectors of 5 labels, wildcards in namespaces,
// keys and values, and pods that match early, late, twice and never.
func cluster() ([]selector.Profile, []selector.Pod) {
	var profiles []selector.Profile
	for p := range 10 {
		profile := selector.Profile{Name: fmt.Sprintf("fp-%d", p)}
		for s := range 5 {
			namespace := fmt.Sprintf("prod-%d", p)
			if s%2 == 0 {
				namespace = fmt.Sprintf("*-%d*", p)
			}
			profile.Selectors = append(profile.Selectors, selector.Selector{Namespace: namespace, Labels: map[string]string{
				"app": fmt.Sprintf("app-%d*", p), "tier": "*-tier", "team?": fmt.Sprintf("t%d", s),
				"eks*/name": "n*e", "stage": "prod",
			}})
		}
		profiles = append(profiles, profile)
	}
	return profiles, []selector.Pod{
		pod("prod-0", 0, 0), pod("stage-9-x", 9, 4), pod("prod-5", 5, 5), pod("default", 1, 1), pod("a-3-b", 3, 2),
	}
}

func pod(namespace string, p, s int) selector.Pod {
	return selector.Pod{Namespace: namespace, Name: "p", Labels: map[string]string{
		"app": fmt.Sprintf("app-%d-x", p), "tier": "front-tier", "team1": fmt.Sprintf("t%d", s),
		"eks.amazonaws.com/name": "name", "stage": "prod",
	}}
}

func both(tb testing.TB) (*selector.Matcher, *peer.Peer, []selector.Pod) {
	tb.Helper()
	profiles, pods := cluster()
	ours, err := selector.Compile(profiles...)
	if err != nil {
		tb.Fatal(err)
	}
	return ours, peer.NewPeer(profiles...), pods
}

func TestBothAgree(t *testing.T) {
	ours, theirs, pods := both(t)
	matched := 0
	for _, p := range pods {
		got := ours.Match(p)
		profile, ambiguous := theirs.Match(p)
		if got.Profile != profile || got.Ambiguous != ambiguous {
			t.Errorf("%+v: ours says %+v, the peer %q, %v", p, got, profile, ambiguous)
		}
		if profile != "" {
			matched++
		}
	}
	if matched == 0 || matched == len(pods) {
		t.Errorf("%d of %d pods match: the comparison is one-sided", matched, len(pods))
	}
}

// BenchmarkMatch takes turns, and counts the fastest turn of each: the others
// tell more about what else the machine was doing.
func BenchmarkMatch(b *testing.B) {
	ours, theirs, pods := both(b)
	us, them := time.Hour, time.Hour
	for b.Loop() {
		us = min(us, turn(pods, func(p selector.Pod) { ours.Match(p) }))
		them = min(them, turn(pods, func(p selector.Pod) { theirs.Match(p) }))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(us.Nanoseconds()), "ours-ns/match")
	b.ReportMetric(float64(them.Nanoseconds()), "peer-ns/match")
	b.ReportMetric(float64(them)/float64(us), "times-faster")
}

// turn is the mean time of one match.
func turn(pods []selector.Pod, match func(selector.Pod)) time.Duration {
	const rounds = 20
	start := time.Now()
	for range rounds {
		for _, p := range pods {
			match(p)
		}
	}
	return time.Since(start) / time.Duration(rounds*len(pods))
}
