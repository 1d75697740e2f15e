// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector says which pods an EKS Fargate profile selects, and why.
//
// It is pure: no I/O, no clock, no Kubernetes and no AWS dependency. Nothing in
// it keeps state between calls, so everything is safe for concurrent use.
//
// # What a selector selects
//
// A pod matches a selector if its namespace matches and every label of the
// selector is met by some label of the pod: the pod's key matches the selector's
// key and the pod's value matches the selector's value. A pod matches a profile
// if it matches any selector of it. Affinity, node selectors and taints play no
// part. Source: EKS user guide, "Define which Pods use AWS Fargate when
// launched".
//
// # Wildcards
//
// Namespaces, label keys and label values may hold * (any run of characters,
// also none) and ? (exactly one character), anywhere and in any combination.
// Everything else is literal, [ ] and \ included. Matching is anchored at both
// ends and case-sensitive. Three things the user guide leaves open are decided
// here:
//
//   - One label of a pod may meet several labels of a selector.
//   - * and ? also match the / of a label key, so "*name" matches
//     "app.kubernetes.io/name".
//   - A character is a Unicode code point; a byte that is not UTF-8 counts as
//     one. Names that Kubernetes accepts are ASCII, so bytes would give the same
//     answer for every real pod.
//
// An empty namespace of a pod means "default", as in a Kubernetes object. An
// empty namespace of a selector matches nothing.
//
// # Which profile wins
//
// If several profiles match, the one with the byte-wise first name wins; how
// specific a selector is plays no part. The label [ProfileLabel] on a pod
// template narrows the choice to the profile it names, which must match, too.
// The annotation [ComputeTypeAnnotation] with the value [ComputeTypeEC2] keeps a
// matching pod off Fargate.
//
// EKS decides when a pod is created and never again: a pod that exists stays
// where it is until its profile is deleted, and a pod that was created too early
// has to be made again. [Impact] follows that rule.
package selector
