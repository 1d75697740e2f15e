// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/smithy-go"
)

// eksError returns the type that the SDK's eks client decodes an error to.
func eksError(e *apiError) error {
	if typed, known := eksErrorTypes()[e.code]; known {
		return typed(e)
	}
	return &smithy.GenericAPIError{Code: e.code, Message: e.message, Fault: smithy.FaultUnknown}
}

func eksErrorTypes() map[string]func(*apiError) error {
	return map[string]func(*apiError) error{
		codeAccessDenied: func(e *apiError) error { return &types.AccessDeniedException{Message: &e.message} },
		codeBadRequest:   func(e *apiError) error { return &types.BadRequestException{Message: &e.message} },
		"ClientException": func(e *apiError) error {
			return &types.ClientException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		codeInvalidParameter: func(e *apiError) error {
			return &types.InvalidParameterException{
				Message:            &e.message,
				ClusterName:        e.member("clusterName"),
				FargateProfileName: e.member("fargateProfileName"),
			}
		},
		codeInvalidRequest: func(e *apiError) error {
			return &types.InvalidRequestException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		"InvalidStateException": func(e *apiError) error {
			return &types.InvalidStateException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		codeNotFound: func(e *apiError) error { return &types.NotFoundException{Message: &e.message} },
		codeResourceInUse: func(e *apiError) error {
			return &types.ResourceInUseException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		codeResourceLimitExceeded: func(e *apiError) error {
			return &types.ResourceLimitExceededException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		codeResourceNotFound: func(e *apiError) error {
			return &types.ResourceNotFoundException{
				Message:            &e.message,
				ClusterName:        e.member("clusterName"),
				FargateProfileName: e.member("fargateProfileName"),
			}
		},
		"ResourcePropagationDelayException": func(e *apiError) error {
			return &types.ResourcePropagationDelayException{Message: &e.message}
		},
		codeServer: func(e *apiError) error {
			return &types.ServerException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		"ServiceUnavailableException": func(e *apiError) error {
			return &types.ServiceUnavailableException{Message: &e.message}
		},
		codeThrottling: func(e *apiError) error {
			return &types.ThrottlingException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
		"UnsupportedAvailabilityZoneException": func(e *apiError) error {
			return &types.UnsupportedAvailabilityZoneException{Message: &e.message, ClusterName: e.member("clusterName")}
		},
	}
}

// member returns a further member of the error's body, or nil.
func (e *apiError) member(name string) *string {
	if v, set := e.members[name]; set {
		return &v
	}
	return nil
}
