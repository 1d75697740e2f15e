// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/xml"
	"net/http"
	"strconv"
)

// queryError is an error of the query protocol, which IAM and STS speak.
type queryError struct {
	XMLName   xml.Name `xml:"ErrorResponse"`
	Type      string   `xml:"Error>Type"`
	Code      string   `xml:"Error>Code"`
	Message   string   `xml:"Error>Message"`
	RequestID string   `xml:"RequestId"`
}

func queryErrorReply(e *apiError, id string) wireReply {
	kind := "Sender"
	if e.status >= http.StatusInternalServerError {
		kind = "Receiver"
	}
	return xmlReply(e.status, id, queryError{Type: kind, Code: e.code, Message: e.message, RequestID: id})
}

func xmlReply(status int, id string, value any) wireReply {
	body, err := xml.Marshal(value)
	if err != nil {
		return errorReply(apiErrorf(codeServer, "%v", err), id)
	}
	header := http.Header{
		"Content-Type":   {"text/xml"},
		"Content-Length": {strconv.Itoa(len(body))},
		headerRequestID:  {id},
	}
	return wireReply{status: status, header: header, body: body}
}
