// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
)

// ruleField turns the path of a fault into the path of its rule.
func ruleField(field string) string {
	return regexp.MustCompile(`\[([0-9]+|"([^"\\]|\\.)*")\]`).ReplaceAllString(field, "[*]")
}

func TestEveryFaultOfASpecHasItsRule(t *testing.T) {
	rules := map[string]fargate.Rule{}
	for _, r := range fargate.Rules() {
		rules[r.Field+" "+string(r.Code)] = r
	}
	found := map[string]bool{}
	check := func(t interface{ Errorf(string, ...any) }, faults []fargate.FieldError) {
		for _, f := range faults {
			key := ruleField(f.Field) + " " + string(f.Code)
			if _, ok := rules[key]; !ok {
				t.Errorf("the fault %s %s has no rule", f.Field, f.Code)
			}
			found[key] = true
		}
	}
	check(t, fieldErrors(t, worst().Spec.Validate()))
	check(t, fieldErrors(t, fargate.Spec{}.Validate()))
	for key := range rules {
		if !found[key] {
			t.Errorf("no input of this test breaks the rule %s", key)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		check(rt, fieldErrors(t, anySpec().Draw(rt, "spec").Validate()))
	})
}

func TestRulesFollowTheLimits(t *testing.T) {
	most := func(optFns ...func(*fargate.Limits)) map[string]int {
		out := map[string]int{}
		for _, r := range fargate.Rules(optFns...) {
			if r.Code == fargate.CodeTooMany {
				out[r.Field] = r.Max
			}
		}
		return out
	}
	tests := map[string]struct {
		got  map[string]int
		want map[string]int
	}{
		"default": {most(), map[string]int{"spec.selectors": 5, "spec.selectors[*].labels": 5, "spec.tags": 44}},
		"raised": {
			most(func(l *fargate.Limits) { l.Selectors, l.Labels, l.Tags = 7, 8, 60 }),
			map[string]int{"spec.selectors": 7, "spec.selectors[*].labels": 8, "spec.tags": 54},
		},
		"the last option wins": {
			most(func(l *fargate.Limits) { l.Labels = 8 }, func(l *fargate.Limits) { l.Labels = 9 }),
			map[string]int{"spec.selectors": 5, "spec.selectors[*].labels": 9, "spec.tags": 44},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if fmt.Sprint(tt.got) != fmt.Sprint(tt.want) {
				t.Errorf("limits = %v, want %v", tt.got, tt.want)
			}
		})
	}
	if slices.ContainsFunc(fargate.Rules(func(l *fargate.Limits) { l.RoleOptional = true }), func(r fargate.Rule) bool {
		return r.Field == "spec.podExecutionRoleArn" && r.Code == fargate.CodeRequired
	}) {
		t.Error("an optional role is required")
	}
}

// subjects put a text into the field of a rule with a pattern.
func subjects() map[string]func(string) fargate.Spec {
	return map[string]func(string) fargate.Spec{
		"spec.clusterName":        func(s string) fargate.Spec { return with(func(x *fargate.Spec) { x.ClusterName = s }) },
		"spec.fargateProfileName": func(s string) fargate.Spec { return with(func(x *fargate.Spec) { x.Name = s }) },
		"spec.podExecutionRoleArn": func(s string) fargate.Spec {
			return with(func(x *fargate.Spec) { x.PodExecutionRoleARN = s })
		},
		"spec.subnets[*]":             func(s string) fargate.Spec { return with(func(x *fargate.Spec) { x.Subnets = []string{s} }) },
		"spec.selectors[*].namespace": func(s string) fargate.Spec { return withSelectors(on(s)) },
		"spec.selectors[*].labels[*] has a label key, with * and ? as wildcards": func(s string) fargate.Spec {
			return withSelectors(on("web", s, "v"))
		},
		"spec.selectors[*].labels[*] has a label value, with * and ? as wildcards; a * does not count": func(s string) fargate.Spec {
			return withSelectors(on("web", "k", s))
		},
	}
}

