// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/selector"
)

// placedPods shows the pods of a cluster of the fake as a caller would list them.
func placedPods(c *fake.Cloud, cluster string) []selector.Placed {
	var out []selector.Placed
	for _, p := range c.Pods() {
		if p.Cluster != cluster {
			continue
		}
		out = append(out, selector.Placed{
			Pod:       selector.Pod{Namespace: p.Namespace, Name: p.Name, Labels: p.Labels, Annotations: p.Annotations},
			Scheduler: p.Scheduler, Node: p.Node, Profile: p.Profile, Created: p.Created,
			Template: &selector.Pod{Namespace: p.Template.Namespace, Name: p.Template.Name, Labels: p.Template.Labels, Annotations: p.Template.Annotations},
		})
	}
	return out
}
