// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// Validate reports every fault of the spec at once, as a [*ValidationError], and
// nil for none. It needs no network: what only AWS knows, such as whether a
// subnet is private, is not checked. The quotas are inputs, since AWS raises them.
//
// What Validate accepts, EKS accepts, given an existing cluster, a usable role,
// private subnets and a free quota slot.
func (s Spec) Validate(optFns ...func(*Limits)) error {
	return invalid(s.ClusterName, s.Name, s.faults(optFns))
}

func (s Spec) faults(optFns []func(*Limits)) []FieldError {
	c := &checker{spec: &s}
	for _, rule := range Rules(optFns...) {
		c.rule = rule
		rule.check(c)
	}
	return c.faults
}

// Validate reports every fault of the desired profile at once: those of the spec,
// the policy and the owner, and those that only show in their combination. It
// returns a [*ValidationError], or nil for none.
func (d Desired) Validate(optFns ...func(*Limits)) error {
	spec := d.Spec
	spec.Tags = d.Tags()
	faults := d.nameDefaultTags(spec.faults(optFns))
	faults = append(faults, asValidation(d.Policy.Validate())...)
	faults = append(faults, d.Owner.faults()...)
	if d.Policy.withDefaults().Name == NameDerived && len(d.Spec.Name) > maxLogicalName {
		faults = append(faults, FieldError{
			Field: "spec.fargateProfileName", Code: CodeTooLong, Value: clip(d.Spec.Name),
			Message: "a derived name appends " + strconv.Itoa(maxName-maxLogicalName) + " characters and would exceed " + strconv.Itoa(maxName),
			Help:    "use at most " + strconv.Itoa(maxLogicalName) + " characters, or set policy.name to pinned",
		})
	}
	if d.Generation < 0 {
		faults = append(faults, FieldError{
			Field: "generation", Code: CodeUnsupportedValue, Value: strconv.FormatInt(d.Generation, 10),
			Message: "a generation is not negative", Help: "count up from 1, or leave it at 0",
		})
	}
	faults = append(faults, emptyEntries("drained", d.Drained, "name a profile at EKS whose pods are moved away, or leave the entry out")...)
	return invalid(d.Spec.ClusterName, d.Spec.Name, faults)
}

// emptyEntries are the faults of a list of names.
func emptyEntries(field string, list []string, help string) []FieldError {
	var faults []FieldError
	for i, name := range list {
		if name == "" {
			faults = append(faults, FieldError{Field: index(field, i), Code: CodeRequired, Message: "the entry is empty", Help: help})
		}
	}
	return faults
}

// ValidateIdentity reports every fault of what a profile is found by: the cluster,
// the logical name and the owner. It is all that a deletion needs, since a profile
// whose spec became invalid must still go.
func (d Desired) ValidateIdentity() error {
	c := &checker{spec: &d.Spec}
	for _, rule := range append(clusterRules(), nameRules()...) {
		c.rule = rule
		rule.check(c)
	}
	return invalid(d.Spec.ClusterName, d.Spec.Name, append(c.faults, d.Owner.faults()...))
}

// nameDefaultTags says of a faulty tag that it is a default, if it is one.
func (d Desired) nameDefaultTags(faults []FieldError) []FieldError {
	defaults := map[string]string{}
	for key := range d.DefaultTags {
		if _, ok := d.Spec.Tags[key]; !ok {
			defaults[entry("spec.tags", key)] = entry("defaultTags", key)
		}
	}
	for i, f := range faults {
		faults[i].Field = or(defaults[f.Field], f.Field)
	}
	return faults
}

func (o Owner) faults() []FieldError {
	const field = "owner.id"
	fault := func(code Code, message, help string) []FieldError {
		return []FieldError{{Field: field, Code: code, Value: clip(o.ID), Message: message, Help: help}}
	}
	switch {
	case o.ID == "":
		return fault(CodeRequired, "an owner is needed to write anything", "use an id that stays the same for ever, such as installation/namespace/name")
	case utf8.RuneCountInString(o.ID) > maxTagValue:
		return fault(CodeTooLong, "the owner id is longer than a tag value may be", "use at most 256 characters")
	case !isTagText(o.ID) || tagdiff.IsAWS(o.ID):
		return fault(CodeInvalidSyntax, "the owner id is no legal tag value", "use printable text that does not begin with aws:")
	}
	return nil
}

