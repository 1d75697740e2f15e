// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"errors"
	"regexp"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// TestSyntaxAgreesWithTheModels holds the checks against the patterns of AWS's API
// models, with the fault that Validate reports for a field.
func TestSyntaxAgreesWithTheModels(t *testing.T) {
	fields := map[string]struct {
		pattern string
		longest int
		set     func(*iam.DesiredRole, string)
	}{
		"Name":  {`^([\w+=,.@-]+)?$`, 64, func(d *iam.DesiredRole, s string) { d.Name = s }},
		"Path":  {`^(/([\x21-\x7E]+/)?)?$`, 512, func(d *iam.DesiredRole, s string) { d.Path = s }},
		"Owner": {`^[\p{L}\p{Z}\p{N}_.:/=+\-@]+$`, 256, func(d *iam.DesiredRole, s string) { d.Owner = s }},
		"Scope": {`^[0-9A-Za-z][A-Za-z0-9_-]*$`, 100, func(d *iam.DesiredRole, s string) { d.Scope.Cluster = s }},
	}
	for field, tt := range fields {
		t.Run(field, func(t *testing.T) {
			pattern := regexp.MustCompile(tt.pattern)
			rapid.Check(t, func(t *rapid.T) {
				s := rapid.OneOf(rapid.StringMatching(`[/a-zA-Z0-9_+=,.@ é-]{0,6}/?`), rapid.String(), rapid.StringN(60, 520, -1)).Draw(t, "text")
				d := desired()
				tt.set(&d, s)
				want := pattern.MatchString(s) && utf8.RuneCountInString(s) <= tt.longest
				if got := !faulty(d, field); got != want {
					t.Fatalf("%s %q is valid: %v, want %v", field, s, got, want)
				}
			})
		})
	}
}

// faulty reports whether Validate finds a fault in the field.
func faulty(d iam.DesiredRole, field string) bool {
	err := d.Validate()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return false
	}
	for _, e := range joined.Unwrap() {
		if fault, ok := errors.AsType[*iam.RoleError](e); ok && fault.Field == field {
			return true
		}
	}
	return false
}

func TestPartitionOfAgreesWithTheFormOfARegion(t *testing.T) {
	pattern := regexp.MustCompile(`^[a-z]{2,}(-[a-z]+)+-\d+$`)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.StringMatching(`[a-z]{1,3}(-[a-z]{0,3}){0,3}-?[0-9a]{0,2}`), rapid.String()).Draw(t, "region")
		if got, want := iam.PartitionOf(s) != "", pattern.MatchString(s); got != want {
			t.Fatalf("PartitionOf(%q) is known: %v, want %v", s, got, want)
		}
	})
}
