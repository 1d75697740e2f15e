// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// writeTimeout ends a write, with all its retries, that Ctrl-C does not end.
const writeTimeout = time.Minute

// steady makes writes that Ctrl-C does not cut: a write that began comes to its end,
// and none begins after.
type steady struct {
	*eks.Client
}

// Steady is the client with writes that the end of the context does not cut, so that
// a run stops between its steps.
func Steady(client *eks.Client) lifecycle.API { return steady{client} }

func uncut[I, O any](ctx context.Context, do func(context.Context, *I, ...func(*eks.Options)) (*O, error), in *I, optFns []func(*eks.Options)) (*O, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return do(ctx, in, optFns...)
}

// CreateFargateProfile is the method of the client, not cut.
func (s steady) CreateFargateProfile(ctx context.Context, in *eks.CreateFargateProfileInput, optFns ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error) {
	return uncut(ctx, s.Client.CreateFargateProfile, in, optFns)
}

// DeleteFargateProfile is the method of the client, not cut.
func (s steady) DeleteFargateProfile(ctx context.Context, in *eks.DeleteFargateProfileInput, optFns ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error) {
	return uncut(ctx, s.Client.DeleteFargateProfile, in, optFns)
}

// TagResource is the method of the client, not cut.
func (s steady) TagResource(ctx context.Context, in *eks.TagResourceInput, optFns ...func(*eks.Options)) (*eks.TagResourceOutput, error) {
	return uncut(ctx, s.Client.TagResource, in, optFns)
}

// UntagResource is the method of the client, not cut.
func (s steady) UntagResource(ctx context.Context, in *eks.UntagResourceInput, optFns ...func(*eks.Options)) (*eks.UntagResourceOutput, error) {
	return uncut(ctx, s.Client.UntagResource, in, optFns)
}
