// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/http"
	"net/url"
)

// serveQuery answers a request of the query protocol, or returns false when
// nothing here has its Action.
func (c *Cloud) serveQuery(r *http.Request, body []byte) (wireReply, bool) {
	if r.Method != http.MethodPost || r.URL.Path != "/" && r.URL.Path != "" {
		return wireReply{}, false
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return wireReply{}, false
	}
	op := c.queries[queryKey(form.Get("Version"), form.Get("Action"))]
	if op == nil {
		return wireReply{}, false
	}
	input := op.query.input()
	if err := decodeQuery(form, input); err != nil {
		return queryErrorReply(asAPIError(err), op.query.api.namespace(), *c.newToken()), true
	}
	return c.answerQuery(r, op, input), true
}

func (c *Cloud) answerQuery(r *http.Request, op *operation, input any) wireReply {
	reply := c.call(r.Context(), c.callerOf(r), op, input)
	switch {
	case reply.lost:
		return wireReply{lost: true}
	case reply.err != nil:
		return queryErrorReply(reply.err, op.query.api.namespace(), reply.requestID)
	}
	return xmlReply(http.StatusOK, reply.requestID, encodeQuery(op, reply.output, reply.requestID))
}
