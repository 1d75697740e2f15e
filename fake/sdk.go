// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// invoke makes a call for a typed client. Its errors are what the SDK's client
// returns after one attempt: the same types, in the same wrappers.
func (c *Cloud) invoke(
	ctx context.Context, caller Caller, op *operation, input any, typed func(*apiError) error,
) (any, error) {
	if err := op.missing(input); err != nil {
		return nil, operationError(op, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, operationError(op, &aws.RequestCanceledError{Err: err})
	}
	r := c.call(ctx, caller, op, input)
	switch {
	case r.lost && ctx.Err() != nil:
		return nil, operationError(op, &aws.RequestCanceledError{Err: ctx.Err()})
	case r.lost:
		return nil, operationError(op, &smithyhttp.RequestSendError{Err: io.ErrUnexpectedEOF})
	case r.err != nil:
		return nil, operationError(op, responseError(r, typed(r.err)))
	default:
		return r.output, nil
	}
}

func operationError(op *operation, err error) error {
	return &smithy.OperationError{ServiceID: op.service, OperationName: op.name, Err: err}
}

func responseError(r reply, err error) error {
	response := &http.Response{
		StatusCode: r.err.status,
		Status:     http.StatusText(r.err.status),
		Header:     http.Header{headerRequestID: {r.requestID}},
		Body:       http.NoBody,
	}
	return &awshttp.ResponseError{
		ResponseError: &smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: response}, Err: err},
		RequestID:     r.requestID,
	}
}

// newToken makes an idempotency token, as the SDK does for a call without one.
func (c *Cloud) newToken() *string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return new(requestID(c.rand))
}
