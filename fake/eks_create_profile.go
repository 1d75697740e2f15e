// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// createProfile checks in this order, which is a choice, as no public source
// knows EKS's: the request by itself, the cluster, the name, the cluster's
// status, changes in progress, the quota, the role, the subnets.
func createProfile(t *tx, in *eks.CreateFargateProfileInput) (*eks.CreateFargateProfileOutput, error) {
	if err := checkProfileRequest(t.cloud.opts.Quotas, in); err != nil {
		return nil, err
	}
	cl, err := t.cluster(aws.ToString(in.ClusterName))
	if err != nil {
		return nil, err
	}
	name := aws.ToString(in.FargateProfileName)
	if old := cl.Profiles.get(name); old != nil {
		return t.createdBefore(cl, old, in)
	}
	if err := t.checkClusterTakesProfile(cl, name); err != nil {
		return nil, err
	}
	p := t.newProfile(cl, in)
	if err := t.checkRole(p); err != nil && !t.cloud.opts.Lenient {
		return nil, err
	}
	if p.Subnets, err = t.profileSubnets(cl, in.Subnets); err != nil {
		return nil, err
	}
	t.ensureFargateRole()
	return &eks.CreateFargateProfileOutput{FargateProfile: t.startProfile(cl, p)}, nil
}

// createdBefore answers a create of a name that is taken (text: reported, with
// no member but the message).
func (t *tx) createdBefore(
	cl *cluster, old *profile, in *eks.CreateFargateProfileInput,
) (*eks.CreateFargateProfileOutput, error) {
	replay := t.cloud.opts.ReplayTokens && in.ClientRequestToken != nil && *in.ClientRequestToken == old.Token
	switch {
	case !replay:
		return nil, apiErrorf(codeResourceInUse, "A Fargate Profile already exists with this name in this cluster.")
	case !sameRequest(old, in):
		return nil, invalidParameter("The clientRequestToken was used before with other parameters.")
	}
	return &eks.CreateFargateProfileOutput{FargateProfile: t.describe(cl.Name, old)}, nil
}

func sameRequest(old *profile, in *eks.CreateFargateProfileInput) bool {
	sameSelector := func(a, b selector) bool { return a.Namespace == b.Namespace && slices.Equal(a.Labels, b.Labels) }
	return old.RoleARN == aws.ToString(in.PodExecutionRoleArn) &&
		(in.Subnets == nil || slices.Equal(old.Subnets, in.Subnets)) &&
		slices.EqualFunc(old.Selectors, selectorsOf(in), sameSelector) &&
		slices.Equal(old.Tags, pairsOf(in.Tags))
}

func (t *tx) newProfile(cl *cluster, in *eks.CreateFargateProfileInput) *profile {
	name := aws.ToString(in.FargateProfileName)
	id := resourceID(t.cloud.rand, t.now)
	return &profile{
		Name:      name,
		ARN:       t.eksARN("fargateprofile/" + cl.Name + "/" + name + "/" + id),
		RoleARN:   aws.ToString(in.PodExecutionRoleArn),
		Selectors: selectorsOf(in),
		Tags:      pairsOf(in.Tags),
		Token:     aws.ToString(in.ClientRequestToken),
		CreatedAt: t.now,
	}
}

func (t *tx) eksARN(resource string) string {
	return arn{partitionOf(t.caller.Region), "eks", t.caller.Region, t.caller.Account, resource}.String()
}

func selectorsOf(in *eks.CreateFargateProfileInput) []selector {
	out := make([]selector, 0, len(in.Selectors))
	for _, s := range in.Selectors {
		out = append(out, selector{Namespace: aws.ToString(s.Namespace), Labels: pairsOf(s.Labels)})
	}
	return out
}

// startProfile stores a profile that is CREATING. The cluster's hidden busy
// time begins with the end of the creation.
func (t *tx) startProfile(cl *cluster, p *profile) *types.FargateProfile {
	delays := t.cloud.opts.Delays
	delay := delays.CreateFirst
	if cl.UsedRoles[p.RoleARN] {
		delay = delays.Create
	}
	p.Creation = t.change(delay)
	p.KnownAt = p.Creation.EndsAt.Add(t.cloud.draw(delays.Known))
	edited := t.edit(cl)
	edited.UsedRoles[p.RoleARN] = true
	t.admitRole(edited, p)
	if busy := t.cloud.draw(delays.Busy); busy > 0 && !p.Creation.Stuck {
		edited.Busy = append(edited.Busy, window{p.Creation.EndsAt, p.Creation.EndsAt.Add(busy)})
	}
	edited.put(p, t.now)
	return t.describe(edited.Name, p)
}
