// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

func TestParseDocument_ReadsEverySpelling(t *testing.T) {
	service := iam.Principal{ByType: map[string][]string{"Service": {"eks-fargate-pods.amazonaws.com"}}}
	statement := iam.Statement{Effect: iam.EffectAllow, Principal: service, Action: []string{"sts:AssumeRole"}}
	tests := map[string]struct {
		text string
		want iam.Document
	}{
		"an empty object": {`{}`, iam.Document{}},
		"one statement": {
			`{"Statement":{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"}}`,
			iam.Document{Statements: []iam.Statement{statement}},
		},
		"a list of statements, and lists of one": {
			`{"Version":"2012-10-17","Id":"x","Statement":[{"Effect":"Allow","Principal":{"Service":["eks-fargate-pods.amazonaws.com"]},"Action":["sts:AssumeRole"]}]}`,
			iam.Document{Version: iam.VersionCurrent, ID: "x", Statements: []iam.Statement{statement}},
		},
		"an empty list of statements is not an absent one": {`{"Statement":[]}`, iam.Document{Statements: []iam.Statement{}}},
		"an empty list of actions is not an absent one":    {`{"Statement":{"Action":[]}}`, iam.Document{Statements: []iam.Statement{{Action: []string{}}}}},
		"everyone":        {`{"Statement":{"Principal":"*"}}`, iam.Document{Statements: []iam.Statement{{Principal: iam.Principal{Everyone: true}}}}},
		"white space":     {" \n\t{ \"Id\" : \"x\" }\r\n", iam.Document{ID: "x"}},
		"an escaped name": {`{"\u0049d":"x"}`, iam.Document{ID: "x"}},
		"the negated elements": {
			`{"Statement":{"Sid":"s","NotPrincipal":{"AWS":["1","2"]},"NotAction":"a:b","Resource":"r","NotResource":["q"]}}`,
			iam.Document{Statements: []iam.Statement{{
				Sid:          "s",
				NotPrincipal: iam.Principal{ByType: map[string][]string{"AWS": {"1", "2"}}},
				NotAction:    []string{"a:b"}, Resource: []string{"r"}, NotResource: []string{"q"},
			}}},
		},
		"numbers and booleans as the text that they are": {
			`{"Statement":{"Principal":{"AWS":111122223333},"Condition":{"ForAllValues:StringEqualsIfExists":{"k":[1.50,12345678901234567890123,true,"x"]}}}}`,
			iam.Document{Statements: []iam.Statement{{
				Principal: iam.Principal{ByType: map[string][]string{"AWS": {"111122223333"}}},
				Condition: iam.Condition{"ForAllValues:StringEqualsIfExists": {"k": {"1.50", "12345678901234567890123", "true", "x"}}},
			}}},
		},
		"unknown elements": {
			`{"Statement":{"Why":{"b":[1e400, null],"a":"<&>"}},"Extra":false}`,
			iam.Document{
				Statements: []iam.Statement{{Other: []iam.Element{{Name: "Why", JSON: `{"b":[1e400,null],"a":"<&>"}`}}}},
				Other:      []iam.Element{{Name: "Extra", JSON: "false"}},
			},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, mustParse(t, tc.text)); diff != "" {
				t.Errorf("plain (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, mustParse(t, url.PathEscape(tc.text))); diff != "" {
				t.Errorf("URL-encoded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, mustParse(t, mustParse(t, tc.text).String())); diff != "" {
				t.Errorf("written and read again (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseDocument_KeepsAPlusSignOfTheURLEncoding(t *testing.T) {
	d := mustParse(t, "%7B%22Id%22%3A%22a+b%25%22%7D")
	if d.ID != "a+b%" {
		t.Errorf("Id = %q, want a+b%%", d.ID)
	}
}

func TestParseDocument_RefusesWithThePath(t *testing.T) {
	tests := map[string]struct{ text, path, reason string }{
		"nothing":                      {"", "", "not valid JSON"},
		"text after the document":      {`{} {}`, "", "not valid JSON after 4 bytes"},
		"a trailing comma":             {`{"Id":"x",}`, "", "not valid JSON"},
		"text that is not UTF-8":       {"{\"Id\":\"\xff\"}", "", "not UTF-8"},
		"wrong URL encoding":           {"%7B%2", "", "wrong URL encoding"},
		"a list for a document":        {`[]`, "", "want an object, got a list"},
		"null for a document":          {`null`, "", "want an object, got null"},
		"a number for a version":       {`{"Version":2012}`, "Version", "want a string, got a number"},
		"a boolean for a statement":    {`{"Statement":true}`, "Statement", "want a list, got a boolean"},
		"a string in the statements":   {`{"Statement":[{},"x"]}`, "Statement[1]", "want an object, got a string"},
		"a list for an effect":         {`{"Statement":{"Effect":[]}}`, "Statement.Effect", "want a string, got a list"},
		"a string for a principal":     {`{"Statement":{"Principal":"eks"}}`, "Statement.Principal", `want "*" or an object such as {"Service": "eks-fargate-pods.amazonaws.com"}, got a string`},
		"an object for a principal id": {`{"Statement":{"NotPrincipal":{"AWS":{}}}}`, "Statement.NotPrincipal.AWS", "want a string or a list of strings, got an object"},
		"a list in an action":          {`{"Statement":{"Action":[["a"]]}}`, "Statement.Action", "got a list"},
		"null in an action":            {`{"Statement":{"Action":null}}`, "Statement.Action", "got null"},
		"a string for a condition":     {`{"Statement":{"Condition":"x"}}`, "Statement.Condition", "want an object, got a string"},
		"a string for an operator":     {`{"Statement":{"Condition":{"Bool":"x"}}}`, "Statement.Condition.Bool", "want an object, got a string"},
		"null for a condition value":   {`{"Statement":{"Condition":{"Bool":{"aws:k":null}}}}`, "Statement.Condition.Bool.aws:k", "got null"},
		"a key twice": {
			`{"Statement":[{"Condition":{"ArnLike":{"aws:SourceArn":"a","aws:SourceArn":"b"}}}]}`,
			"Statement[0].Condition.ArnLike.aws:SourceArn", `the key "aws:SourceArn" appears twice in one object; give one key a list of values instead`,
		},
		"a key twice in an unknown element":       {`{"X":[{"a b":1,"a b":1}]}`, `X[0]["a b"]`, "twice"},
		"a key twice that is escaped differently": {`{"Id":"x","\u0049d":"y"}`, "Id", "twice"},
		"nested too deep":                         {`{"X":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + `}`, "X" + strings.Repeat("[0]", 15), "nested more than 16 deep"},
		"too many characters":                     {`{"Id":"` + strings.Repeat("x", 131072) + `"}`, "", "131081 characters are more than the 131072"},
		"too many bytes":                          {strings.Repeat("%20", 300000), "", "900000 bytes are more than the 786432"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := iam.ParseDocument(tc.text)
			got, ok := errors.AsType[*iam.DocumentError](err)
			if !ok {
				t.Fatalf("error = %v, want a *DocumentError", err)
			}
			if got.Path != tc.path || !strings.Contains(got.Reason, tc.reason) {
				t.Errorf("got path %q, reason %q; want path %q, reason with %q", got.Path, got.Reason, tc.path, tc.reason)
			}
			if !strings.Contains(err.Error(), got.Reason) || !strings.Contains(err.Error(), got.Path) {
				t.Errorf("Error() = %q leaves out the path or the reason", err)
			}
		})
	}
}

// The largest document that IAM takes, also where every character is encoded.
func TestParseDocument_TakesTheLargest(t *testing.T) {
	text := `{"Id":"` + strings.Repeat("x", iam.MaxDocumentSize-9) + `"}`
	var encoded strings.Builder
	for _, b := range []byte(text) {
		fmt.Fprintf(&encoded, "%%%02X", b)
	}
	padding := 6*iam.MaxDocumentSize - encoded.Len()
	for name, s := range map[string]string{"plain": text, "encoded": encoded.String(), "with space": encoded.String() + strings.Repeat(" ", padding)} {
		if d, err := iam.ParseDocument(s); err != nil || len(d.ID) != iam.MaxDocumentSize-9 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := iam.ParseDocument(encoded.String() + strings.Repeat(" ", padding+1)); err == nil {
		t.Error("a byte too many is read")
	}
}

func TestDocument_IsAJSONValue(t *testing.T) {
	const text = `{"role":"fp","trust":{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole","Condition":{"Bool":{"aws:PrincipalIsAWSService":"true"}}}]}}`
	var v struct {
		Role  string       `json:"role"`
		Trust iam.Document `json:"trust"`
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
	if err := json.Unmarshal([]byte(`{"trust":{"Id":1}}`), &v); err == nil {
		t.Error("a wrong document was read without an error")
	}
	if !v.Trust.Statements[0].Principal.Everyone {
		t.Error("a wrong document replaced the one that was there")
	}
}

func TestDocument_AnElementWithoutJSONIsAnErrorToWrite(t *testing.T) {
	d := iam.Document{Other: []iam.Element{{Name: "X", JSON: "{"}}}
	if _, err := json.Marshal(d); err == nil {
		t.Error("marshalling succeeded")
	}
	if got := d.Indent(); got != `{"X":{}` {
		t.Errorf("Indent() = %s, want the text as it is", got)
	}
	if !iam.Equivalent(d, d) {
		t.Error("the document is not equivalent to itself")
	}
}
