// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "strings"

// Node is what linking needs to know of a Kubernetes node.
type Node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

// fargateNodePrefix begins the name of every Fargate node; the rest is made from
// the pod's address.
const fargateNodePrefix = "fargate-"

// IsFargate reports whether the node is one of Fargate: its label
// eks.amazonaws.com/compute-type is fargate or, without that label, its name
// begins as those of Fargate nodes do.
func (n Node) IsFargate() bool {
	if kind, labelled := n.Labels[ComputeTypeAnnotation]; labelled {
		return kind == ComputeTypeFargate
	}
	return strings.HasPrefix(n.Name, fargateNodePrefix)
}

// Why a node is, or isn't, linked to a profile: the reasons of a [NodeLink].
const (
	// ReasonLinked: the node's pod says which profile it is.
	ReasonLinked Reason = "Linked"
	// ReasonNotFargate: the node isn't one of Fargate.
	ReasonNotFargate Reason = "NotFargate"
	// ReasonNoPod: none of the pods is on the node.
	ReasonNoPod Reason = "NoPod"
	// ReasonPodWithoutProfile: the pod on the node has no profile label.
	ReasonPodWithoutProfile Reason = "PodWithoutProfile"
	// ReasonSeveralProfiles: pods of several profiles say that they are on the
	// node. That can't be, so the lists of pods and nodes don't belong together.
	ReasonSeveralProfiles Reason = "SeveralProfiles"
)

// NodeLink says which profile a node belongs to.
type NodeLink struct {
	Node string `json:"node"`
	// Profile is empty unless Reason is [ReasonLinked].
	Profile string `json:"profile,omitempty"`
	// Namespace and Pod name the pod on the node, the first given of several.
	Namespace string `json:"namespace,omitempty"`
	Pod       string `json:"pod,omitempty"`
	Reason    Reason `json:"reason"`
}

// LinkNodes says for each node which profile it belongs to, in the order of
// nodes. A Fargate node doesn't say it itself: it has no such label, and it isn't
// a resource of EKS. But it runs one pod, which names its node and its profile.
func LinkNodes(nodes []Node, pods []Placed) []NodeLink {
	byNode := make(map[string][]Placed, len(nodes))
	for _, p := range pods {
		byNode[p.Node] = append(byNode[p.Node], p)
	}
	links := make([]NodeLink, len(nodes))
	for i, n := range nodes {
		links[i] = NodeLink{Node: n.Name, Reason: ReasonNotFargate}
		if n.IsFargate() {
			links[i].follow(byNode[n.Name])
		}
	}
	return links
}

// follow fills in what the pods on the node say.
func (l *NodeLink) follow(pods []Placed) {
	l.Reason = ReasonNoPod
	for _, p := range pods {
		profile, _ := p.origin()
		switch {
		case l.Profile == "" && profile != "":
			l.Namespace, l.Pod = namespaceOf(p.Namespace), p.Name
			l.Profile, l.Reason = profile, ReasonLinked
		case profile != "" && profile != l.Profile:
			l.Profile, l.Reason = "", ReasonSeveralProfiles
			return
		case l.Reason == ReasonNoPod:
			l.Namespace, l.Pod = namespaceOf(p.Namespace), p.Name
			l.Reason = ReasonPodWithoutProfile
		}
	}
}
