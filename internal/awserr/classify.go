// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awserr

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Classify says what err means. Nil has the zero Fault.
func Classify(err error) Fault {
	switch {
	case err == nil:
		return Fault{}
	case canceled(err):
		return Fault{Kind: Canceled}
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return Fault{Kind: withoutCode(err)}
	}
	f := Fault{Kind: byCode(api.ErrorCode()), Code: api.ErrorCode(), Message: api.ErrorMessage()}
	f.readText()
	if f.Kind == Unknown {
		f.Kind = byStatus(err)
	}
	return f
}

// canceled reports whether a context ended. The time-outs of Go's dialer and HTTP
// client say that they are deadlines, too; but the SDK calls an error one of
// sending only while the context of the call goes on.
func canceled(err error) bool {
	if _, ok := errors.AsType[*smithy.CanceledError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*smithyhttp.RequestSendError](err); ok {
		return false
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Is reports whether err is of the kind.
func Is(err error, kind Kind) bool { return Classify(err).Kind == kind }

// withoutCode judges an error that AWS did not send as one of its own.
func withoutCode(err error) Kind {
	if _, ok := errors.AsType[*smithyhttp.RequestSendError](err); ok {
		return Transient
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return Transient
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return Transient
	}
	return byStatus(err)
}

func byStatus(err error) Kind {
	response, ok := errors.AsType[*smithyhttp.ResponseError](err)
	if !ok {
		return Unknown
	}
	switch status := response.HTTPStatusCode(); {
	case status == http.StatusTooManyRequests:
		return Throttled
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Denied
	case status >= http.StatusInternalServerError:
		return Transient
	}
	return Unknown
}

// byCode is the meaning of a code: Unknown where the table has none.
func byCode(code string) Kind {
	if kind, ok := codes()[code]; ok {
		return kind
	}
	return Unknown
}

// codes is the table of codes. EKS uses names that end in Exception, IAM short
// ones, and the front door of AWS both.
func codes() map[string]Kind {
	return map[string]Kind{
		"ResourceNotFoundException":            ProfileNotFound,
		"NotFoundException":                    TargetNotFound,
		"ResourceInUseException":               InUse,
		"ThrottlingException":                  Throttled,
		"Throttling":                           Throttled,
		"ThrottledException":                   Throttled,
		"TooManyRequestsException":             Throttled,
		"RequestLimitExceeded":                 Throttled,
		"RequestThrottled":                     Throttled,
		"RequestThrottledException":            Throttled,
		"AccessDeniedException":                Denied,
		"AccessDenied":                         Denied,
		"UnauthorizedOperation":                Denied,
		"UnrecognizedClientException":          Denied,
		"InvalidClientTokenId":                 Denied,
		"ExpiredToken":                         Denied,
		"ExpiredTokenException":                Denied,
		"InvalidSignatureException":            Denied,
		"SignatureDoesNotMatch":                Denied,
		"IncompleteSignature":                  Denied,
		"MissingAuthenticationToken":           Denied,
		"OptInRequired":                        Denied,
		"ResourceLimitExceededException":       QuotaExceeded,
		"LimitExceeded":                        QuotaExceeded,
		"LimitExceededException":               QuotaExceeded,
		"UnsupportedAvailabilityZoneException": UnsupportedZone,
		"InvalidParameterException":            Invalid,
		"InvalidRequestException":              Invalid,
		"BadRequestException":                  Invalid,
		"InvalidStateException":                Invalid,
		"ClientException":                      Invalid,
		"ValidationError":                      Invalid,
		"ValidationException":                  Invalid,
		"InvalidInput":                         Invalid,
		"MalformedPolicyDocument":              Invalid,
		"UnmodifiableEntity":                   Invalid,
		"PolicyNotAttachable":                  Invalid,
		"ServerException":                      Transient,
		"ServiceUnavailableException":          Transient,
		"ServiceUnavailable":                   Transient,
		"InternalFailure":                      Transient,
		"InternalServerError":                  Transient,
		"ServiceFailure":                       Transient,
		"ResourcePropagationDelayException":    Transient,
		"RequestTimeout":                       Transient,
		"NoSuchEntity":                         NoSuchEntity,
		"NoSuchEntityException":                NoSuchEntity,
		"EntityAlreadyExists":                  EntityExists,
		"EntityAlreadyExistsException":         EntityExists,
		"DeleteConflict":                       DeleteConflict,
		"DeleteConflictException":              DeleteConflict,
		"ConcurrentModification":               Conflict,
		"ConcurrentModificationException":      Conflict,
	}
}
