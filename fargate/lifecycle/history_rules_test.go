// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// The rules that nothing may break. Here they are a second reading of what the
// packages promise: they use the library's data types and none of its logic. A
// write is judged by what its step saw, since nobody can know more.
const (
	ruleAbsence   = "absence is only ever ResourceNotFound"
	ruleOwner     = "only the owner writes"
	ruleOneChange = "one profile of a cluster changes at a time"
	ruleInUse     = "in use is never an error"
	ruleMeaning   = "a diff sees meaning"
	ruleDrift     = "nothing immutable drifts unseen"
	ruleTags      = "foreign tags survive"
	ruleCost      = "a replacement never takes away what it should keep"
	ruleDrain     = "with a drain gate, no delete before it is open"
	ruleSettles   = "after the chaos, everything settles"
	ruleLeftOver  = "nothing is left over"
	ruleFailure   = "failures are surfaced at once"
	ruleInput     = "observed values never leak into desired"
	ruleCreate    = "what is created is what is desired"
	ruleStale     = "an older generation writes nothing"
	ruleOneWrite  = "a step makes at most one write"
	ruleOutcome   = "an outcome says what happened"
	ruleInFlight  = "a profile that is CREATING or DELETING is left alone"
	ruleRelease   = "what is released is kept"
	ruleWayBack   = "the way back is always open"
	ruleRole      = "a role outlives its users, and no user outlives it"
	ruleGone      = "gone is only what is gone"
)

// The marks, by their contract.
const (
	markPrefix  = "eksfargate.io/"
	ownerPrefix = markPrefix + "owner."
	profileMark = markPrefix + "profile"
	peerMark    = markPrefix + "peer"
	genMark     = markPrefix + "generation"
	memoryMark  = markPrefix + "tags" // which keys we set
)

func ownerMark(id string) string {
	sum := sha256.Sum256([]byte(id))
	return ownerPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:10]
}

// claimed reports whether a profile bears the object's marks; others may claim it,
// too.
func claimed(o *object, p *types.FargateProfile) bool {
	logical, marked := p.Tags[profileMark]
	return p.Tags[ownerMark(o.owner)] == o.owner && (logical == o.name || !marked && *p.FargateProfileName == o.name)
}

func othersOf(o *object, p *types.FargateProfile) []string {
	var others []string
	for key, value := range p.Tags {
		switch {
		case key == ownerMark(o.owner) && value == o.owner:
		case strings.HasPrefix(key, ownerPrefix):
			others = append(others, value)
		}
	}
	if _, ours := p.Tags[ownerMark(o.owner)]; !ours && len(others) == 0 && p.Tags[capaTag] == "owned" {
		others = append(others, capaTag)
	}
	return others
}

func owned(o *object, p *types.FargateProfile) bool { return claimed(o, p) && len(othersOf(o, p)) == 0 }

func inProgress(p *types.FargateProfile) bool {
	return p.Status == types.FargateProfileStatusCreating || p.Status == types.FargateProfileStatusDeleting
}

func active(p *types.FargateProfile) bool { return p.Status == types.FargateProfileStatusActive }

func words(namespace string, labels map[string]string) string {
	var s strings.Builder
	s.WriteString(namespace)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		s.WriteString("," + key + "=" + labels[key])
	}
	return s.String()
}

