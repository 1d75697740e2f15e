// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"fmt"
	"unicode"
)

// Quotas of the characters of a role's trust policy, white space not counted.
// Source: IAM user guide, "IAM and AWS STS quotas".
const (
	// DefaultTrustPolicySize is the quota of an account that has not asked for
	// more.
	DefaultTrustPolicySize = 2048
	// MaxTrustPolicySize is the highest quota that AWS grants.
	MaxTrustPolicySize = 4096
)

// Size is how many characters of the document count for IAM's quotas: all but
// white space.
func (d Document) Size() int {
	n := 0
	for _, r := range d.String() {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// SizeError says that a trust policy is longer than the quota.
type SizeError struct {
	// Size and Limit count characters without white space.
	Size, Limit int
}

// Error gives both numbers and what to do.
func (e *SizeError) Error() string {
	advice := "ask AWS for a higher quota"
	if e.Limit >= MaxTrustPolicySize {
		advice = "use a role of its own for each cluster"
	}
	return fmt.Sprintf("the trust policy has %d characters, %d are allowed: %s", e.Size, e.Limit, advice)
}

// CheckTrustSize returns a [*SizeError] where the document is longer than limit
// characters. A limit of 0 means [DefaultTrustPolicySize].
func CheckTrustSize(d Document, limit int) error {
	if limit == 0 {
		limit = DefaultTrustPolicySize
	}
	if n := d.Size(); n > limit {
		return &SizeError{Size: n, Limit: limit}
	}
	return nil
}
