// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// What users do: they edit what they want.

func (h *history) edit() {
	o := pick(h, h.objects...)
	w := wish{copyOf(o.wish.Desired), o.wish.absent}
	kind := h.rand.IntN(14)
	if w.absent && h.chance(0.5) {
		kind = 7
	}
	switch kind {
	case 0, 1, 11:
		w.Spec.Selectors = h.drawSelectors(o)
	case 2:
		w.Spec.Tags = h.drawTags()
	case 3:
		h.wantWhatIsThere(o, &w)
	case 8:
		goBack(o, &w)
	case 4:
		w.Policy = h.drawPolicy()
	case 5:
		w.Spec.PodExecutionRoleARN = h.drawRole(o)
	case 6:
		w.Spec.Subnets = slices.Clone(pick(h, nil, fake.PrivateSubnetIDs()[:1], fake.PrivateSubnetIDs()))
	case 7:
		w.absent = !w.absent
	default:
		h.confirmDrain(o, &w)
	}
	h.publish(o, w)
}

func (h *history) publish(o *object, w wish) {
	if w.Generation > 0 {
		w.Generation++
	}
	if !reflect.DeepEqual(o.wish.Spec.Selectors, w.Spec.Selectors) {
		if o.former = o.wish.Spec; h.chance(0.5) {
			h.regretted = o
		}
	}
	o.wish = w
	o.greedy = o.greedy || w.Policy.Adoption != fargate.AdoptionNever || len(w.Policy.TakeOverFrom) > 0
	h.tally.Edits++
	h.note("edit %s: generation %d, absent %v, %s, subnets %v, role %s, tags %v, %+v, drained %v", o, w.Generation, w.absent,
		selectorWords(w.Spec.Selectors), w.Spec.Subnets, w.Spec.PodExecutionRoleARN[max(0, len(w.Spec.PodExecutionRoleARN)-4):], w.Spec.Tags, w.Policy, w.Drained)
}

// confirmDrain says that the pods of all profiles of the object are moved away, or
// of none of them any more.
func (h *history) confirmDrain(o *object, w *wish) {
	w.Drained = nil
	view := h.view(o.cluster)
	for _, name := range sortedNames(view) {
		if claimed(o, view[name]) && (h.calm || h.chance(0.7)) {
			w.Drained = append(w.Drained, name)
		}
	}
}

// goBack desires what was desired before, but for the tags.
func goBack(o *object, w *wish) {
	w.Spec.Selectors, w.Spec.PodExecutionRoleARN, w.Spec.Subnets = o.former.Selectors, o.former.PodExecutionRoleARN, o.former.Subnets
}

// regret lets a user take an edit back, soon after it.
func (h *history) regret() {
	if h.regretted == nil || !h.chance(0.05) {
		return
	}
	o := h.regretted
	h.regretted = nil
	w := wish{copyOf(o.wish.Desired), o.wish.absent}
	goBack(o, &w)
	h.publish(o, w)
}

// wantWhatIsThere lets a user desire the tags that others have set. They stay the
// others' when the user desires them no more.
func (h *history) wantWhatIsThere(o *object, w *wish) {
	view := h.view(o.cluster)
	for _, name := range sortedNames(view) {
		for _, key := range []string{"backup", "cost", "env", "team"} {
			if value, there := view[name].Tags[key]; there && claimed(o, view[name]) {
				w.Spec.Tags = map[string]string{key: value}
			}
		}
	}
}

func (h *history) drawSelectors(o *object) []selector.Selector {
	var out []selector.Selector
	for _, ns := range []string{"a", "b", "c"} {
		if h.chance(0.5) {
			out = append(out, selector.Selector{Namespace: o.name[:3] + "-" + ns})
		}
	}
	if len(out) == 0 || h.chance(0.1) {
		out = append(out, selector.Selector{Namespace: pick(h, "shared", o.name[:3]+"-d"), Labels: pick(h, nil, map[string]string{"app": "x"})})
	}
	return out
}

func (h *history) drawTags() map[string]string {
	tags := map[string]string{}
	for _, key := range []string{"team", "env", "cost"} {
		if h.chance(0.4) {
			tags[key] = pick(h, "x", "y")
		}
	}
	return tags
}

func (h *history) drawPolicy() fargate.Policy {
	p := fargate.Policy{
		Replacement: pick(h, fargate.ReplacementForbid, fargate.ReplacementDeleteFirst, fargate.ReplacementDeleteFirst, fargate.ReplacementCreateFirst, fargate.ReplacementCreateFirst, fargate.ReplacementCreateFirst, fargate.ReplacementCreateFirst),
		Name:        pick(h, fargate.NamePinned, fargate.NameDerived), Drain: pick(h, fargate.DrainNone, fargate.DrainNone, fargate.DrainConfirmed),
		Adoption: pick(h, fargate.AdoptionNever, fargate.AdoptionNever, fargate.AdoptionWhenEqual, fargate.AdoptionAlways),
		TagMode:  pick(h, fargate.TagsMerge, fargate.TagsMerge, fargate.TagsExact), Deletion: pick(h, fargate.DeletionDelete, fargate.DeletionDelete, fargate.DeletionRelease),
		FallBackToDeleteFirst: h.chance(0.3), AllowUnverifiedRole: h.chance(0.5), Attempts: 1000,
	}
	if p.Replacement == fargate.ReplacementCreateFirst {
		p.Name = fargate.NameDerived
	}
	if h.chance(0.2) {
		p.TakeOverFrom = []string{capaTag, stranger}
	}
	return p
}

// What others do to the profiles of a cluster.

const (
	stranger = "somebody/else"
	capaTag  = "sigs.k8s.io/cluster-api-provider-aws/cluster/demo"
)

