// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"net/http"
)

// apiError is an error as AWS answers it, in no wire format yet.
type apiError struct {
	code    string
	message string
	status  int
	members map[string]string // further members of the body, such as clusterName
}

func (e *apiError) Error() string { return e.code + ": " + e.message }

// The codes that this package answers with, for EKS.
const (
	codeAccessDenied          = "AccessDeniedException"
	codeBadRequest            = "BadRequestException"
	codeInvalidParameter      = "InvalidParameterException"
	codeInvalidRequest        = "InvalidRequestException"
	codeNotFound              = "NotFoundException"
	codeResourceInUse         = "ResourceInUseException"
	codeResourceLimitExceeded = "ResourceLimitExceededException"
	codeResourceNotFound      = "ResourceNotFoundException"
	codeSerialization         = "SerializationException"
	codeServer                = "ServerException"
	codeThrottling            = "ThrottlingException"
	codeUnknownOperation      = "UnknownOperationException"
)

// statusOf returns the HTTP status that AWS's models give to a code. Codes of
// no model are 400, as most of AWS's are.
func statusOf(code string) int {
	switch code {
	case codeAccessDenied, "AccessDenied", "RegionDisabledException":
		return http.StatusForbidden
	case codeNotFound, codeResourceNotFound, codeUnknownOperation, "NoSuchEntity", "NotSupportedService":
		return http.StatusNotFound
	case codeResourceInUse, "EntityAlreadyExists", "DeleteConflict", "LimitExceeded", "ConcurrentModification",
		"EntityTemporarilyUnmodifiable":
		return http.StatusConflict
	case "ResourcePropagationDelayException":
		return http.StatusPreconditionRequired
	case codeThrottling, "TooManyRequestsException":
		return http.StatusTooManyRequests
	case codeServer, "InternalFailure", "ServiceFailure", "PolicyEvaluation":
		return http.StatusInternalServerError
	case "ServiceUnavailableException", "ServiceUnavailable":
		return http.StatusServiceUnavailable
	default:
		return http.StatusBadRequest
	}
}

func apiErrorf(code, format string, args ...any) *apiError {
	return &apiError{code: code, message: fmt.Sprintf(format, args...), status: statusOf(code)}
}

func invalidParameter(format string, args ...any) error {
	return apiErrorf(codeInvalidParameter, format, args...)
}

func badRequest(format string, args ...any) error {
	return apiErrorf(codeBadRequest, format, args...)
}

// inUse is a refusal because of what goes on in a cluster; logs of such errors
// show the member clusterName.
func inUse(cluster, format string, args ...any) error {
	e := apiErrorf(codeResourceInUse, format, args...)
	e.members = map[string]string{"clusterName": cluster}
	return e
}
