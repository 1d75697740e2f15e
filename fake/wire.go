// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const (
	headerRequestID = "X-Amzn-Requestid"
	headerErrorType = "X-Amzn-Errortype"

	// maxBody is the most that a request's body may hold: 1 MiB.
	maxBody = 1 << 20
)

// wireReply is an HTTP response in pieces. A lost one is never sent.
type wireReply struct {
	status int
	header http.Header
	body   []byte
	lost   bool
}

// serve answers one HTTP request. It does not read more than maxBody.
func (c *Cloud) serve(r *http.Request) wireReply {
	if c.isControl(r) {
		return c.control(r)
	}
	body, err := readBody(r.Body)
	if err != nil {
		return c.refuse(asAPIError(err))
	}
	if c.opts.RequireSignature {
		if problem := signatureProblem(r); problem != nil {
			return c.refuseUnsigned(problem, body)
		}
	}
	op, labels := c.route(r.Method, r.URL.EscapedPath())
	if op == nil {
		if reply, known := c.serveQuery(r, body); known {
			return reply
		}
		return c.refuseUnknown(r, body)
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return c.refuse(apiErrorf(codeSerialization, "The query is not valid: %v", err))
	}
	input, err := op.rest.decode(restRequest{labels: labels, query: query, body: body})
	if err != nil {
		return c.refuse(asAPIError(err))
	}
	return c.answer(r.Context(), c.callerOf(r), op, input)
}

func (c *Cloud) answer(ctx context.Context, caller Caller, op *operation, input any) wireReply {
	r := c.call(ctx, caller, op, input)
	switch {
	case r.lost:
		return wireReply{lost: true}
	case r.err != nil:
		return errorReply(r.err, r.requestID)
	}
	return jsonReply(http.StatusOK, r.requestID, op.rest.encode(c.opts, r.output))
}

// refuse answers a request that is no call: it is in no journal and meets no
// fault.
func (c *Cloud) refuse(e *apiError) wireReply { return errorReply(e, *c.newToken()) }

// errorReply names the code in a header, as EKS does.
func errorReply(e *apiError, id string) wireReply {
	body := map[string]string{}
	maps.Copy(body, e.members)
	body["message"] = e.message
	out := jsonReply(e.status, id, body)
	out.header.Set(headerErrorType, e.code)
	return out
}

func jsonReply(status int, id string, value any) wireReply {
	body, err := json.Marshal(value)
	if err != nil {
		return errorReply(apiErrorf(codeServer, "%v", err), id)
	}
	header := http.Header{
		"Content-Type":   {"application/json"},
		"Content-Length": {strconv.Itoa(len(body))},
		headerRequestID:  {id},
	}
	return wireReply{status: status, header: header, body: body}
}

func readBody(r io.Reader) ([]byte, error) {
	body, err := readUpTo(r, maxBody)
	switch {
	case errors.Is(err, errTooLong):
		e := apiErrorf("RequestEntityTooLargeException", "The body is longer than %d bytes.", maxBody)
		e.status = http.StatusRequestEntityTooLarge
		return nil, e
	case err != nil:
		return nil, apiErrorf(codeSerialization, "The body cannot be read: %v", err)
	default:
		return body, nil
	}
}

var errTooLong = errors.New("the body is too long")

// readUpTo reads all, and no more than limit bytes.
func readUpTo(r io.Reader, limit int64) ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, errTooLong
	}
	return body, nil
}

// decodeBody reads a JSON object; an empty body is an empty object.
func decodeBody(body []byte, into any) error {
	if len(body) == 0 {
		return nil
	}
	err := json.Unmarshal(body, into)
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return apiErrorf(codeSerialization, "The member %q has the wrong type: %s", mismatch.Field, mismatch.Value)
	}
	if err != nil {
		return apiErrorf(codeSerialization, "The body is not valid JSON: %v", err)
	}
	return nil
}

// refuseUnknown names what was asked for and is not implemented, in the format
// of the protocol that the request speaks.
func (c *Cloud) refuseUnknown(r *http.Request, body []byte) wireReply {
	const text = "The fake does not implement the operation %s."
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("Action") {
		return c.refuse(apiErrorf(codeUnknownOperation, text, r.Method+" "+r.URL.EscapedPath()))
	}
	name := fmt.Sprintf("%s (version %s)", form.Get("Action"), form.Get("Version"))
	return queryErrorReply(apiErrorf(codeUnknownOperation, text, name), "", *c.newToken())
}

// callerOf reads account and region from the credential scope of a signature.
// An access key of twelve digits names an account, one of AssumeRole a session
// of a role; any other key belongs to the default account. Signatures are not
// checked.
func (c *Cloud) callerOf(r *http.Request) Caller {
	_, credential, found := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	credential, _, _ = strings.Cut(credential, ",")
	scope := strings.Split(strings.TrimSpace(credential), "/")
	if !found || len(scope) != 5 {
		return Caller{}
	}
	caller := Caller{Region: scope[2]}
	if isAccount(scope[0]) {
		caller.Account = scope[0]
	}
	return c.sessionCaller(scope[0], caller)
}

func isAccount(s string) bool {
	return len(s) == 12 && strings.Trim(s, "0123456789") == ""
}
