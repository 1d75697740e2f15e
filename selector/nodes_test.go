// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/selector"
)

func TestLinkNodes(t *testing.T) {
	const node = "fargate-ip-10-0-0-1.eu-west-1.compute.internal"
	on := func(namespace, name, profile string) selector.Placed {
		p := selector.Placed{Pod: selector.Pod{Namespace: namespace, Name: name}, Node: node, Scheduler: selector.FargateScheduler}
		if profile != "" {
			p.Labels = map[string]string{selector.ProfileLabel: profile}
		}
		return p
	}
	byName := selector.Node{Name: node}
	byLabel := selector.Node{Name: "x", Labels: map[string]string{"eks.amazonaws.com/compute-type": "fargate"}}
	for name, c := range map[string]struct {
		node selector.Node
		pods []selector.Placed
		want selector.NodeLink
	}{
		"through its pod": {
			byName,
			[]selector.Placed{on("web", "p", "fp-a")},
			selector.NodeLink{Node: node, Profile: "fp-a", Namespace: "web", Pod: "p", Reason: selector.ReasonLinked},
		},
		"through its pod of the default namespace": {
			byName,
			[]selector.Placed{on("", "p", "fp-a")},
			selector.NodeLink{Node: node, Profile: "fp-a", Namespace: "default", Pod: "p", Reason: selector.ReasonLinked},
		},
		"through the field of its pod": {
			byLabel,
			[]selector.Placed{{Pod: podIn("web"), Node: "x", Profile: "fp-b"}},
			selector.NodeLink{Node: "x", Profile: "fp-b", Namespace: "web", Pod: "p", Reason: selector.ReasonLinked},
		},
		"no pod": {
			byName,
			[]selector.Placed{{Pod: podIn("web"), Node: "another", Profile: "fp-b"}, {Pod: podIn("web"), Profile: "fp-c"}},
			selector.NodeLink{Node: node, Reason: selector.ReasonNoPod},
		},
		"a pod without a profile": {
			byName,
			[]selector.Placed{on("web", "p", ""), on("web", "q", "")},
			selector.NodeLink{Node: node, Namespace: "web", Pod: "p", Reason: selector.ReasonPodWithoutProfile},
		},
		"the pod with a profile counts": {
			byName,
			[]selector.Placed{on("kube-system", "daemon", ""), on("web", "p", "fp-a"), on("web", "q", "fp-a"), on("", "d", "")},
			selector.NodeLink{Node: node, Profile: "fp-a", Namespace: "web", Pod: "p", Reason: selector.ReasonLinked},
		},
		"two profiles": {
			byName,
			[]selector.Placed{on("web", "p", "fp-a"), on("web", "q", "fp-b"), on("web", "r", "fp-b")},
			selector.NodeLink{Node: node, Namespace: "web", Pod: "p", Reason: selector.ReasonSeveralProfiles},
		},
		"a node of EC2": {
			selector.Node{Name: "ip-10-0-0-1.ec2.internal"},
			[]selector.Placed{{Pod: podIn("web"), Node: "ip-10-0-0-1.ec2.internal"}},
			selector.NodeLink{Node: "ip-10-0-0-1.ec2.internal", Reason: selector.ReasonNotFargate},
		},
		"the label comes before the name": {
			selector.Node{Name: node, Labels: map[string]string{"eks.amazonaws.com/compute-type": "ec2"}},
			[]selector.Placed{on("web", "p", "fp-a")},
			selector.NodeLink{Node: node, Reason: selector.ReasonNotFargate},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := selector.LinkNodes([]selector.Node{c.node}, c.pods)
			if diff := cmp.Diff([]selector.NodeLink{c.want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinkNodesKeepsTheOrderOfNodes(t *testing.T) {
	links := selector.LinkNodes([]selector.Node{{Name: "b"}, {Name: "a"}}, nil)
	if len(links) != 2 || links[0].Node != "b" || links[1].Node != "a" {
		t.Errorf("%+v, want b, then a", links)
	}
}