func selectorWords(selectors []selector.Selector) string {
	var all []string
	for _, s := range selectors {
		all = append(all, words(s.Namespace, s.Labels))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func observedWords(p *types.FargateProfile) string {
	var all []selector.Selector
	for _, s := range p.Selectors {
		all = append(all, selector.Selector{Namespace: aws.ToString(s.Namespace), Labels: s.Labels})
	}
	return selectorWords(all)
}

// asDesired reports whether nothing immutable differs.
func asDesired(d fargate.Desired, p *types.FargateProfile) bool {
	sorted := func(s []string) []string { return slices.Sorted(slices.Values(s)) }
	return sameRole(d, p) && observedWords(p) == selectorWords(d.Spec.Selectors) &&
		(len(d.Spec.Subnets) == 0 || slices.Equal(sorted(d.Spec.Subnets), sorted(p.Subnets)))
}

// ours are the profiles with the object's marks that the step saw, by name.
func (s *stepping) ours() map[string]*types.FargateProfile {
	out := map[string]*types.FargateProfile{}
	for name, sight := range s.seen {
		if sight.FargateProfile != nil && claimed(s.object, sight.FargateProfile) {
			out[name] = sight.FargateProfile
		}
	}
	return out
}

// judgeStep judges what holds for every write.
func (h *history) judgeStep(s *stepping) {
	if s.failed != "" {
		h.breaks(ruleAbsence, "%s: %s after %s failed", s.object, s.wrote, s.failed)
	}
	if len(s.wrote) > 1 {
		h.breaks(ruleOneWrite, "%s: %v", s.object, s.wrote)
	}
	for name, p := range s.ours() {
		gen, _ := strconv.ParseInt(p.Tags[genMark], 10, 64)
		if foreignGeneration := len(othersOf(s.object, p)) > 0; gen > s.wish.Generation && !foreignGeneration {
			h.breaks(ruleStale, "%s: %v by generation %d, and %s has %d", s.object, s.wrote, s.wish.Generation, name, gen)
		}
	}
}

// judgeCluster looks at the truth after a write.
func (h *history) judgeCluster(ctx context.Context, cluster string) {
	var busy []string
	view := h.viewIn(ctx, cluster)
	for _, name := range sortedNames(view) {
		if inProgress(view[name]) {
			busy = append(busy, name)
		}
	}
	if len(busy) > 1 {
		h.breaks(ruleOneChange, "cluster %s: %v", cluster, busy)
	}
}

func derivedFrom(logical, name string) bool {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(logical) + `-\d{3}-[a-z0-9]{8}$`).MatchString(name)
}

func (h *history) judgeCreate(s *stepping, in *eks.CreateFargateProfileInput) {
	d, name := s.wish.Desired, aws.ToString(in.FargateProfileName)
	if s.wish.absent {
		h.breaks(ruleCreate, "%s: %s is created though none is desired", s.object, name)
	}
	if d.Policy.Name == fargate.NamePinned && name != d.Spec.Name || d.Policy.Name == fargate.NameDerived && !derivedFrom(d.Spec.Name, name) {
		h.breaks(ruleCreate, "%s: the name %s under %s", s.object, name, d.Policy.Name)
	}
	made := types.FargateProfile{FargateProfileName: &name, PodExecutionRoleArn: in.PodExecutionRoleArn, Selectors: in.Selectors, Subnets: in.Subnets, Tags: in.Tags}
	if !asDesired(d, &made) || len(d.Spec.Subnets) == 0 && len(in.Subnets) > 0 {
		h.breaks(ruleCreate, "%s: %s is created with %s %v", s.object, name, observedWords(&made), in.Subnets)
	}
	if !owned(s.object, &made) || in.Tags[profileMark] != d.Spec.Name {
		h.breaks(ruleCreate, "%s: %s is created with the marks %v", s.object, name, in.Tags)
	}
	for key, value := range in.Tags {
		if want, wanted := d.Spec.Tags[key]; !strings.HasPrefix(key, markPrefix) && (!wanted || want != value) {
			h.breaks(ruleCreate, "%s: %s is created with the tag %s=%s", s.object, name, key, value)
		}
	}
	if sight := s.seen[name]; sight != nil && sight.FargateProfile != nil && slices.Contains(s.listed, name) {
		h.breaks(ruleCreate, "%s: %s is created though it was seen", s.object, name)
	}
	h.judgePeers(s, name, in.Tags[peerMark])
	h.sets(s.object, nextARN(s.object, name), in.Tags)
}

// judgePeers judges whether a create is the first profile or a successor.
func (h *history) judgePeers(s *stepping, name, peer string) {
	ours := s.ours()
	switch {
	case len(ours) == 0 && peer != name, len(ours) > 1:
		h.breaks(ruleCreate, "%s: %s is created with the peer %q beside %d of ours", s.object, name, peer, len(ours))
	case len(ours) == 0 && s.listed == nil:
		h.breaks(ruleAbsence, "%s: %s is created without a look at the list", s.object, name)
	case len(ours) == 1:
		p := ours[peer]
		if p == nil || p.Tags[peerMark] != name || !active(p) || asDesired(s.wish.Desired, p) || s.wish.Policy.Replacement != fargate.ReplacementCreateFirst {
			h.breaks(ruleCost, "%s: the successor %s is created with the peer %q", s.object, name, peer)
		}
	}
}

// Tags that we set, by the resource. What a create sets belongs to a resource that
// has no ARN yet.
func nextARN(o *object, name string) string { return "next:" + o.cluster + "/" + name }

func (h *history) sets(o *object, arn string, tags map[string]string) {
	if o.keys[arn] == nil {
		o.keys[arn] = map[string]string{}
	}
	maps.Copy(o.keys[arn], tags)
}

// unset forgets what we removed, once the memory on the profile does, too, unless
// another step that saw it before is about to remove it. Who sets it now, is
// somebody else or we anew.
func (h *history) unset(s *stepping, arn string) {
	if !h.alone(s) {
		return
	}
	for _, of := range []string{arn, nextARN(s.object, strings.Split(arn, "/")[2])} {
		maps.DeleteFunc(s.object.keys[of], func(key, _ string) bool { _, wanted := s.wish.Spec.Tags[key]; return !wanted })
	}
}

// alone reports whether no other step on the object is under way.
func (h *history) alone(s *stepping) bool {
	return !slices.ContainsFunc(h.processes, func(p *process) bool { return p.step != nil && p.step != s && p.step.object == s.object })
}

// didSet reports whether a key may have been set by us on the resource.
func (h *history) didSet(s *stepping, p *types.FargateProfile, key string) bool {
	for _, arn := range []string{*p.FargateProfileArn, nextARN(s.object, *p.FargateProfileName)} {
		if _, did := s.object.keys[arn][key]; did {
			return true
		}
	}
	return false
}

// target is the profile that a tag call is about, as the step saw it.
func (h *history) target(s *stepping, arn string) *types.FargateProfile {
	for _, sight := range s.seen {
		if sight.FargateProfile != nil && aws.ToString(sight.FargateProfileArn) == arn {
			return sight.FargateProfile
		}
	}
	h.breaks(ruleOwner, "%s: %v was not looked at", s.object, arn)
	return nil
}

// judgeHands judges whether the object may write to a profile: as its owner, or
// where the policy lets it become the owner.
func (h *history) judgeHands(s *stepping, p *types.FargateProfile) {
	if inProgress(p) {
		h.breaks(ruleInFlight, "%s: %s is %s", s.object, *p.FargateProfileName, p.Status)
	}
	others := othersOf(s.object, p)
	policy := s.wish.Policy
	foreign := slices.ContainsFunc(others, func(o string) bool { return !slices.Contains(policy.TakeOverFrom, o) })
	switch {
	case owned(s.object, p):
	case s.wish.absent, foreign, p.Tags[ownerMark(s.object.owner)] != "" && !claimed(s.object, p):
		h.breaks(ruleOwner, "%s: a write to %s with the tags %v", s.object, *p.FargateProfileName, p.Tags)
	case len(others) > 0:
	case policy.Adoption == fargate.AdoptionAlways:
	case policy.Adoption == fargate.AdoptionWhenEqual && asDesired(s.wish.Desired, p):
	default:
		h.breaks(ruleOwner, "%s: an adoption of %s with the tags %v", s.object, *p.FargateProfileName, p.Tags)
	}
}

func (h *history) judgeTag(s *stepping, in *eks.TagResourceInput) {
	p := h.target(s, aws.ToString(in.ResourceArn))
	if p == nil {
		return
	}
	h.judgeHands(s, p)
	for key, value := range in.Tags {
		want, wanted := s.wish.Spec.Tags[key]
		if !strings.HasPrefix(key, markPrefix) && (!wanted || want != value) {
			h.breaks(ruleTags, "%s: %s gets %s=%s", s.object, *p.FargateProfileName, key, value)
		}
		if strings.HasPrefix(key, ownerPrefix) && (key != ownerMark(s.object.owner) || value != s.object.owner) {
			h.breaks(ruleOwner, "%s: %s gets %s=%s", s.object, *p.FargateProfileName, key, value)
		}
	}
	h.judgeMemory(s, p, in)
	h.sets(s.object, *p.FargateProfileArn, in.Tags)
}

func (h *history) judgeUntag(s *stepping, in *eks.UntagResourceInput) {
	p := h.target(s, aws.ToString(in.ResourceArn))
	if p == nil {
		return
	}
	h.judgeHands(s, p)
	for _, key := range in.TagKeys {
		_, wanted := s.wish.Spec.Tags[key]
		switch {
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			h.breaks(ruleTags, "%s: %s loses %s", s.object, *p.FargateProfileName, key)
		case key == ownerMark(s.object.owner):
			if !s.wish.absent || s.wish.Policy.Deletion != fargate.DeletionRelease {
				h.breaks(ruleOwner, "%s: %s loses our own mark", s.object, *p.FargateProfileName)
			}
		case strings.HasPrefix(key, ownerPrefix), key == capaTag:
			if owner := p.Tags[key]; !slices.Contains(s.wish.Policy.TakeOverFrom, owner) && key != capaTag {
				h.breaks(ruleOwner, "%s: %s loses the mark of %s", s.object, *p.FargateProfileName, owner)
			}
		case key == peerMark && p.Tags[peerMark] == *p.FargateProfileName && s.listed == nil && !s.wish.absent:
			h.breaks(ruleLeftOver, "%s: %s counts as the only one without a look at the list", s.object, *p.FargateProfileName)
		case strings.HasPrefix(key, markPrefix):
		case wanted, s.wish.Policy.TagMode != fargate.TagsExact && !s.stale && !h.didSet(s, p, key):
			h.breaks(ruleTags, "%s: %s loses %s=%s, which we never set", s.object, *p.FargateProfileName, key, p.Tags[key])
		}
	}
}

func (h *history) judgeDelete(s *stepping, name string) {
	sight := s.seen[name]
	if sight == nil || sight.FargateProfile == nil || !owned(s.object, sight.FargateProfile) {
		h.breaks(ruleOwner, "%s: %s is deleted, and what was seen of it is %s", s.object, name, text(sight))
		return
	}
	if inProgress(sight.FargateProfile) {
		h.breaks(ruleInFlight, "%s: %s is deleted while it is %s", s.object, name, sight.Status)
	}
	if s.wish.absent {
		if s.wish.Policy.Deletion == fargate.DeletionRelease {
			h.breaks(ruleRelease, "%s: %s is deleted", s.object, name)
		}
		return
	}
	switch {
	case active(sight.FargateProfile):
		h.judgeReplacement(s, sight.FargateProfile)
	case sight.Status != types.FargateProfileStatusDeleteFailed: // that one can still have pods
		return
	}
	_, onIt := s.pods[name]
	if drained := slices.Contains(s.wish.Drained, name) || s.pods != nil && !onIt; s.wish.Policy.Drain == fargate.DrainConfirmed && !drained {
		h.breaks(ruleDrain, "%s: %s is deleted, and drained is %v", s.object, name, s.wish.Drained)
	}
}

// judgeReplacement judges the delete of an ACTIVE profile while one is desired.
func (h *history) judgeReplacement(s *stepping, p *types.FargateProfile) {
	others := s.ours()
	delete(others, *p.FargateProfileName)
	policy, equal := s.wish.Policy, asDesired(s.wish.Desired, p)
	if len(others) == 0 {
		first := policy.Replacement == fargate.ReplacementDeleteFirst || policy.Replacement == fargate.ReplacementCreateFirst && policy.FallBackToDeleteFirst
		if !first || equal {
			h.breaks(ruleCost, "%s: %s is deleted under %s, and it is as desired: %v", s.object, *p.FargateProfileName, policy.Replacement, equal)
		}
		return
	}
	for _, q := range others {
		kept := asDesired(s.wish.Desired, q)
		if !active(q) || equal && !kept || policy.Replacement == fargate.ReplacementForbid && !kept {
			h.breaks(ruleCost, "%s: %s is deleted (as desired: %v) beside %s, which is %s (as desired: %v), under %s",
				s.object, *p.FargateProfileName, equal, *q.FargateProfileName, q.Status, kept, policy.Replacement)
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// judgeInput judges whether a step left alone what it was given.
func (h *history) judgeInput(told, after string) {
	if told != after {
		h.breaks(ruleInput, "%s became %s", told, after)
	}
}
