// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/source"
)

// TestThePodsOfALargeClusterFit reads what kubectl get pods -A -o json writes of a cluster
// with more than a thousand pods.
func TestThePodsOfALargeClusterFit(t *testing.T) {
	t.Parallel()
	pod := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "web", "annotations": {"note": "` +
		strings.Repeat("x", 16<<10) + `"}}}`
	const pods = 1050
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + strings.Repeat(pod+",\n", pods-1) + pod + "]}"
	got, problems, err := source.Pods([]string{source.Stdin}, strings.NewReader(list))
	if err != nil || len(problems) > 0 || len(got) != pods {
		t.Errorf("%d pods, %v, %v", len(got), problems, err)
	}
}
