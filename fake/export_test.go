// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

// EncodeQuery writes an output of the SDK as the answer of an operation.
func EncodeQuery(c *Cloud, service, name string, output any) []byte {
	return encodeQuery(c.operations[operationKey(service, name)], output, "id")
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
