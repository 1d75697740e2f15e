// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package admissible says whether Fargate can run a pod that a profile selects.
//
// EKS doesn't refuse such a pod. Its Fargate scheduler leaves the pod Pending and
// records an event that begins with "Pod not supported on Fargate:". [Check] finds
// the same before the pod is created, and [Verdict.Event] gives the text that the
// event is going to have, as far as that is known: each [Problem] says where its
// words come from.
//
// The rules come from the EKS user guide ("Simplify compute management with AWS
// Fargate"), from events that people reported, and from the public source of a
// kubelet that makes the same checks in words that agree with those events.
//
// The package knows no Kubernetes types: [Pod] has the parts of a pod spec that
// matter. It is pure and safe for concurrent use.
package admissible
