// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// choose returns the profile that takes a pod, or nil. EKS looks at the pod when
// it is created, and at profiles that are ACTIVE and known to the webhook; of
// several that match, the first by name wins (user guide).
func (t *tx) choose(cl *cluster, p Pod, at time.Time) *profile {
	if p.Annotations[ComputeTypeAnnotation] == "ec2" {
		return nil
	}
	pin := p.Labels[ProfileLabel]
	for _, name := range cl.Names {
		candidate := cl.Profiles.get(name)
		if either(pin, name) && candidate.takesPods(at) && candidate.matches(p) {
			return candidate
		}
	}
	return nil
}

func (p *profile) takesPods(at time.Time) bool {
	return p.status(at) == types.FargateProfileStatusActive && !at.Before(p.KnownAt)
}

func (p *profile) matches(candidate Pod) bool {
	for _, s := range p.Selectors {
		if s.matches(candidate.Namespace, candidate.Labels) {
			return true
		}
	}
	return false
}

// matches: the namespace, and every label of the selector, must be found; * and
// ? are wildcards in namespace, label key and label value.
func (s selector) matches(namespace string, labels map[string]string) bool {
	if !globMatch(s.Namespace, namespace) {
		return false
	}
	for _, wanted := range s.Labels {
		if !hasLabel(labels, wanted.key.Value(), wanted.value) {
			return false
		}
	}
	return true
}

func hasLabel(labels map[string]string, keyPattern, valuePattern string) bool {
	for key, value := range labels {
		if globMatch(keyPattern, key) && globMatch(valuePattern, value) {
			return true
		}
	}
	return false
}
