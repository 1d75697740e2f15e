// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// Selector is one selector of a Fargate profile. A pod matches it when its
// namespace matches Namespace and every entry of Labels is met by some label of
// the pod. Namespace, label keys and label values may hold the wildcards * (any
// run of characters, also none) and ? (exactly one character).
//
// Nil and empty Labels mean the same: the namespace alone decides.
// Source: EKS user guide, "Define which Pods use AWS Fargate when launched".
type Selector struct {
	Namespace string            `json:"namespace"`
	Labels    map[string]string `json:"labels,omitempty"`
}

// Profile is what matching needs to know of a Fargate profile.
type Profile struct {
	Name      string     `json:"name"`
	Selectors []Selector `json:"selectors"`
}
