// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"regexp"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

// These are the rules of Kubernetes (apimachinery, pkg/util/validation), written
// down once more and in another way than the code under test does.
var (
	dnsLabel     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	labelName    = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)
)

// illegal says why Kubernetes would refuse the pod, or nothing.
func illegal(p selector.Pod) string {
	if !legalNamespace(p.Namespace) {
		return "namespace " + p.Namespace
	}
	for key, value := range p.Labels {
		if !legalKey(key) {
			return "label key " + key
		}
		if !legalValue(value) {
			return "label value " + value
		}
	}
	return ""
}

func legalNamespace(s string) bool { return len(s) <= 63 && dnsLabel.MatchString(s) }

func legalValue(s string) bool { return s == "" || len(s) <= 63 && labelName.MatchString(s) }

func legalKey(s string) bool {
	name := s
	if prefix, rest, found := strings.Cut(s, "/"); found {
		name = rest
		if len(prefix) > 253 || !dnsSubdomain.MatchString(prefix) {
			return false
		}
	}
	return len(name) <= 63 && labelName.MatchString(name)
}
