// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

const (
	// MaxDocumentSize is the most characters of a document that IAM's API
	// takes. ParseDocument refuses longer ones.
	// Source: API model of IAM, shape policyDocumentType.
	MaxDocumentSize = 131072

	// maxTextSize bounds the text before it is decoded. A character that IAM
	// allows needs at most six bytes when it is URL-encoded.
	maxTextSize = 6 * MaxDocumentSize
)

// ParseDocument reads a policy document, as JSON or as the URL-encoded JSON that
// IAM answers with (RFC 3986; the SDK does not decode it).
//
// It takes every spelling that IAM takes and keeps elements it does not know. It
// refuses, with a [*DocumentError], what has no one meaning: text that is not
// JSON, a key that appears twice in an object, an element of the wrong type,
// nesting deeper than 16 and more than [MaxDocumentSize] characters.
func ParseDocument(s string) (Document, error) {
	text, err := documentText(s)
	if err != nil {
		return Document{}, err
	}
	root, err := parseJSON(text)
	if err != nil {
		return Document{}, err
	}
	return readDocument(root)
}

// UnmarshalJSON reads a document like [ParseDocument].
func (d *Document) UnmarshalJSON(text []byte) error {
	parsed, err := ParseDocument(string(text))
	if err == nil {
		*d = parsed
	}
	return err
}

// documentText undoes the URL encoding, if any, and checks the size.
func documentText(s string) (string, error) {
	if len(s) > maxTextSize {
		return "", fault("", "%d bytes are more than the %d that are read", len(s), maxTextSize)
	}
	text := strings.TrimSpace(s)
	// JSON can't start with a percent sign, and encoded JSON can't start with
	// anything else.
	if strings.HasPrefix(text, "%") {
		decoded, err := url.PathUnescape(text)
		if err != nil {
			return "", fault("", "wrong URL encoding: %v", err)
		}
		text = decoded
	}
	if !utf8.ValidString(text) {
		return "", fault("", "the text is not UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > MaxDocumentSize {
		return "", fault("", "%d characters are more than the %d that IAM takes", n, MaxDocumentSize)
	}
	return text, nil
}
