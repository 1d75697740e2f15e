// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "fmt"

// DocumentError says what is wrong with the text of a policy document, and
// where.
type DocumentError struct {
	// Path is the place in the document, such as
	// Statement[0].Condition.ArnLike. Empty means the document itself.
	Path string
	// Reason is what is wrong, and what to do where that is known.
	Reason string
}

// Error says where and what.
func (e *DocumentError) Error() string {
	if e.Path == "" {
		return "reading policy document: " + e.Reason
	}
	return fmt.Sprintf("reading policy document at %s: %s", e.Path, e.Reason)
}

func fault(path, format string, args ...any) error {
	return &DocumentError{Path: path, Reason: fmt.Sprintf(format, args...)}
}
