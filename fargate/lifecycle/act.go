// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awscall"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// act makes the one call of a decision.
func (r *Reconciler) act(ctx context.Context, in fargate.Input, d fargate.Decision) (Outcome, error) {
	observed, err := r.write(ctx, *d.Call)
	if err != nil {
		out, err := refuse(in, d, err)
		if err == nil {
			r.report(ctx, slog.LevelInfo, in, out.Decision)
		}
		return out, err
	}
	d.Memory = d.Memory.Forget(fargate.TroubleInUse, fargate.TroubleTrust, fargate.TroubleRefused)
	if d.Reason == fargate.ReasonTagsDiffer || d.Reason == fargate.ReasonMarksDiffer {
		d.Memory.Untagged = d.Call.RemoveTags // nil after the memory on the profile was written
	}
	if observed == nil {
		// The peer that is not there can be one that a stale writer is about to make.
		d.Memory.Unlisted = d.Memory.Unlisted || d.Reason == fargate.ReasonForgettingPeer
		return outcome(in, d, tagged(in.Observed, *d.Call), nil), nil
	}
	if d.Call.Operation == fargate.OperationCreate {
		d.Memory.Physical, d.Memory.ARN = observed.Spec.Name, observed.ARN
	}
	return outcome(in, d, observed, nil), nil
}

// tagged is the profile as it was seen, with the tags that a call has changed since.
func tagged(o *fargate.Observed, c fargate.Call) *fargate.Observed {
	if o == nil || o.ARN != c.ARN {
		return o
	}
	now := *o
	now.Spec.Tags = c.TagsAfter(o.Spec.Tags)
	return &now
}

// write makes the call, and returns the profile where the reply tells it.
func (r *Reconciler) write(ctx context.Context, w fargate.Call) (*fargate.Observed, error) {
	c := caller{Reconciler: r, cluster: w.Cluster, profile: w.Profile}
	switch w.Operation {
	case fargate.OperationCreate:
		// The token is the SDK's own random one: a lost reply is settled by the next
		// Describe, since the name is unique.
		out, err := call(ctx, c, string(w.Operation), w.Profile, func() (*eks.CreateFargateProfileOutput, error) {
			return r.api.CreateFargateProfile(ctx, sdkconv.CreateInput(*w.Spec))
		})
		if err != nil {
			return nil, err
		}
		return c.replied(w, out.FargateProfile)
	case fargate.OperationDelete:
		out, err := call(ctx, c, string(w.Operation), w.Profile, func() (*eks.DeleteFargateProfileOutput, error) {
			return r.api.DeleteFargateProfile(ctx, &eks.DeleteFargateProfileInput{ClusterName: &w.Cluster, FargateProfileName: &w.Profile})
		})
		if err != nil {
			return nil, err
		}
		return c.replied(w, out.FargateProfile)
	case fargate.OperationTag:
		_, err := call(ctx, c, string(w.Operation), w.Profile, func() (*eks.TagResourceOutput, error) {
			return r.api.TagResource(ctx, &eks.TagResourceInput{ResourceArn: &w.ARN, Tags: w.SetTags})
		})
		return nil, err
	case fargate.OperationUntag:
		_, err := call(ctx, c, string(w.Operation), w.Profile, func() (*eks.UntagResourceOutput, error) {
			return r.api.UntagResource(ctx, &eks.UntagResourceInput{ResourceArn: &w.ARN, TagKeys: w.RemoveTags})
		})
		return nil, err
	default:
		return nil, c.failed("deciding", w.Profile, fmt.Errorf("unknown operation %q", w.Operation))
	}
}

// replied is the profile of a reply.
func (c caller) replied(w fargate.Call, p *types.FargateProfile) (*fargate.Observed, error) {
	if p == nil {
		return nil, c.failed(string(w.Operation), w.Profile, awscall.ErrEmptyAnswer)
	}
	return new(sdkconv.Observed(p)), nil
}
