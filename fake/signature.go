// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/http"
	"net/url"
	"strings"
)

// signatureProblem says what is wrong with the form of a request's signature of
// version 4, or nil. The codes are those that AWS documents for all services.
func signatureProblem(r *http.Request) *apiError {
	header := r.Header.Get("Authorization")
	if header == "" {
		e := apiErrorf("MissingAuthenticationTokenException", "Missing Authentication Token")
		e.status = http.StatusForbidden
		return e
	}
	fields, isV4 := strings.CutPrefix(header, "AWS4-HMAC-SHA256 ")
	if !isV4 {
		return incompleteSignature("Authorization header requires 'AWS4-HMAC-SHA256' as its algorithm.")
	}
	values := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		values[name] = value
	}
	for _, name := range []string{"Credential", "SignedHeaders", "Signature"} {
		if values[name] == "" {
			return incompleteSignature("Authorization header requires '" + name + "' parameter.")
		}
	}
	switch {
	case !isScope(values["Credential"]):
		return incompleteSignature("Credential must have exactly 5 slash-delimited elements, the last of them aws4_request.")
	case len(values["Signature"]) != 64 || strings.Trim(values["Signature"], "0123456789abcdef") != "":
		return incompleteSignature("Signature must have 64 hexadecimal digits.")
	case r.Header.Get("X-Amz-Date") == "" && r.Header.Get("Date") == "":
		return incompleteSignature("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
	default:
		return nil
	}
}

func incompleteSignature(text string) *apiError {
	return apiErrorf("IncompleteSignatureException", "%s", text)
}

func isScope(credential string) bool {
	parts := strings.Split(credential, "/")
	return len(parts) == 5 && parts[0] != "" && len(parts[1]) == 8 && parts[2] != "" && parts[3] != "" &&
		parts[4] == "aws4_request"
}

// refuseUnsigned answers in the format of the request's protocol. The query
// protocol's codes have no suffix.
func (c *Cloud) refuseUnsigned(e *apiError, body []byte) wireReply {
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("Action") {
		return c.refuse(e)
	}
	e.code = strings.TrimSuffix(e.code, "Exception")
	return queryErrorReply(e, "", *c.newToken())
}