func (h *history) others() {
	h.tally.Deeds++
	h.changes++
	cluster := pick(h, h.clusters...)
	view := h.view(cluster)
	if !h.stands(cluster) || len(view) == 0 && h.chance(0.3) {
		h.demolish(cluster)
		return
	}
	if len(view) == 0 || h.chance(0.08) {
		h.makeForeign(cluster, view)
		return
	}
	p := view[pick(h, sortedNames(view)...)]
	switch h.rand.IntN(8) {
	case 0:
		d := h.between(0, time.Minute)
		h.note("others: an update of cluster %s for %s", cluster, d)
		h.cloud.BusyCluster(cluster, d)
	case 1:
		h.note("others: deleting %s: %v", *p.FargateProfileName, h.tryDelete(p))
	case 2, 3, 4:
		h.tagByHand(p)
	case 5:
		if _, contested := p.Tags[ownerMark(stranger)]; contested || h.chance(0.4) {
			h.disownByHand(p)
		}
	default:
		pod := fake.Pod{Cluster: cluster, Namespace: "web-" + pick(h, "a", "b", "c"), Name: fmt.Sprint("pod-", h.moment), Replicated: h.chance(0.5)}
		if _, err := h.cloud.RunPod(pod); err != nil {
			panic(err)
		}
		h.note("others: a pod in namespace %s", pod.Namespace)
	}
}

func (h *history) tryDelete(p *types.FargateProfile) error {
	_, err := h.eks.DeleteFargateProfile(context.Background(), &eks.DeleteFargateProfileInput{ClusterName: p.ClusterName, FargateProfileName: p.FargateProfileName})
	if err == nil {
		delete(h.foreign, *p.ClusterName+"/"+*p.FargateProfileName)
	}
	return err
}

// makeForeign makes a profile that is not ours, often under a name that we want.
func (h *history) makeForeign(cluster string, view map[string]*types.FargateProfile) {
	name := pick(h, "web", "api", "web-998-aaaaaaaa", "web-999-aaaaaaaa", "zz-foreign")
	for _, own := range sortedNames(view) {
		if peer := view[own].Tags[peerMark]; peer != "" && peer != own && h.chance(0.5) {
			name = peer // S1 of our replacement is about to make it
		}
	}
	if h.thinksOurs(cluster, name) {
		return
	}
	tags := map[string]string{"by": "hand"}
	switch h.rand.IntN(4) {
	case 0:
		tags[ownerMark(stranger)], tags[profileMark] = stranger, name
	case 1:
		tags[capaTag] = "owned"
	case 2:
		tags["aws:cloudformation:stack-name"] = "s"
		delete(tags, "aws:cloudformation:stack-name") // EKS refuses it at creation
	}
	_, err := h.eks.CreateFargateProfile(context.Background(), &eks.CreateFargateProfileInput{
		ClusterName: &cluster, FargateProfileName: &name, PodExecutionRoleArn: aws.String(h.cloud.RoleARN(fake.RoleName)), Tags: tags,
		Selectors: []types.FargateProfileSelector{{Namespace: aws.String(pick(h, "web-a", "foreign", "shared"))}},
	})
	h.note("others: making %s with %v: %v", name, tags, err)
	if err == nil {
		h.foreign[cluster+"/"+name] = maps.Clone(tags)
	}
}

// thinksOurs reports whether a step under way could have seen the name as ours.
// EKS deletes by name and has no precondition, so that between a look and the
// delete that follows from it nobody can keep a name from changing hands.
func (h *history) thinksOurs(cluster, name string) bool {
	for _, p := range h.processes {
		if p.step != nil && p.step.object.cluster == cluster && p.step.seen[name] != nil && p.step.seen[name].FargateProfile != nil {
			return true
		}
	}
	return false
}

// tagByHand sets or removes tags that are not marks.
func (h *history) tagByHand(p *types.FargateProfile) {
	key, value := pick(h, "backup", "cost", "env", "team"), pick(h, "x", "y", "z")
	if _, there := p.Tags[key]; there && h.chance(0.4) {
		h.untag(p, key)
		return
	}
	h.tag(p, key, value)
}

func (h *history) tag(p *types.FargateProfile, key, value string) {
	_, err := h.eks.TagResource(context.Background(), &eks.TagResourceInput{ResourceArn: p.FargateProfileArn, Tags: map[string]string{key: value}})
	h.note("others: tagging %s with %s=%s: %v", *p.FargateProfileName, key, value, err)
	if err != nil {
		return
	}
	if tags := h.foreign[*p.ClusterName+"/"+*p.FargateProfileName]; tags != nil {
		tags[key] = value
	}
}

func (h *history) untag(p *types.FargateProfile, keys ...string) {
	_, err := h.eks.UntagResource(context.Background(), &eks.UntagResourceInput{ResourceArn: p.FargateProfileArn, TagKeys: keys})
	h.note("others: removing %v from %s: %v", keys, *p.FargateProfileName, err)
	if tags := h.foreign[*p.ClusterName+"/"+*p.FargateProfileName]; tags != nil && err == nil {
		maps.DeleteFunc(tags, func(key, _ string) bool { return slices.Contains(keys, key) })
	}
}

// disownByHand changes who owns a profile: marks of a second owner come and go,
// and ours get lost.
func (h *history) disownByHand(p *types.FargateProfile) {
	_, contested := p.Tags[ownerMark(stranger)]
	switch {
	case contested:
		h.untag(p, ownerMark(stranger))
	case h.chance(0.6):
		h.tag(p, ownerMark(stranger), stranger)
	default:
		for _, key := range slices.Sorted(maps.Keys(p.Tags)) {
			if strings.HasPrefix(key, ownerPrefix) {
				h.untag(p, key)
				return
			}
		}
	}
}
