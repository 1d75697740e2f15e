// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
	"github.com/eksfargate/eksfargate/selector"
)

// DiffOptions tune [Diff].
type DiffOptions struct {
	// TagMode says which observed tags count as drift. Default merge: only those
	// that we set before.
	TagMode TagMode
}

// Diff compares desired and observed by meaning, not by spelling. Equal are:
// lists in another order or with repetitions; nil and empty; wildcards in another
// spelling (a**b and a*b); role ARNs that differ in the path alone. Desired
// subnets that are nil agree with whatever AWS chose, and a desired role that is
// empty agrees with any. Tags of others, aws: tags and our marks are no drift.
//
// Cluster and name are not compared: they say which profile is meant.
// Nil means no difference, and then, for normalized input, nothing is allocated.
func Diff(desired Spec, observed Observed, optFns ...func(*DiffOptions)) Changes {
	var changes Changes
	add := func(f Field, desired, observed []string) {
		changes = append(changes, Change{Field: f, Mutable: f.Mutable(), Desired: desired, Observed: observed})
	}
	if !roleAgrees(desired.PodExecutionRoleARN, observed.Spec.PodExecutionRoleARN) {
		add(FieldRole, []string{desired.PodExecutionRoleARN}, nonEmpty(observed.Spec.PodExecutionRoleARN))
	}
	if !subnetsAgree(desired.Subnets, observed.Spec.Subnets) {
		add(FieldSubnets, sortedSet(desired.Subnets), sortedSet(observed.Spec.Subnets))
	}
	if !selectorsAgree(desired.Selectors, observed.Spec.Selectors) {
		add(FieldSelectors, selectorTexts(desired.Selectors), selectorTexts(observed.Spec.Selectors))
	}
	if !tagsSurelyAgree(desired.Tags, observed.Spec.Tags) {
		if want, have := tagDrift(desired.Tags, observed.Spec.Tags, diffOptionsOf(optFns).TagMode); len(want)+len(have) > 0 {
			add(FieldTags, want, have)
		}
	}
	return changes
}

func diffOptionsOf(optFns []func(*DiffOptions)) DiffOptions {
	var o DiffOptions
	for _, fn := range optFns {
		fn(&o)
	}
	return o
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func roleAgrees(desired, observed string) bool { return desired == "" || sameRole(desired, observed) }

func subnetsAgree(desired, observed []string) bool {
	return len(desired) == 0 || slices.Equal(desired, observed) || slices.Equal(sortedSet(desired), sortedSet(observed))
}

func selectorsAgree(desired, observed []selector.Selector) bool {
	return slices.EqualFunc(desired, observed, equalSelectors) ||
		slices.EqualFunc(normalSelectors(desired), normalSelectors(observed), equalSelectors)
}

func selectorTexts(selectors []selector.Selector) []string {
	out := make([]string, 0, len(selectors))
	for _, s := range normalSelectors(selectors) {
		out = append(out, SelectorText(s))
	}
	return out
}

// tagsSurelyAgree is the quick answer for the common case: each desired tag is
// there, and no tag is that could be a leftover of ours.
func tagsSurelyAgree(desired, observed map[string]string) bool {
	met := 0
	for key, have := range observed {
		// Most of our marks are found here, at the cost of a comparison.
		if strings.HasPrefix(key, owner.Prefix) {
			continue
		}
		want, wanted := desired[key]
		switch {
		case wanted && want == have:
			met++
		case wanted || !isReserved(key):
			return false
		}
	}
	return met == len(desired)
}

// tagDrift lists the tags that must be set and those that must go or be
// overwritten.
func tagDrift(desired, observed map[string]string, mode TagMode) (want, have []string) {
	d := tagdiff.Compute(tagdiff.Input{Desired: desired, Observed: observed, Exact: mode == TagsExact})
	for key, value := range d.Set {
		if isReserved(key) {
			continue
		}
		want = append(want, tagText(key, value))
		if old, ok := observed[key]; ok {
			have = append(have, tagText(key, old))
		}
	}
	for _, key := range d.Remove {
		if !isReserved(key) {
			have = append(have, tagText(key, observed[key]))
		}
	}
	slices.Sort(want)
	slices.Sort(have)
	return want, have
}

// isReserved reports whether a tag key is never the user's.
func isReserved(key string) bool { return owner.IsMark(key) || tagdiff.IsAWS(key) }

// tagText writes a tag like team=x. A part that would make this ambiguous stands
// in quotes: a key may hold an equals sign.
func tagText(key, value string) string { return quoteIf(key, `="`) + "=" + quoteIf(value, `"`) }

func quoteIf(s, special string) string {
	if isTagText(s) && !strings.ContainsAny(s, special) {
		return s
	}
	return strconv.QuoteToASCII(s)
}
