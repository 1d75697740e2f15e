// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awscall_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/internal/awscall"
)

func TestPages(t *testing.T) {
	tests := map[string]struct {
		tokens   []string // what each page says of the next one
		read     int
		repeated string
	}{
		"one page":                   {tokens: []string{""}, read: 1},
		"three pages":                {tokens: []string{"a", "b", ""}, read: 3},
		"a page that names itself":   {tokens: []string{"a", "a", "a"}, read: 2, repeated: "a"},
		"pages that go round":        {tokens: []string{"a", "b", "c", "a"}, read: 4, repeated: "a"},
		"the first page comes again": {tokens: []string{"a", "b", "b"}, read: 3, repeated: "b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			read := 0
			err := awscall.Pages(func(token *string) (*string, error) {
				if want := read > 0; (token != nil) != want || want && *token != tt.tokens[read-1] {
					t.Errorf("page %d is asked for with %v", read, token)
				}
				read++
				return &tt.tokens[read-1], nil
			})
			repeated, ok := errors.AsType[*awscall.RepeatedPageError](err)
			if read != tt.read || ok != (tt.repeated != "") || ok && (repeated.Token != tt.repeated || !strings.Contains(err.Error(), tt.repeated)) {
				t.Errorf("Pages() = %v after %d pages, want %q after %d", err, read, tt.repeated, tt.read)
			}
		})
	}
	broken := errors.New("broken")
	if err := awscall.Pages(func(*string) (*string, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("Pages() = %v", err)
	}
}
