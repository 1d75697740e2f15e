// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"maps"
	"time"
)

const (
	// ProfileLabel is the label that names a Fargate profile. On a pod template
	// it pins the pod to that profile. On a pod that runs on Fargate it says
	// where the pod is, since EKS sets it when it places a pod.
	// Source: EKS user guide, "Define which Pods use AWS Fargate when launched".
	ProfileLabel = "eks.amazonaws.com/fargate-profile"

	// ComputeTypeAnnotation is the annotation by which a pod opts out of
	// Fargate, if its value is exactly [ComputeTypeEC2]. EKS ships CoreDNS with
	// it. On a node it is a label; see [Node].
	// Source: EKS user guide, "Get started with AWS Fargate for your cluster".
	ComputeTypeAnnotation = "eks.amazonaws.com/compute-type"

	// ComputeTypeEC2 is the value of [ComputeTypeAnnotation] that opts out. Any
	// other value, in any other case, doesn't.
	ComputeTypeEC2 = "ec2"

	// ComputeTypeFargate is the value that EKS gives to the label of that name
	// on a Fargate node.
	ComputeTypeFargate = "fargate"

	// FargateScheduler is the scheduler of every pod that EKS places on Fargate.
	FargateScheduler = "fargate-scheduler"

	defaultNamespace = "default"
)

// Pod is what EKS sees of a pod when it is created: the metadata of a template.
// An empty Namespace means "default". Name only serves to tell pods apart.
type Pod struct {
	Namespace   string            `json:"namespace"`
	Name        string            `json:"name,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Placed is a pod that exists, or one that is about to be created if Scheduler,
// Node, Profile and Created are all zero.
type Placed struct {
	Pod

	// Scheduler is spec.schedulerName; EKS sets [FargateScheduler].
	Scheduler string `json:"scheduler,omitempty"`
	// Node is spec.nodeName, empty while the pod waits for a node.
	Node string `json:"node,omitempty"`
	// Profile is the Fargate profile the pod runs on. If it is empty, the pod's
	// [ProfileLabel] says it.
	Profile string `json:"profile,omitempty"`
	// Created is when the pod was created; zero is unknown.
	Created time.Time `json:"created,omitzero"`
	// Template is what the pod was made from and will be made from again. Only
	// the template tells a pin from the label that EKS has set: with nil, the
	// label of a pod on Fargate is taken for EKS's own.
	Template *Pod `json:"template,omitempty"`
}

// exists reports whether the pod was created already.
func (p Placed) exists() bool {
	return p.Scheduler != "" || p.Node != "" || p.Profile != "" || !p.Created.IsZero()
}

// OnProfile returns the profile that the pod is on, and empty for none: what
// Profile says, or else the label that EKS has set.
func (p Placed) OnProfile() string {
	profile, _ := p.origin()
	return profile
}

// origin returns the profile that the pod is on, if any, and what it is made
// from.
func (p Placed) origin() (profile string, template Pod) {
	profile = p.Profile
	if profile == "" && p.exists() && (p.Scheduler == "" || p.Scheduler == FargateScheduler) {
		profile = p.Labels[ProfileLabel]
	}
	switch {
	case p.Template != nil:
		template = *p.Template
		template.Namespace = cmp.Or(template.Namespace, p.Namespace)
	case profile != "":
		template = p.Pod
		template.Labels = maps.Clone(p.Labels)
		delete(template.Labels, ProfileLabel)
	default:
		template = p.Pod
	}
	return profile, template
}

// pin returns the profile that the pod's label asks for.
func (p Pod) pin() (name string, pinned bool) {
	name, pinned = p.Labels[ProfileLabel]
	return name, pinned
}

func (p Pod) optedOut() bool {
	return p.Annotations[ComputeTypeAnnotation] == ComputeTypeEC2
}

// namespaceOf is namespace as Kubernetes reads it: "An empty namespace is
// equivalent to the default namespace" (Kubernetes API, ObjectMeta).
func namespaceOf(namespace string) string {
	if namespace == "" {
		return defaultNamespace
	}
	return namespace
}
