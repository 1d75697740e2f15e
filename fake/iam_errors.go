// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/smithy-go"
)

// iamError returns the type that the SDK's iam client decodes an error to.
func iamError(e *apiError) error {
	if typed, known := iamErrorTypes()[e.code]; known {
		return typed(e)
	}
	return &smithy.GenericAPIError{Code: e.code, Message: e.message, Fault: smithy.FaultUnknown}
}

// iamErrorTypes are the errors of the operations that the Cloud implements.
func iamErrorTypes() map[string]func(*apiError) error {
	return map[string]func(*apiError) error{
		"ConcurrentModification":        func(e *apiError) error { return &types.ConcurrentModificationException{Message: &e.message} },
		codeDeleteConflict:              func(e *apiError) error { return &types.DeleteConflictException{Message: &e.message} },
		codeEntityAlreadyExists:         func(e *apiError) error { return &types.EntityAlreadyExistsException{Message: &e.message} },
		"EntityTemporarilyUnmodifiable": func(e *apiError) error { return &types.EntityTemporarilyUnmodifiableException{Message: &e.message} },
		codeInvalidInput:                func(e *apiError) error { return &types.InvalidInputException{Message: &e.message} },
		codeLimitExceeded:               func(e *apiError) error { return &types.LimitExceededException{Message: &e.message} },
		codeMalformedPolicy:             func(e *apiError) error { return &types.MalformedPolicyDocumentException{Message: &e.message} },
		codeNoSuchEntity:                func(e *apiError) error { return &types.NoSuchEntityException{Message: &e.message} },
		"PolicyEvaluation":              func(e *apiError) error { return &types.PolicyEvaluationException{Message: &e.message} },
		codePolicyNotAttachable:         func(e *apiError) error { return &types.PolicyNotAttachableException{Message: &e.message} },
		"ServiceFailure":                func(e *apiError) error { return &types.ServiceFailureException{Message: &e.message} },
		"NotSupportedService":           func(e *apiError) error { return &types.ServiceNotSupportedException{Message: &e.message} },
		codeUnmodifiableEntity:          func(e *apiError) error { return &types.UnmodifiableEntityException{Message: &e.message} },
	}
}
