// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"github.com/eksfargate/eksfargate/selector"
)

// on makes a selector: a namespace, then label keys and values in turn.
func on(namespace string, labels ...string) selector.Selector {
	return selector.Selector{Namespace: namespace, Labels: pairs(labels)}
}

func profile(name string, selectors ...selector.Selector) selector.Profile {
	return selector.Profile{Name: name, Selectors: selectors}
}

// podIn makes a pod: a namespace, then label keys and values in turn.
func podIn(namespace string, labels ...string) selector.Pod {
	return selector.Pod{Namespace: namespace, Name: "p", Labels: pairs(labels)}
}

func optingOut(p selector.Pod) selector.Pod {
	p.Annotations = map[string]string{selector.ComputeTypeAnnotation: selector.ComputeTypeEC2}
	return p
}

func pairs(list []string) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list)/2)
	for i := 0; i < len(list); i += 2 {
		m[list[i]] = list[i+1]
	}
	return m
}
