// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Pod is a pod as its creator writes it.
type Pod struct {
	// Cluster is the cluster in the Cloud's region; "" means ClusterName.
	Cluster string `json:"cluster,omitempty"`
	// Namespace is the namespace; "" means default.
	Namespace string `json:"namespace,omitempty"`
	// Name is the name, unique in the namespace.
	Name string `json:"name"`
	// Labels are the labels. ProfileLabel asks for one profile by name.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations are the annotations. ComputeTypeAnnotation with the value ec2
	// keeps the pod off Fargate.
	Annotations map[string]string `json:"annotations,omitempty"`
	// Replicated is true for a pod that a controller makes again, under another
	// name, whenever it ends.
	Replicated bool `json:"replicated,omitempty"`
	// Unsupported is what the pod wants and Fargate cannot give. Such a pod is
	// given to a profile and stays Pending, with an event that says why.
	Unsupported Unsupported `json:"unsupported,omitzero"`
}

// The label and the annotation that EKS looks at.
const (
	ProfileLabel          = "eks.amazonaws.com/fargate-profile"
	ComputeTypeAnnotation = "eks.amazonaws.com/compute-type"
)

// The schedulers that a pod can be given to. The fake has no node for the
// default one: its pods stay Pending.
const (
	FargateScheduler = "fargate-scheduler"
	DefaultScheduler = "default-scheduler"
)

// PodStatus is a pod that exists.
type PodStatus struct {
	// Pod is the pod, with the label that was set at its creation.
	Pod
	// Template is the pod as its creator wrote it.
	Template Pod
	// Scheduler is who the pod was given to at its creation, for good.
	Scheduler string
	// Profile is the profile that it was given to, "" for none.
	Profile string
	// Node is its node, which it has for itself; "" while it is Pending.
	Node string
	// Created is when it was made, and Started when it got its node: the zero
	// time while it is Pending.
	Created, Started time.Time
	// Pending is how long it has been without a node, so far or in all.
	Pending time.Duration
}

// RunPod makes a pod. EKS decides once and for all, at this moment, which of the
// profiles that are ACTIVE it belongs to: the first by name of those with a
// selector that matches. A pod that matches none is given to the default
// scheduler and is never looked at again: see RecreatePod.
func (c *Cloud) RunPod(p Pod) (PodStatus, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, cl, err := c.podCluster(p)
	if err != nil {
		return PodStatus{}, err
	}
	p = p.withDefaults()
	switch {
	case p.Name == "":
		return PodStatus{}, fmt.Errorf("running a pod in namespace %s: it has no name", p.Namespace)
	case cl.Pods.find(p) != nil:
		return PodStatus{}, fmt.Errorf("running pod %s/%s: the name is taken", p.Namespace, p.Name)
	}
	return t.podStatus(t.startPod(cl, p, p.Name, t.now)), nil
}

// DeletePod ends the pod of this cluster, namespace and name. If it is
// Replicated, another takes its place. It reports whether the pod was there.
func (c *Cloud) DeletePod(p Pod) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, cl, err := c.podCluster(p)
	if err != nil {
		return false
	}
	old := cl.Pods.find(p.withDefaults())
	if old != nil {
		t.endPod(cl, old, t.now)
	}
	return old != nil
}

// RecreatePod ends the pod of this cluster, namespace and name, and makes it
// again from its template, under the same name: what people do with a pod that
// was made before its profile.
func (c *Cloud) RecreatePod(p Pod) (PodStatus, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, cl, err := c.podCluster(p)
	if err != nil {
		return PodStatus{}, err
	}
	p = p.withDefaults()
	old := cl.Pods.find(p)
	if old == nil {
		return PodStatus{}, fmt.Errorf("recreating pod %s/%s: it does not exist", p.Namespace, p.Name)
	}
	t.removePod(cl, old, t.now)
	return t.podStatus(t.startPod(cl, old.Template, old.Name, t.now)), nil
}

// Pods returns the pods of the Cloud's region as they are now, by cluster, and
// in a cluster the oldest first.
func (c *Cloud) Pods() []PodStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	var out []PodStatus
	for _, cl := range t.settledPods() {
		for _, p := range cl.Pods.Live {
			out = append(out, t.podStatus(p))
		}
	}
	return out
}

// podCluster finds the cluster of a pod, with its pods as they are now.
func (c *Cloud) podCluster(p Pod) (*tx, *cluster, error) {
	t := c.begin(c.resolve(Caller{}), c.now())
	cl := t.lookup(p.withDefaults().Cluster)
	if cl == nil {
		return nil, nil, fmt.Errorf("pod %q: no cluster %q in region %s", p.Name, p.withDefaults().Cluster, t.caller.Region)
	}
	t.settlePods(cl)
	return t, cl, nil
}

// settledPods returns the clusters of the region that have pods, in order.
func (t *tx) settledPods() []*cluster {
	var out []*cluster
	for _, name := range slices.Clone(t.region.Names) {
		if cl := t.lookup(name); cl != nil && cl.Pods.Made > 0 {
			t.settlePods(cl)
			out = append(out, cl)
		}
	}
	return out
}

func (p Pod) withDefaults() Pod {
	p.Cluster = cmp.Or(p.Cluster, ClusterName)
	p.Namespace = cmp.Or(p.Namespace, "default")
	return p
}

func (p Pod) clone() Pod {
	p.Labels, p.Annotations = maps.Clone(p.Labels), maps.Clone(p.Annotations)
	p.Unsupported.Capabilities = slices.Clone(p.Unsupported.Capabilities)
	p.Unsupported.Volumes = slices.Clone(p.Unsupported.Volumes)
	return p
}

// podStatus shows a pod, sharing nothing with the state.
func (t *tx) podStatus(p *pod) PodStatus {
	s := PodStatus{
		Pod:       p.Template.clone(),
		Template:  p.Template.clone(),
		Scheduler: p.Scheduler,
		Profile:   p.Profile,
		Created:   p.Created,
		Pending:   p.pending(t.now),
	}
	s.Name = p.Name
	if p.Profile != "" {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[ProfileLabel] = p.Profile
	}
	if p.running(t.now) {
		s.Node, s.Started = p.Node, *p.StartsAt
	}
	return s
}
