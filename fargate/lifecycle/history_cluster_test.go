// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
)

// Somebody deletes a cluster, which EKS allows when no profile is in it, and makes it
// again.

// demolish deletes the cluster, or makes it again where it is gone.
func (h *history) demolish(cluster string) {
	if !h.stands(cluster) {
		h.note("others: making cluster %s again", cluster)
		h.cloud.AddCluster(fake.Cluster{Name: cluster})
		return
	}
	_, err := h.eks.DeleteCluster(context.Background(), &eks.DeleteClusterInput{Name: &cluster})
	h.note("others: deleting cluster %s: %v", cluster, err)
}

// stands reports whether EKS knows the cluster.
func (h *history) stands(cluster string) bool {
	_, err := h.eks.DescribeCluster(context.Background(), &eks.DescribeClusterInput{Name: &cluster})
	return err == nil
}

// rebuild ends the deletion of clusters, and makes all of them again but for those
// that stay gone.
func (h *history) rebuild(stayGone float64) {
	for _, cluster := range h.clusters {
		if out, err := h.eks.DescribeCluster(context.Background(), &eks.DescribeClusterInput{Name: &cluster}); err == nil && out.Cluster.Status == "DELETING" {
			h.cloud.Advance(time.Hour)
		}
		if !h.stands(cluster) && !h.chance(stayGone) {
			h.demolish(cluster)
		}
	}
}

// landed looks, right after a create of ours, for a twin that was settled before, and
// under the plain name: a caller whose policy is to pin names looks at that alone, as
// docs/adr/0007 says.
func (h *history) landed(ctx context.Context, o *object, name string) {
	if name == o.name {
		return
	}
	plain := h.profile(ctx, o.cluster, o.name)
	if plain != nil && claimed(o, plain) && plain.Tags[peerMark] == "" {
		h.note("a twin that only a derived name finds: %s beside %s", name, o.name)
		o.twin = true
	}
}

// lookForTwins lets the users of objects with such a twin derive names, and their
// processes forget: that finds it.
func (h *history) lookForTwins() {
	for _, o := range h.objects {
		if !o.twin {
			continue
		}
		w := wish{copyOf(o.wish.Desired), o.wish.absent}
		w.Policy.Name = fargate.NameDerived
		h.publish(o, w)
		for _, p := range h.processes {
			delete(p.memory, o)
		}
	}
}