func limitsOf(optFns []func(*Limits)) Limits {
	var l Limits
	for _, fn := range optFns {
		fn(&l)
	}
	return l.withDefaults()
}

// checker collects the faults of one spec.
type checker struct {
	spec   *Spec
	rule   Rule
	faults []FieldError
}

func (c *checker) fault(field, value, message string) {
	c.faults = append(c.faults, FieldError{Field: field, Code: c.rule.Code, Value: clip(value), Message: message, Help: c.rule.Help})
}

// faulty are the entries of a list at or below which something was found so far.
func (c *checker) faulty(list string) map[string]bool {
	entries := map[string]bool{}
	for _, f := range c.faults {
		if rest, ok := strings.CutPrefix(f.Field, list+"["); ok {
			number, _, _ := strings.Cut(rest, "]")
			entries[list+"["+number+"]"] = true
		}
	}
	return entries
}

func (c *checker) duplicates(field string, values []string) {
	first := map[string]int{}
	for i, v := range values {
		if j, seen := first[v]; seen {
			c.fault(index(field, i), v, "it repeats entry "+strconv.Itoa(j))
			continue
		}
		first[v] = i
	}
}

func required(field string, value func(*Spec) string, help string) Rule {
	return Rule{Field: field, Code: CodeRequired, Requirement: "is set", Help: help, check: func(c *checker) {
		if value(c.spec) == "" {
			c.fault(field, "", "it is required")
		}
	}}
}

func tooLong(field string, value func(*Spec) string, most int, help string) Rule {
	return Rule{Field: field, Code: CodeTooLong, Max: most, Requirement: "has at most " + strconv.Itoa(most) + " characters", Help: help, check: func(c *checker) {
		if v := value(c.spec); utf8.RuneCountInString(v) > most {
			c.fault(field, v, "it has "+strconv.Itoa(utf8.RuneCountInString(v))+" characters, more than "+strconv.Itoa(most))
		}
	}}
}

func syntax(field string, value func(*Spec) string, ok func(string) bool, pattern, help string) Rule {
	return Rule{Field: field, Code: CodeInvalidSyntax, Pattern: pattern, Requirement: "has the form " + pattern, Help: help, check: func(c *checker) {
		if v := value(c.spec); v != "" && !ok(v) {
			c.fault(field, v, quote(v)+" does not have the form that is needed")
		}
	}}
}

// eachTag makes a rule that finds at most one fault in each tag: the offending key
// or value, and a message unless there is none.
func eachTag(code Code, requirement string, most int, help string, find func(key, value string) (bad, message string)) Rule {
	return Rule{Field: "spec.tags[*]", Code: code, Requirement: requirement, Max: most, Help: help, check: func(c *checker) {
		for _, key := range slices.Sorted(maps.Keys(c.spec.Tags)) {
			if bad, message := find(key, c.spec.Tags[key]); message != "" {
				c.fault(entry("spec.tags", key), bad, message)
			}
		}
	}}
}

func tagTextFault(key, value string) (bad, message string) {
	for _, s := range []string{key, value} {
		if !isTagText(s) {
			return s, quote(s) + " holds control characters or is not UTF-8"
		}
	}
	return "", ""
}

func tagReserved(key, value string) (bad, message string) {
	switch {
	case tagdiff.IsAWS(key):
		return key, "the prefix aws: is reserved for keys"
	case tagdiff.IsAWS(value):
		return value, "the prefix aws: is reserved for values"
	case owner.IsMark(key):
		return key, "the prefix " + owner.Prefix + " is reserved for our marks"
	}
	return "", ""
}

// unless returns the message where ok does not hold.
func unless(ok bool, bad, message string) (string, string) {
	if ok {
		return "", ""
	}
	return bad, message
}

func index(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

func entry(field, key string) string {
	return field + "[" + strconv.QuoteToASCII(clipTo(key, maxLabelKey)) + "]"
}
