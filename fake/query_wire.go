// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/http"
	"reflect"
	"strconv"
)

// queryErrorReply is an error of the query protocol, which IAM and STS speak.
// namespace is that of the service, "" when none is known.
func queryErrorReply(e *apiError, namespace, id string) wireReply {
	kind := "Sender"
	if e.status >= http.StatusInternalServerError {
		kind = "Receiver"
	}
	w := &xmlWriter{}
	w.open("ErrorResponse", namespace)
	w.open("Error", "")
	w.element("Type", reflect.ValueOf(kind))
	w.element("Code", reflect.ValueOf(e.code))
	w.element("Message", reflect.ValueOf(e.message))
	w.close("Error")
	w.element("RequestId", reflect.ValueOf(id))
	w.close("ErrorResponse")
	return xmlReply(e.status, id, w.out.Bytes())
}

func xmlReply(status int, id string, body []byte) wireReply {
	header := http.Header{
		"Content-Type":   {"text/xml"},
		"Content-Length": {strconv.Itoa(len(body))},
		headerRequestID:  {id},
	}
	return wireReply{status: status, header: header, body: body}
}
