// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"errors"
	"slices"
)

// Policy limits what may be done to reach the desired state. The zero value is
// the safe one: nothing is replaced, nothing is adopted, only our own tags are
// removed.
type Policy struct {
	// Replacement says what an immutable difference may lead to. Default forbid.
	Replacement Replacement `json:"replacement,omitempty"`
	// Name says how the name at EKS follows from the logical name. Default pinned.
	Name NamePolicy `json:"name,omitempty"`
	// Drain says whether a gate stands before the delete that a replacement needs.
	// Default none.
	Drain Drain `json:"drain,omitempty"`
	// Adoption says whether an unowned profile may be taken. Default never.
	Adoption Adoption `json:"adoption,omitempty"`
	// TagMode says which tags are removed. Default merge.
	TagMode TagMode `json:"tagMode,omitempty"`
	// Deletion says what the end of the desired state means. Default delete.
	Deletion Deletion `json:"deletion,omitempty"`
	// TakeOverFrom names the owners whose profile may be taken from them: owner
	// ids, or the tag keys by which another tool claims it, such as
	// sigs.k8s.io/cluster-api-provider-aws/cluster/<name>. Default nobody.
	TakeOverFrom []string `json:"takeOverFrom,omitempty"`
	// FallBackToDeleteFirst lets a create-first replacement that finds no free
	// quota slot go on as delete-first. Default false: it is blocked.
	FallBackToDeleteFirst bool `json:"fallBackToDeleteFirst,omitempty"`
	// AllowUnverifiedRole lets a delete-first replacement with a new role go on
	// though nobody could read whether the role trusts EKS. Default false.
	AllowUnverifiedRole bool `json:"allowUnverifiedRole,omitempty"`
	// Attempts is how often a failed create or a failed delete is tried again
	// before the profile is blocked. Zero means 5; negative means never.
	Attempts int `json:"attempts,omitempty"`
}

// Replacement is what may be done about a difference in an immutable field.
type Replacement string

// The ways to replace a profile.
const (
	// ReplacementForbid never replaces: an immutable difference is blocked.
	ReplacementForbid Replacement = "forbid"
	// ReplacementDeleteFirst deletes the profile and makes it again. Between the
	// two, new pods match nothing.
	ReplacementDeleteFirst Replacement = "deleteFirst"
	// ReplacementCreateFirst makes a successor under another name, and deletes the
	// predecessor when the successor is ACTIVE. It needs [NameDerived].
	ReplacementCreateFirst Replacement = "createFirst"
)

// NamePolicy is how the name at EKS follows from the logical name.
type NamePolicy string

// The ways to name a profile.
const (
	// NamePinned uses the logical name as it is.
	NamePinned NamePolicy = "pinned"
	// NameDerived appends a generation that counts down and a fingerprint, so that
	// a successor can stand beside its predecessor and sorts before it.
	NameDerived NamePolicy = "derived"
)

// Drain is whether a gate stands before a delete that a replacement needs.
type Drain string

// The kinds of drain gate.
const (
	// DrainNone lets the delete happen as soon as the successor is ACTIVE.
	DrainNone Drain = "none"
	// DrainConfirmed holds the delete until the caller says that no pod would be
	// ended by it: deleting a profile ends its pods at once, without regard to
	// disruption budgets.
	DrainConfirmed Drain = "confirmed"
)

// Adoption is whether an unowned profile may become ours.
type Adoption string

// The kinds of adoption.
const (
	// AdoptionNever leaves an unowned profile alone.
	AdoptionNever Adoption = "never"
	// AdoptionWhenEqual takes it when no immutable field differs.
	AdoptionWhenEqual Adoption = "whenEqual"
	// AdoptionAlways takes it as it is; a difference is then a replacement of its
	// own, under the policy for replacements.
	AdoptionAlways Adoption = "always"
)

// TagMode is which tags of a profile are removed.
type TagMode string

// The tag modes.
const (
	// TagsMerge removes only keys that we set before.
	TagsMerge TagMode = "merge"
	// TagsExact removes every key that is not desired, but for aws: keys.
	TagsExact TagMode = "exact"
)

// Deletion is what the end of the desired state means for the profile.
type Deletion string

// The kinds of deletion.
const (
	// DeletionDelete deletes the profile.
	DeletionDelete Deletion = "delete"
	// DeletionRelease removes our marks and keeps the profile and its tags.
	DeletionRelease Deletion = "release"
)

const defaultAttempts = 5

// withDefaults fills in the zero values.
func (p Policy) withDefaults() Policy {
	p.Replacement = or(p.Replacement, ReplacementForbid)
	p.Name = or(p.Name, NamePinned)
	p.Drain = or(p.Drain, DrainNone)
	p.Adoption = or(p.Adoption, AdoptionNever)
	p.TagMode = or(p.TagMode, TagsMerge)
	p.Deletion = or(p.Deletion, DeletionDelete)
	switch {
	case p.Attempts == 0:
		p.Attempts = defaultAttempts
	case p.Attempts < 0:
		p.Attempts = 0
	}
	return p
}

func or[T ~string](value, fallback T) T {
	if value == "" {
		return fallback
	}
	return value
}

// Validate reports every fault of the policy at once, as a [ValidationError]
// with field paths below "policy".
func (p Policy) Validate() error {
	var faults []FieldError
	check := func(field string, value string, allowed ...string) {
		if value == "" || slices.Contains(allowed, value) {
			return
		}
		faults = append(faults, FieldError{
			Field: "policy." + field, Code: CodeUnsupportedValue, Value: value,
			Message: quote(value) + " is none of " + list(allowed), Help: "use one of these, or leave it out",
		})
	}
	check("replacement", string(p.Replacement), string(ReplacementForbid), string(ReplacementDeleteFirst), string(ReplacementCreateFirst))
	check("name", string(p.Name), string(NamePinned), string(NameDerived))
	check("drain", string(p.Drain), string(DrainNone), string(DrainConfirmed))
	check("adoption", string(p.Adoption), string(AdoptionNever), string(AdoptionWhenEqual), string(AdoptionAlways))
	check("tagMode", string(p.TagMode), string(TagsMerge), string(TagsExact))
	check("deletion", string(p.Deletion), string(DeletionDelete), string(DeletionRelease))
	faults = append(faults, emptyEntries("policy.takeOverFrom", p.TakeOverFrom, "name an owner id or the tag key of another tool, or leave the entry out")...)
	if d := p.withDefaults(); d.Replacement == ReplacementCreateFirst && d.Name == NamePinned {
		faults = append(faults, FieldError{
			Field: "policy.name", Code: CodeNameConflict, Value: string(p.Name),
			Message: "a create-first replacement needs a second name, and a pinned name allows only one",
			Help:    "set policy.name to derived, or policy.replacement to deleteFirst",
		})
	}
	return invalid("", "", faults)
}

// asValidation returns the faults in err, if it is a [ValidationError].
func asValidation(err error) []FieldError {
	if v, ok := errors.AsType[*ValidationError](err); ok {
		return v.Errors
	}
	return nil
}
