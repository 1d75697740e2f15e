// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// Selector is one selector of a Fargate profile. A pod matches it when its
// namespace matches Namespace and every entry of Labels is met by some label of
// the pod. Namespace, label keys and label values may hold the wildcards * (any
// run of characters, also none) and ? (exactly one character).
//
// Nil and empty Labels mean the same: the namespace alone decides. The zero
// value matches nothing, since no namespace is empty.
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

// Matches reports whether s selects a pod with these labels in namespace; an
// empty namespace means "default". It looks at text only: pinning and opting out
// are the business of [Matcher.Match], and whether Kubernetes would accept the
// names isn't asked.
//
// It allocates nothing. The time is at most proportional to the length of each
// pattern times the length of the text it is compared with.
func (s Selector) Matches(namespace string, labels map[string]string) bool {
	if !matchGlob(s.Namespace, namespaceOf(namespace)) {
		return false
	}
	for key, value := range s.Labels {
		if !meets(key, value, labels) {
			return false
		}
	}
	return true
}

// meets reports whether some label matches both patterns.
func meets(key, value string, labels map[string]string) bool {
	if isLiteral(key) {
		got, found := labels[key]
		return found && matchGlob(value, got)
	}
	for k, v := range labels {
		if matchGlob(key, k) && matchGlob(value, v) {
			return true
		}
	}
	return false
}
