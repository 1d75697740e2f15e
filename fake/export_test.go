// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "net/http"

// EncodeQuery writes an output of the SDK as the answer of an operation.
func EncodeQuery(c *Cloud, service, name string, output any) []byte {
	return encodeQuery(c.operations[operationKey(service, name)], output, "id")
}

// EncodeREST is EncodeQuery for EKS.
func EncodeREST(c *Cloud, name string, output any) []byte {
	op := c.operations[operationKey(serviceEKS, name)]
	return jsonReply(http.StatusOK, "id", op.rest.encode(c.opts, output)).body
}

// EncodeError writes an error of a service with its further members.
func EncodeError(service, code, message string, members map[string]string) (int, http.Header, []byte) {
	e := apiErrorf(code, "%s", message)
	e.members = members
	reply := errorReply(e, "id")
	if service != serviceEKS {
		reply = queryErrorReply(e, "", "id")
	}
	return reply.status, reply.header, reply.body
}

// TypedError is the error that the typed client of a service returns for a code.
func TypedError(service, code, message string) error {
	e := apiErrorf(code, "%s", message)
	switch service {
	case serviceEKS:
		return eksError(e)
	case "STS":
		return stsError(e)
	default:
		return iamError(e)
	}
}

// QueryOperations are the names of the operations of the query protocol, by
// service.
func QueryOperations(c *Cloud) map[string][]string {
	out := map[string][]string{}
	for _, op := range c.queries {
		out[op.service] = append(out[op.service], op.name)
	}
	return out
}

// RESTOperations are the names of the operations of EKS.
func RESTOperations(c *Cloud) []string {
	var out []string
	for _, op := range c.routes {
		out = append(out, op.name)
	}
	return out
}
