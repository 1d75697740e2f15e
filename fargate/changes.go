// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"fmt"
	"slices"
	"strings"
)

// Field names a field of a profile that can differ, as the API writes it.
type Field string

// The fields that are compared. All but the tags are immutable at EKS.
const (
	FieldRole      Field = "podExecutionRoleArn"
	FieldSubnets   Field = "subnets"
	FieldSelectors Field = "selectors"
	FieldTags      Field = "tags"
)

// Mutable reports whether the field can change without a replacement.
func (f Field) Mutable() bool { return f == FieldTags }

// Change is one field that differs. Its values are texts, sorted: a selector is
// written like web{app=api}, a tag like team=x.
type Change struct {
	Field   Field `json:"field"`
	Mutable bool  `json:"mutable"`
	// Desired and Observed are all values of the field on either side. For tags,
	// which are many and mostly not ours, they are those that must change.
	Desired  []string `json:"desired,omitempty"`
	Observed []string `json:"observed,omitempty"`
}

// Added are the values that only the desired side has.
func (c Change) Added() []string { return without(c.Desired, c.Observed) }

// Removed are the values that only the observed side has.
func (c Change) Removed() []string { return without(c.Observed, c.Desired) }

func without(values, others []string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(others, v) {
			out = append(out, v)
		}
	}
	return out
}

// Changes is the difference of desired and observed, in the fixed order role,
// subnets, selectors, tags. Nil means that they agree.
type Changes []Change

// RequiresReplacement reports whether an immutable field differs.
func (c Changes) RequiresReplacement() bool {
	return slices.ContainsFunc(c, func(ch Change) bool { return !ch.Mutable })
}

// Fields lists the fields that differ.
func (c Changes) Fields() []Field {
	fields := make([]Field, 0, len(c))
	for _, ch := range c {
		fields = append(fields, ch.Field)
	}
	return fields
}

// Has reports whether the field differs.
func (c Changes) Has(f Field) bool { return slices.Contains(c.Fields(), f) }

// immutable keeps the changes that no update can make.
func (c Changes) immutable() Changes {
	return slices.DeleteFunc(slices.Clone(c), func(ch Change) bool { return ch.Mutable })
}

// String is a summary in one line, such as "selectors +api -web, tags +team=x".
func (c Changes) String() string {
	parts := make([]string, 0, len(c))
	for _, ch := range c {
		words := []string{string(ch.Field)}
		for _, v := range ch.Added() {
			words = append(words, "+"+v)
		}
		for _, v := range ch.Removed() {
			words = append(words, "-"+v)
		}
		parts = append(parts, strings.Join(words, " "))
	}
	return strings.Join(parts, ", ")
}

// Text is the difference for people, a value a line: -observed, +desired.
func (c Changes) Text() string {
	var b strings.Builder
	for _, ch := range c {
		fmt.Fprintf(&b, "%s (%s)\n", ch.Field, mutability(ch.Mutable))
		for _, v := range ch.Removed() {
			b.WriteString("  - " + v + "\n")
		}
		for _, v := range ch.Added() {
			b.WriteString("  + " + v + "\n")
		}
	}
	return b.String()
}

func mutability(mutable bool) string {
	if mutable {
		return "updated in place"
	}
	return "immutable: needs a replacement"
}
