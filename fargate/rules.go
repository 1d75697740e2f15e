// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eksfargate/eksfargate/internal/owner"
)

// Rule is one requirement on a [Spec], as data: the documents and the schemas of
// the controller are made from the same table that [Spec.Validate] runs.
type Rule struct {
	// Field is the path of what is required something of; [*] stands for each entry.
	Field string `json:"field"`
	// Code is the code of the fault when the requirement is not met.
	Code Code `json:"code"`
	// Requirement completes the sentence "the field ...".
	Requirement string `json:"requirement"`
	// Pattern is the regular expression (RE2) that the text must match, if any.
	Pattern string `json:"pattern,omitempty"`
	// Max is the greatest length in characters or number of entries, if there is
	// one. A star in a pattern of a selector counts as nothing.
	Max int `json:"max,omitempty"`
	// Help says what to do about a fault.
	Help string `json:"help"`

	check func(*checker)
}

// Rules returns the requirements under the limits, in the order of the fields.
func Rules(optFns ...func(*Limits)) []Rule {
	l := limitsOf(optFns)
	var rules []Rule
	for _, group := range [][]Rule{clusterRules(), nameRules(), roleRules(l), subnetRules(), selectorRules(l), labelRules(l), {reachRule()}, tagRules(l)} {
		rules = append(rules, group...)
	}
	return rules
}

func clusterRules() []Rule {
	const field = "spec.clusterName"
	value := func(s *Spec) string { return s.ClusterName }
	return []Rule{
		required(field, value, "name the EKS cluster that the profile belongs to"),
		tooLong(field, value, maxName, "give the name of the cluster, not its ARN"),
		syntax(field, value, isName, patternName, "use letters, digits, - and _, and begin with a letter or digit"),
	}
}

func nameRules() []Rule {
	const field = "spec.fargateProfileName"
	value := func(s *Spec) string { return s.Name }
	return []Rule{
		required(field, value, "give the profile a name"),
		tooLong(field, value, maxName, "EKS refuses longer names: shorten it"),
		syntax(field, value, isName, patternName, "use letters, digits, - and _, and begin with a letter or digit"),
		{
			Field: field, Code: CodeReserved, Requirement: "does not begin with eks-", Help: "choose a name that begins otherwise",
			check: func(c *checker) {
				if strings.HasPrefix(c.spec.Name, "eks-") {
					c.fault(field, c.spec.Name, "the prefix eks- is reserved by EKS")
				}
			},
		},
	}
}

func roleRules(l Limits) []Rule {
	const field = "spec.podExecutionRoleArn"
	value := func(s *Spec) string { return s.PodExecutionRoleARN }
	form := func(s string) bool { _, ok := parseRoleARN(s); return ok }
	rules := []Rule{syntax(field, value, form, patternRoleARN, "write it as arn:aws:iam::<account>:role/<name>")}
	if l.RoleOptional {
		return rules
	}
	return append([]Rule{required(field, value, "give the ARN of a role that trusts eks-fargate-pods.amazonaws.com")}, rules...)
}

func subnetRules() []Rule {
	return []Rule{
		{
			Field: "spec.subnets[*]", Code: CodeInvalidSyntax, Requirement: "is a subnet id", Pattern: patternSubnet,
			Help: "write it as subnet- and hexadecimal digits",
			check: func(c *checker) {
				for i, id := range c.spec.Subnets {
					if !isSubnetID(id) {
						c.fault(index("spec.subnets", i), id, quote(id)+" is not a subnet id")
					}
				}
			},
		},
		{
			Field: "spec.subnets[*]", Code: CodeDuplicate, Requirement: "is listed once", Help: "remove the repetition",
			check: func(c *checker) {
				c.duplicates("spec.subnets", c.spec.Subnets)
			},
		},
	}
}

func tagRules(l Limits) []Rule {
	const field = "spec.tags"
	return []Rule{
		{
			Field: field, Code: CodeTooMany, Max: l.userTags(), Requirement: "leaves room for our marks",
			Help: "AWS allows " + strconv.Itoa(l.Tags) + " tags, of which our marks take " + strconv.Itoa(owner.MaxMarks) + ": remove some",
			check: func(c *checker) {
				if n := len(c.spec.Tags); n > l.userTags() {
					c.fault(field, "", "there are "+strconv.Itoa(n)+" tags, more than "+strconv.Itoa(l.userTags()))
				}
			},
		},
		eachTag(CodeRequired, "has a key", 0, "give the tag a key", func(k, _ string) (string, string) {
			return unless(k != "", k, "the key is empty")
		}),
		eachTag(CodeTooLong, "has a key of at most 128 characters", maxTagKey, "shorten it", func(k, _ string) (string, string) {
			return unless(utf8.RuneCountInString(k) <= maxTagKey, k, "the key is longer than "+strconv.Itoa(maxTagKey)+" characters")
		}),
		eachTag(CodeTooLong, "has a value of at most 256 characters", maxTagValue, "shorten it", func(_, v string) (string, string) {
			return unless(utf8.RuneCountInString(v) <= maxTagValue, v, "the value is longer than "+strconv.Itoa(maxTagValue)+" characters")
		}),
		eachTag(CodeInvalidSyntax, "is printable text", 0, "remove control characters and bytes that are not UTF-8", tagTextFault),
		eachTag(CodeReserved, "does not use the prefixes aws: and eksfargate.io/, in any case", 0, "choose text that begins otherwise", tagReserved),
	}
}