// near draws texts that are close to what the patterns accept: few characters, so
// that edges meet often, and now and then anything.
func near() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9*?._/\-]{0,8}`),
		rapid.StringMatching(`[aA0*\-./]{0,6}`),
		rapid.StringMatching(`subnet-[0-9a-h]{0,4}`),
		rapid.StringMatching(`arn:aws(-[a-z]{0,2}){0,3}:iam::[0-9]{12}:role/([!-~é]{0,5}/)?[a-zA-Z+=,.@_ -]{0,5}`),
		rapid.StringMatching(`arn:aws:iam::[0-9]{11,13}:role/[a]{62,66}`),
		rapid.StringMatching(`[a-z]{62,65}`),
		rapid.StringMatching(`(a\.?|-){0,6}/?[a-z]?`),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }),
	)
}

func TestEveryPatternAgreesWithItsCheck(t *testing.T) {
	for _, rule := range fargate.Rules() {
		if rule.Pattern == "" {
			continue
		}
		put := subjects()[rule.Field]
		if put == nil {
			put = subjects()[rule.Field+" "+rule.Requirement]
		}
		if put == nil {
			t.Errorf("the rule %q %q has a pattern that is not held to its check", rule.Field, rule.Requirement)
			continue
		}
		t.Run(rule.Field+" "+rule.Requirement, func(t *testing.T) {
			pattern := regexp.MustCompile(rule.Pattern)
			accepted, refused := 0, 0
			agree := func(s string) {
				t.Helper()
				fault := slices.ContainsFunc(fieldErrors(t, put(s).Validate()), func(f fargate.FieldError) bool {
					return f.Code == rule.Code && ruleField(f.Field) == rule.Field && !strings.Contains(f.Message, "longer than")
				})
				// What is missing is the business of another rule.
				missing := s == "" && rule.Field != "spec.selectors[*].labels[*]" && rule.Field != "spec.subnets[*]"
				if ok := pattern.MatchString(s) || missing; ok == fault {
					t.Fatalf("%q: the pattern says %v, the check finds a fault: %v", s, ok, fault)
				}
				if fault {
					refused++
				} else {
					accepted++
				}
			}
			for _, s := range []string{"a", "-", "web-1", "a b", "subnet-0a1", "subnet-x", roleR, "arn:aws:iam::1:role/r", "a/b", "a//b"} {
				agree(s)
			}
			rapid.Check(t, func(rt *rapid.T) { agree(near().Draw(rt, "text")) })
			if accepted == 0 || refused == 0 {
				t.Errorf("%d texts accepted and %d refused: the test says nothing", accepted, refused)
			}
		})
	}
}

func TestRuleTableIsDocumented(t *testing.T) {
	golden(t, "../docs/validation.md", ruleTable(fargate.Rules()))
}

func ruleTable(rules []fargate.Rule) string {
	var b strings.Builder
	b.WriteString(`# What a profile must be

Spec.Validate runs these rules and reports every fault at once, with the path of
the field, the code and the help. The table shows the default limits: the numbers
of selectors, labels and tags are inputs, since AWS raises quotas. A test writes
this page from the rules of the code (go test ./fargate -run RuleTable -update).

| field | code | requirement | greatest | help |
|---|---|---|---|---|
`)
	for _, r := range rules {
		most := ""
		if r.Max > 0 {
			most = fmt.Sprint(r.Max)
		}
		requirement := r.Requirement
		if r.Pattern != "" && !strings.Contains(requirement, r.Pattern) {
			requirement += ": " + r.Pattern
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(r.Field), r.Code, quotePattern(requirement, r.Pattern), most, cell(r.Help))
	}
	return b.String()
}

func quotePattern(requirement, pattern string) string {
	if pattern == "" {
		return cell(requirement)
	}
	text, _, _ := strings.Cut(requirement, pattern)
	return cell(text) + code(pattern)
}

func code(s string) string { return "`" + s + "`" }

// cell escapes what Markdown would read in the cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "<", "&lt;", "_", "\\_").Replace(s)
}
