// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fake"
)

func signed(o *fake.Options) { o.RequireSignature = true }

func TestSignaturesOfTheSDKAreWellFormed(t *testing.T) {
	overTransports(t, func(e env) {
		if err := create(e.t, e.c, e.api, "web"); err != nil {
			e.t.Error(err)
		}
	}, signed)
}

func TestSignaturesThatAreRefused(t *testing.T) {
	const (
		scope = "Credential=AKIA/20260301/us-east-1/eks/aws4_request"
		head  = "AWS4-HMAC-SHA256 "
	)
	hex := strings.Repeat("0a", 32)
	good := head + scope + ", SignedHeaders=host;x-amz-date, Signature=" + hex
	cases := map[string]struct {
		header, date, body string
		status             int
		want               string
	}{
		"a good one":             {good, "20260301T000000Z", "", 200, ""},
		"without spaces":         {strings.ReplaceAll(good, ", ", ","), "20260301T000000Z", "", 200, ""},
		"none":                   {"", "", "", 403, "MissingAuthenticationTokenException"},
		"none, query protocol":   {"", "", "Action=GetRole", 403, "<Code>MissingAuthenticationToken</Code>"},
		"another algorithm":      {"Basic abc", "d", "", 400, "'AWS4-HMAC-SHA256'"},
		"no credential":          {head + "SignedHeaders=host, Signature=" + hex, "d", "", 400, "'Credential'"},
		"no headers":             {head + scope + ", Signature=" + hex, "d", "", 400, "'SignedHeaders'"},
		"no signature":           {head + scope + ", SignedHeaders=host", "d", "", 400, "'Signature'"},
		"a scope of four":        {strings.Replace(good, "/us-east-1", "", 1), "d", "", 400, "5 slash-delimited elements"},
		"a signature of letters": {strings.Replace(good, "0a", "zz", 1), "d", "", 400, "64 hexadecimal digits"},
		"no date":                {good, "", "", 400, "'X-Amz-Date' or a 'Date' header"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			method, path := "GET", "/clusters"
			if tc.body != "" {
				method, path = "POST", "/"
			}
			request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(tc.body))
			for key, value := range map[string]string{"Authorization": tc.header, "X-Amz-Date": tc.date} {
				if value != "" {
					request.Header.Set(key, value)
				}
			}
			reply := httptest.NewRecorder()
			fake.New(signed).Handler().ServeHTTP(reply, request)
			all := reply.Header().Get("X-Amzn-Errortype") + reply.Body.String()
			if reply.Code != tc.status || !strings.Contains(all, tc.want) {
				t.Errorf("status %d, %s", reply.Code, all)
			}
		})
	}
}
