// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

func selectorRules(l Limits) []Rule {
	const field = "spec.selectors"
	return []Rule{
		{
			Field: field, Code: CodeRequired, Requirement: "has at least one entry",
			Help: "say which pods run on the profile, by namespace",
			check: func(c *checker) {
				if len(c.spec.Selectors) == 0 {
					c.fault(field, "", "a profile needs at least one selector")
				}
			},
		},
		{
			Field: field, Code: CodeTooMany, Max: l.Selectors, Requirement: "has no more entries than the quota",
			Help: "use wildcards or a second profile, or have the quota L-D78D8AF8 raised",
			check: func(c *checker) {
				if n := len(c.spec.Selectors); n > l.Selectors {
					c.fault(field, "", "there are "+strconv.Itoa(n)+" selectors, more than "+strconv.Itoa(l.Selectors))
				}
			},
		},
		{
			Field: field + "[*]", Code: CodeDuplicate, Requirement: "is listed once", Help: "remove the repetition",
			check: func(c *checker) {
				texts := make([]string, 0, len(c.spec.Selectors))
				for _, s := range c.spec.Selectors {
					texts = append(texts, SelectorText(s))
				}
				c.duplicates(field, texts)
			},
		},
		eachSelector(".namespace", CodeRequired, "is set", "", 0, "name one, with wildcards if need be; * stands for all", func(s selector.Selector) (string, string) {
			return unless(s.Namespace != "", s.Namespace, "a selector needs a namespace")
		}),
		eachSelector(".namespace", CodeInvalidSyntax, "is a namespace name, with * and ? as wildcards; a * does not count", patternNamespace, maxNamespace,
			"namespaces have lower-case letters, digits and -, at most 63: any other can match no pod", namespaceFault),
	}
}

func namespaceFault(s selector.Selector) (bad, message string) {
	switch {
	case s.Namespace == "":
		return "", ""
	case !isNamespaceGlob(s.Namespace):
		return s.Namespace, quote(s.Namespace) + " is no namespace name"
	case minLength(s.Namespace) > maxNamespace:
		return s.Namespace, "the namespace is longer than " + strconv.Itoa(maxNamespace) + " characters"
	}
	return "", ""
}

func labelRules(l Limits) []Rule {
	return []Rule{
		eachSelector(".labels", CodeTooMany, "has no more entries than the quota", "", l.Labels,
			"use wildcards, or have the quota L-23414FF3 raised", func(s selector.Selector) (string, string) {
				return unless(len(s.Labels) <= l.Labels, "", "there are "+strconv.Itoa(len(s.Labels))+" labels, more than "+strconv.Itoa(l.Labels))
			}),
		eachLabel("has a label key, with * and ? as wildcards", patternLabelKey, 0,
			"a label key is [prefix/]name: letters, digits, -, _ and ., at most 63 in the name and 253 in the prefix, which is in lower case", labelKeyFault),
		eachLabel("has a label value, with * and ? as wildcards; a * does not count", patternLabelValue, maxLabelValue,
			"a label value has letters, digits, -, _ and ., at most 63 of them", labelValueFault),
	}
}

// reachRule finds what only shows in the whole of a selector, such as one label
// that must have two values.
func reachRule() Rule {
	const field = "spec.selectors"
	return Rule{
		Field: field + "[*]", Code: CodeUnreachable, Requirement: "can match a pod that Kubernetes accepts",
		Help: "change the namespace or the labels",
		check: func(c *checker) {
			faulty := c.faulty(field)
			for i, s := range c.spec.Selectors {
				if hasWildcard(s) && !faulty[index(field, i)] && selector.Compare(s, s).Kind == selector.Disjoint {
					c.fault(index(field, i), SelectorText(s), "no pod that Kubernetes accepts can match it")
				}
			}
		},
	}
}

// hasWildcard reports whether the selector has one. Without, legal parts make a
// selector that some pod matches, and the search for one can be spared.
func hasWildcard(s selector.Selector) bool { return strings.ContainsAny(SelectorText(s), "*?") }

func labelKeyFault(key, _ string) (bad, message string) {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		prefix, name = "", key
	}
	switch {
	case !isLabelKeyGlob(key):
		return key, quote(key) + " is no label key"
	// A wildcard may stand for the slash, so a long text without one is fine.
	case minLength(name) > maxLabelName && (found || !strings.ContainsAny(name, "*?")):
		return key, "the name of the label key is longer than " + strconv.Itoa(maxLabelName) + " characters"
	case minLength(prefix) > maxLabelPrefix:
		return key, "the prefix of the label key is longer than " + strconv.Itoa(maxLabelPrefix) + " characters"
	}
	return "", ""
}

func labelValueFault(_, value string) (bad, message string) {
	switch {
	case !isLabelValueGlob(value):
		return value, quote(value) + " is no label value"
	case minLength(value) > maxLabelValue:
		return value, "the label value is longer than " + strconv.Itoa(maxLabelValue) + " characters"
	}
	return "", ""
}

// eachSelector makes a rule that finds at most one fault in each selector: the
// offending value, and a message unless there is none.
func eachSelector(below string, code Code, requirement, pattern string, most int, help string, find func(selector.Selector) (bad, message string)) Rule {
	return Rule{
		Field: "spec.selectors[*]" + below, Code: code, Requirement: requirement, Pattern: pattern, Max: most, Help: help,
		check: func(c *checker) {
			for i, s := range c.spec.Selectors {
				if bad, message := find(s); message != "" {
					c.fault(index("spec.selectors", i)+below, bad, message)
				}
			}
		},
	}
}

// eachLabel makes a rule that finds at most one fault in each label.
func eachLabel(requirement, pattern string, most int, help string, find func(key, value string) (bad, message string)) Rule {
	return Rule{
		Field: "spec.selectors[*].labels[*]", Code: CodeInvalidSyntax, Requirement: requirement, Pattern: pattern, Max: most, Help: help,
		check: func(c *checker) {
			for i, s := range c.spec.Selectors {
				for _, key := range slices.Sorted(maps.Keys(s.Labels)) {
					if bad, message := find(key, s.Labels[key]); message != "" {
						c.fault(entry(index("spec.selectors", i)+".labels", key), bad, message)
					}
				}
			}
		},
	}
}
