// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// lie breaks a rule on purpose, so that the histories can show that they see it.
// It stands between the reconciler and everything else: the reconciler believes
// what it is told and so acts as if it did not look, while the rules are judged by
// the truth.
type lie struct {
	// look changes what the reconciler sees of a profile; nil hides it.
	look func(*stepping, *types.FargateProfile) *types.FargateProfile
	// describe changes an answer as a whole.
	describe func(*stepping, *eks.DescribeFargateProfileOutput, error) (*eks.DescribeFargateProfileOutput, error)
	create   func(*eks.CreateFargateProfileInput)
	desired  func(*fargate.Desired)
	outcome  func(*lifecycle.Outcome)
}

func absent() error {
	return &types.ResourceNotFoundException{Message: aws.String("No Fargate Profile found with name: x.")}
}

func (l *lie) tell(s *stepping, out *eks.DescribeFargateProfileOutput, err error) (*eks.DescribeFargateProfileOutput, error) {
	switch {
	case l.describe != nil:
		return l.describe(s, out, err)
	case l.look == nil || err != nil:
		return out, err
	}
	told := *out.FargateProfile
	told.Tags = maps.Clone(told.Tags)
	if p := l.look(s, &told); p != nil {
		return &eks.DescribeFargateProfileOutput{FargateProfile: p}, nil
	}
	return nil, absent()
}

// lies are ways to break a rule, and the rule.
func lies() map[string]struct {
	lie  lie
	rule string
} {
	type row = struct {
		lie  lie
		rule string
	}
	look := func(change func(*stepping, *types.FargateProfile)) lie {
		return lie{look: func(s *stepping, p *types.FargateProfile) *types.FargateProfile { change(s, p); return p }}
	}
	hide := func(hidden func(*types.FargateProfile) bool) lie {
		return lie{look: func(_ *stepping, p *types.FargateProfile) *types.FargateProfile {
			if hidden(p) {
				return nil
			}
			return p
		}}
	}
	policy := func(change func(*fargate.Policy)) lie {
		return lie{desired: func(d *fargate.Desired) { change(&d.Policy) }}
	}
	return map[string]row{
		"ownership is not looked at": {look(func(s *stepping, p *types.FargateProfile) {
			maps.DeleteFunc(p.Tags, func(key, _ string) bool { return strings.HasPrefix(key, ownerPrefix) })
			p.Tags[ownerMark(s.object.owner)], p.Tags[profileMark] = s.object.owner, s.object.name
		}), ruleOwner},
		"any error is taken for absence": {lie{describe: func(_ *stepping, out *eks.DescribeFargateProfileOutput, err error) (*eks.DescribeFargateProfileOutput, error) {
			if err != nil && !errors.Is(err, errKilled) {
				return nil, absent()
			}
			return out, err
		}}, ruleAbsence},
		"what differs is not seen": {look(func(s *stepping, p *types.FargateProfile) {
			p.Selectors = nil
			for _, want := range s.wish.Spec.Selectors {
				p.Selectors = append(p.Selectors, types.FargateProfileSelector{Namespace: &want.Namespace, Labels: want.Labels})
			}
		}), ruleDrift},
		"what does not differ is taken for a difference": {look(func(_ *stepping, p *types.FargateProfile) {
			p.Selectors = append(slices.Clone(p.Selectors), types.FargateProfileSelector{Namespace: aws.String("more")})
		}), ruleMeaning},
		"DELETING is taken for gone":        {hide(func(p *types.FargateProfile) bool { return p.Status == types.FargateProfileStatusDeleting }), ruleGone},
		"a profile's status is not awaited": {look(func(_ *stepping, p *types.FargateProfile) { p.Status = types.FargateProfileStatusActive }), ruleInFlight},
		"every tag is taken for ours": {look(func(_ *stepping, p *types.FargateProfile) {
			var memory strings.Builder
			memory.WriteString("1.")
			for key := range p.Tags {
				memory.WriteString(claim(key))
			}
			p.Tags[memoryMark] = memory.String()
		}), ruleTags},
		"generations are not compared":       {look(func(_ *stepping, p *types.FargateProfile) { delete(p.Tags, genMark) }), ruleStale},
		"peers are not followed":             {look(func(_ *stepping, p *types.FargateProfile) { delete(p.Tags, peerMark) }), ruleOutcome},
		"the drain gate is always open":      {policy(func(p *fargate.Policy) { p.Drain = fargate.DrainNone }), ruleDrain},
		"every replacement is allowed":       {policy(func(p *fargate.Policy) { p.Replacement = fargate.ReplacementDeleteFirst }), ruleCost},
		"a release deletes":                  {policy(func(p *fargate.Policy) { p.Deletion = fargate.DeletionDelete }), ruleRelease},
		"failures are not recovered":         {policy(func(p *fargate.Policy) { p.Attempts = -1 }), ruleSettles},
		"a successor is made without a peer": {lie{create: func(in *eks.CreateFargateProfileInput) { delete(in.Tags, peerMark) }}, ruleCost},
		"a profile is made without a mark":   {lie{create: func(in *eks.CreateFargateProfileInput) { in.Tags = nil }}, ruleCreate},
		"what AWS chose leaks into a create": {lie{create: func(in *eks.CreateFargateProfileInput) { in.Subnets = fake.PrivateSubnetIDs() }}, ruleCreate},
		"health issues are not told":         {lie{outcome: func(o *lifecycle.Outcome) { o.Issues = nil }}, ruleFailure},
		"nobody is told when to look again":  {lie{outcome: func(o *lifecycle.Outcome) { o.RequeueAfter = 0 }}, ruleOutcome},
		"half a replacement is called settled": {lie{outcome: func(o *lifecycle.Outcome) {
			o.Settled = o.Settled || o.Reason == fargate.ReasonCreatingSuccessor
		}}, ruleOutcome},
	}
}

// TestHistoriesSeeWhatIsBroken breaks rules on purpose: for each way some history
// must see it, and name the rule. That at most one profile of a cluster changes is
// not among them, since EKS and the fake refuse a second change themselves.
func TestHistoriesSeeWhatIsBroken(t *testing.T) {
	for name, tt := range lies() {
		t.Run(name, func(t *testing.T) {
			seen := map[string]int{}
			for seed := uint64(1); seed <= 300; seed++ {
				h := newHistory(seed, &tt.lie)
				if h.chaos(); tt.rule == ruleSettles {
					h.comeToRest()
				}
				broken, ok := errors.AsType[*brokenRuleError](h.broken)
				if !ok {
					continue
				}
				if seen[broken.rule]++; broken.rule == tt.rule {
					t.Logf("seed %d: %v", seed, broken)
					return
				}
			}
			t.Errorf("no history saw that the rule %q was broken; they saw %v", tt.rule, seen)
		})
	}
}
