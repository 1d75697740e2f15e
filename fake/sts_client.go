// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/aws-sdk-go-v2/service/sts/types"
	"github.com/aws/smithy-go"
)

// STS is a client with the methods of *sts.Client that the Cloud implements. It
// is to STS what EKS is to EKS: one attempt, no wire, no credentials.
type STS struct {
	cloud  *Cloud
	caller Caller
}

// STS returns a client for the Cloud's account, or for the caller that the
// options describe. Per-call options of the SDK may change the region, and with
// it the partition; they have no other effect.
func (c *Cloud) STS(optFns ...func(*Caller)) *STS {
	var caller Caller
	for _, fn := range optFns {
		fn(&caller)
	}
	return &STS{cloud: c, caller: c.resolve(caller)}
}

func invokeSTS[O, I any](
	ctx context.Context, s *STS, name string, in *I, optFns []func(*sts.Options),
) (*O, error) {
	if in == nil {
		in = new(I)
	}
	options := sts.Options{Region: s.caller.Region}
	for _, fn := range optFns {
		fn(&options)
	}
	caller := s.caller
	caller.Region = options.Region
	op := s.cloud.operations[operationKey(serviceSTS, name)]
	output, err := s.cloud.invoke(ctx, caller, op, in, stsError)
	if err != nil {
		return nil, err
	}
	return output.(*O), nil
}

// GetCallerIdentity says whose the credentials are.
func (s *STS) GetCallerIdentity(
	ctx context.Context, in *sts.GetCallerIdentityInput, optFns ...func(*sts.Options),
) (*sts.GetCallerIdentityOutput, error) {
	return invokeSTS[sts.GetCallerIdentityOutput](ctx, s, "GetCallerIdentity", in, optFns)
}

// AssumeRole returns credentials of a role that trusts the caller. The Cloud
// knows whose they are when they sign a request.
func (s *STS) AssumeRole(
	ctx context.Context, in *sts.AssumeRoleInput, optFns ...func(*sts.Options),
) (*sts.AssumeRoleOutput, error) {
	return invokeSTS[sts.AssumeRoleOutput](ctx, s, "AssumeRole", in, optFns)
}

// stsError returns the type that the SDK's sts client decodes an error to.
func stsError(e *apiError) error {
	switch e.code {
	case "ExpiredTokenException":
		return &types.ExpiredTokenException{Message: &e.message}
	case codeMalformedPolicy:
		return &types.MalformedPolicyDocumentException{Message: &e.message}
	case "PackedPolicyTooLarge":
		return &types.PackedPolicyTooLargeException{Message: &e.message}
	case "RegionDisabledException":
		return &types.RegionDisabledException{Message: &e.message}
	default:
		return &smithy.GenericAPIError{Code: e.code, Message: e.message, Fault: smithy.FaultUnknown}
	}
}
