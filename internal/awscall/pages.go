// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awscall

import "fmt"

// RepeatedPageError is a list that would never end: AWS, or what stands in for it,
// said that the next page is one that was read before. What was read so far must not
// count as the whole list.
type RepeatedPageError struct {
	// Token is the token of the page.
	Token string
}

// Error says which page, and what to do.
func (e *RepeatedPageError) Error() string {
	return fmt.Sprintf("the list goes round in a circle: the token %q came again (check the endpoint that the client calls)", e.Token)
}

// Pages reads all pages of a list: read gets the token of a page, nil for the first,
// and returns that of the next one, nil for none. An empty page may have a next one.
func Pages(read func(token *string) (next *string, err error)) error {
	seen := map[string]bool{}
	var token *string
	for {
		next, err := read(token)
		if err != nil || next == nil || *next == "" {
			return err
		}
		if seen[*next] {
			return &RepeatedPageError{Token: *next}
		}
		seen[*next] = true
		token = next
	}
}
