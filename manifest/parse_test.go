// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/manifest"
)

// eksctl is a file whose only profile has the given lines below its name.
func eksctl(lines ...string) string {
	return "metadata: {name: demo}\nfargateProfiles:\n- name: web\n  podExecutionRoleARN: arn:aws:iam::222233334444:role/pods\n  " +
		strings.Join(lines, "\n  ") + "\n"
}

func parse(text string) manifest.Result { return manifest.Parse("in", []byte(text)) }

// only returns the one problem of a result.
func only(t *testing.T, r manifest.Result) manifest.Problem {
	t.Helper()
	if len(r.Problems) != 1 {
		t.Fatalf("%d problems, want 1: %v", len(r.Problems), r.Problems)
	}
	return r.Problems[0]
}

func TestBareWordsThatSomeReaderTakesForSomethingElseNeedQuotes(t *testing.T) {
	t.Parallel()
	words := strings.FieldsSeq(`yes Yes YES no on off y n Y N true TRUE false ON
		0 010 0x1F 0o17 0b101 1_000 +_0 0_x1F -1 +1 .5 1. 1.10 1e3 1.5e-7 -.inf .NaN 12:30:45 190:20:30.15
		1` + strings.Repeat("0", 500))
	for word := range words {
		t.Run(word[:min(len(word), 10)], func(t *testing.T) {
			t.Parallel()
			for where, text := range map[string]string{
				"namespace":   eksctl("selectors: [{namespace: " + word + "}]"),
				"label value": eksctl("selectors: [{namespace: a, labels: {k: " + word + "}}]"),
				"label key":   eksctl("selectors: [{namespace: a, labels: {" + word + ": v}}]"),
				"tag":         eksctl("selectors: [{namespace: a}]", "tags: {k: "+word+"}"),
				"subnet":      eksctl("selectors: [{namespace: a}]", "subnets: ["+word+"]"),
			} {
				if p := only(t, parse(text)); p.Code != manifest.CodeNeedsQuotes || p.Severity != manifest.SeverityError {
					t.Errorf("%s: got %v", where, p)
				}
			}
			for _, quote := range []string{"'", `"`} {
				r := parse(eksctl("selectors: [{namespace: a, labels: {k: " + quote + word + quote + "}}]"))
				if got := r.Profiles[0].Selectors[0].Labels["k"]; got != manifest.Known(word) || r.Outcome() != manifest.OutcomeOK && len(word) < 64 {
					t.Errorf("in quotes: got %v, %v", got, r.Problems)
				}
			}
		})
	}
}

func TestBareWordsThatEveryReaderTakesForStringsAreFine(t *testing.T) {
	t.Parallel()
	for word := range strings.FieldsSeq(`a yess 1.2.3 v1 0xg 0b2 0o8 1a 1e 1:99 1:2:345 _1 a:b 12-30-45 2024-01 x.5 . -- e5 not-a-number`) {
		r := parse(eksctl("selectors: [{namespace: a, labels: {k: v}}]", "tags: {k: "+word+"}"))
		if r.Outcome() != manifest.OutcomeOK || len(r.Problems) > 0 || r.Profiles[0].Tags["k"] != manifest.Known(word) {
			t.Errorf("%s: %v", word, r.Problems)
		}
	}
}

func TestDateWithoutQuotesIsAWarning(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"2024-01-31", "2024-1-3T10:00:00Z"} {
		r := parse(eksctl("selectors: [{namespace: a}]", "tags: {k: "+word+"}"))
		if p := only(t, r); p.Code != manifest.CodeNeedsQuotes || p.Severity != manifest.SeverityWarning {
			t.Errorf("%s: got %v", word, p)
		}
	}
}

func TestNullWhereAStringIsDueIsAnError(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"~", "null", "NULL", ""} {
		p := only(t, parse(eksctl("selectors: [{namespace: a}]", "tags: {k: "+word+"}")))
		if p.Code != manifest.CodeType || p.Severity != manifest.SeverityError {
			t.Errorf("%q: got %v", word, p)
		}
	}
}

func TestTagsOfYAML(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]manifest.Code{
		"!!str yes":   "",
		`!!int "5"`:   manifest.CodeType,
		"!Ref Name":   manifest.CodeType,
		"!!binary aa": manifest.CodeType,
	} {
		r := parse(eksctl("selectors: [{namespace: a}]", "tags: {k: "+value+"}"))
		if got := code(r); got != want {
			t.Errorf("%s: got %v", value, r.Problems)
		}
	}
}

// code is that of the only problem, or "" for none.
func code(r manifest.Result) manifest.Code {
	if len(r.Problems) == 0 {
		return ""
	}
	return r.Problems[0].Code
}

func TestEveryWayToWriteAString(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"|-\n          app": "app", ">-\n          app": "app", `"a\u0070p"`: "app", "'app'": "app", "app # comment": "app", "&x app": "app",
	} {
		r := parse(eksctl("selectors:", "- namespace: a", "  labels:", "    k: "+text))
		if got := r.Profiles[0].Selectors[0].Labels["k"]; got != manifest.Known(want) || len(r.Problems) > 0 {
			t.Errorf("%q: got %v, %v", text, got, r.Problems)
		}
	}
}

func TestVariablesAreUnresolved(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"${A}": true, "$A": true, "$_a": true, "x-$(id)": true, "${A:-b}": true, "$": false, "5$": false, "$5": false, "a$-b": false, "$$": false,
	} {
		r := parse(eksctl("selectors: [{namespace: a}]", "tags: {k: '"+text+"'}"))
		if got := r.Profiles[0].Tags["k"].IsUnresolved(); got != want {
			t.Errorf("%s: unresolved %v, want %v", text, got, want)
		}
		if want && only(t, r).Message != "the value can't be known from this file: "+text {
			t.Errorf("%s: %v", text, r.Problems)
		}
	}
}

func TestFaultsOfTheText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want string // line:column code
	}{
		"invalid UTF-8":               {"a: 1\nb: \xff\n", "2:4 Encoding"},
		"a NUL byte":                  {"a: \"\x00\"\n", "1:5 Encoding"},
		"a control character":         {"\x07", "1:1 Encoding"},
		"columns count characters":    {"a: é\x01\n", "1:5 Encoding"},
		"an unknown alias":            {"a: *x\n", "1:4 Syntax"},
		"an unclosed quote":           {"a: \"b\n", "2:1 Syntax"},
		"an unclosed brace":           {"fargateProfiles: {\n", "2:1 Syntax"},
		"Terraform on one line":       {"variable \"a\" {}\nlocals { b = \"c\" }\n", "1:1 TerraformSource"},
		"Terraform behind a comment":  {"// hello\n/* a */\nmodule \"eks\" { # here\n  source = \"x\"\n}\n", "3:1 TerraformSource"},
		"a backtick":                  {"a: `id`\n", "1:4 Syntax"},
		"a deep key":                  {"? " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n: a\n", "1:103 TooDeep"},
		"a cycle":                     {"fargateProfiles: &a [*a]\n", "1:18 Cycle"},
		"a cycle through a map":       {"fargateProfiles: &a\n  - x: {y: *a}\n", "1:18 Cycle"},
		"a merge key of a word":       {"fargateProfiles:\n- <<: word\n", "2:7 Type"},
		"a merge key of null":         {"fargateProfiles:\n- <<: ~\n", "2:7 Type"},
		"a merge key of a list":       {"fargateProfiles:\n- <<: [a]\n", "2:8 Type"},
		"JSON without a comma":        {"{\"a\": 1\n \"b\": 2}", "2:2 Syntax"},
		"JSON that ends early":        {"{\"a\": [\n", "2:1 Syntax"},
		"JSON that ends in a key":     {"{\"a\"", "1:5 Syntax"},
		"JSON with a bad literal":     {"[{\"a\": truth}, {]", "1:8 Syntax"},
		"JSON with a trailing brace":  {"{}}", "1:3 Syntax"},
		"a template first":            {"{{- if .x }}\na: 1\n", "1:1 Template"},
		"a Jinja statement":           {"{% for p in profiles %}\na: {{ p }}\n", "1:1 Template"},
		"a Ruby template":             {"<% profiles.each do |p| %>\na: [\n", "1:1 Template"},
		"a Ruby value":                {"fargateProfiles: [{name: '<%= name %>'}]\n", "1:26 Template"},
		"a group without a version":   {"apiVersion: eks.services.k8s.aws\nkind: FargateProfile\n", "1:13 UnknownGroup"},
		"a template in a comment":     {"# {{ .x }}\na: [\n", "3:1 Syntax"},
		"a template inside a word":    {"user: system:{{SessionName}}\na: [\n", "3:1 Syntax"},
		"prose that is no manifest":   {"hello\n", "1:1 UnknownFormat"},
		"an empty list":               {"[]", "1:1 UnknownFormat"},
		"a map in place of a list":    {"fargateProfiles: {a: b}\n", "1:18 Type"},
		"a very long unknown field":   {"fargateProfiles:\n- " + strings.Repeat("x", 200) + ": a\n", "2:3 UnknownField"},
		"a profile without an object": {"fargateProfiles: [web]\n", "1:19 Type"},
		"a map with a map as key":     {"fargateProfiles:\n- name: a\n  ? {a: b}\n  : c\n", "3:5 Type"},
		"a template in braces":        {"fargateProfiles:\n- {? {a: b} : c}\n", "2:3 Template"},
		"a map with a list as key":    {"fargateProfiles:\n- name: a\n  ? [a]\n  : c\n", "3:5 Type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := parse(c.text)
			var got []string
			for _, p := range r.Problems {
				if p.Severity == manifest.SeverityError {
					got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Code))
				}
			}
			if !slices.Contains(got, c.want) {
				t.Errorf("got %q, want %s: %v", got, c.want, r.Problems)
			}
		})
	}
}

func TestDocumentsBeforeASyntaxErrorAreStillRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		eksctl("selectors: [{namespace: a}]") + "---\na: [\n",
		`{"fargateProfileName": "a", "clusterName": "c", "selectors": [{"namespace": "a"}]} {`,
	} {
		r := parse(text)
		if len(r.Profiles) != 1 || r.Outcome() != manifest.OutcomeReject {
			t.Errorf("%d profiles, outcome %s", len(r.Profiles), r.Outcome())
		}
	}
}

func TestJSONAndYAMLInOneStream(t *testing.T) {
	t.Parallel()
	input := `{"fargateProfileName": "%s", "clusterName": "c", "selectors": [{"namespace": "a"}]}`
	r := parse(fmt.Sprintf(input+"\n---\n"+input+"\n", "a", "b"))
	if len(r.Profiles) != 2 || r.Err() != nil {
		t.Errorf("%d profiles, %v", len(r.Profiles), r.Err())
	}
	r = parse("{fargateProfileName: a, clusterName: c, selectors: [{namespace: a}]}")
	if len(r.Profiles) != 1 || r.Err() != nil {
		t.Errorf("flow style: %d profiles, %v", len(r.Profiles), r.Err())
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	var merges strings.Builder
	merges.WriteString("m0: &m0 {" + manyKeys("x", 100) + "}\n")
	for i := 1; i < 50; i++ {
		fmt.Fprintf(&merges, "m%d: &m%d {<<: *m%d, %s}\n", i, i, i-1, manyKeys(fmt.Sprintf("k%d_", i), 100))
	}
	long := "long: &long " + strings.Repeat("x", 1<<20) + "\nfargateProfiles:\n- name: a\n  subnets: [" + strings.Repeat("*long, ", 1000) + "*long]\n"
	for name, c := range map[string]struct {
		text string
		opts func(*manifest.Options)
		want manifest.Code
	}{
		"size":                      {eksctl("selectors: []"), func(o *manifest.Options) { o.MaxBytes = 10 }, manifest.CodeTooLarge},
		"YAML depth":                {"fargateProfiles: " + strings.Repeat("[", 200) + strings.Repeat("]", 200), nil, manifest.CodeTooDeep},
		"JSON depth":                {strings.Repeat("[", 200) + strings.Repeat("]", 200), nil, manifest.CodeTooDeep},
		"depth of objects":          {strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200), nil, manifest.CodeTooDeep},
		"JSON values":               {"[" + strings.Repeat("1,", 100) + "1]", func(o *manifest.Options) { o.MaxNodes = 50 }, manifest.CodeTooLarge},
		"YAML values":               {"a: [" + strings.Repeat("1,", 100) + "1]", func(o *manifest.Options) { o.MaxNodes = 50 }, manifest.CodeTooLarge},
		"aliases of aliases":        {bomb.String(), nil, manifest.CodeTooLarge},
		"merges of merges":          {merges.String(), func(o *manifest.Options) { o.MaxNodes = 60_000 }, manifest.CodeTooLarge},
		"many aliases of long text": {long, nil, manifest.CodeTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := c.opts
			if opts == nil {
				opts = func(*manifest.Options) {}
			}
			r := manifest.Parse("in", []byte(c.text), opts)
			if p := only(t, r); p.Code != c.want || p.Line == 0 {
				t.Errorf("got %v, want code %s", p, c.want)
			}
		})
	}
}

func manyKeys(prefix string, n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s%d: v", prefix, i)
	}
	return strings.Join(keys, ", ")
}

func TestTheClusterOfProfilesThatNameNone(t *testing.T) {
	t.Parallel()
	text := "fargateProfiles:\n- name: web\n  podExecutionRoleARN: arn:aws:iam::111122223333:role/pods\n  selectors: [{namespace: web}]\n"
	named := "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: blue}\n" + text
	for input, want := range map[string]string{text: "demo", named: "blue"} {
		result := manifest.Parse("x", []byte(input), func(o *manifest.Options) { o.Cluster = "demo" })
		if len(result.Profiles) != 1 || result.Profiles[0].ClusterName != manifest.Known(want) || len(result.Problems) > 0 {
			t.Errorf("%s\n%+v, want the cluster %s and no problem", input, result, want)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	r := parse(eksctl("selectors: [{namespace: a}]", "tags: {"+manyKeys("t", 1)+"}", "subnets: ["+strings.Repeat("1, ", 5000)+"1]"))
	if len(r.Problems) == 0 || len(r.Problems) > 3000 || r.Outcome() != manifest.OutcomeReject {
		t.Errorf("%d problems, outcome %s", len(r.Problems), r.Outcome())
	}
}

func TestEmptyListsAndMapsAreNotUnset(t *testing.T) {
	t.Parallel()
	p := parse(eksctl("selectors: [{namespace: a, labels: {}}]", "subnets: []", "tags: {}")).Profiles[0]
	if p.Subnets == nil || p.Tags == nil || p.Selectors[0].Labels == nil {
		t.Errorf("something empty became unset: %+v", p)
	}
	p = parse(eksctl("selectors: [{namespace: a, labels: }]", "subnets:", "tags: ~")).Profiles[0]
	if p.Subnets != nil || p.Tags != nil || p.Selectors[0].Labels != nil {
		t.Errorf("null did not become unset: %+v", p)
	}
}

// TestNoReaderOfYAMLTakesAWordForAnythingElse compares with what the library
// resolves, over words that look like numbers.
func TestNoReaderOfYAMLTakesAWordForAnythingElse(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(
		rapid.StringMatching(`[-+]?[0-9a-fxobBOXeE_.:~]{1,8}`),
		rapid.StringMatching(`[yYnN][eEoO]?[sSfF]?`),
		rapid.StringMatching(`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([tT ][0-9:.Z]{0,8})?`),
	)
	rapid.Check(t, func(t *rapid.T) {
		word := words.Draw(t, "word")
		var n yaml.Node
		if err := yaml.Unmarshal([]byte("k: "+word), &n); err != nil || n.Content[0].Content[1].Kind != yaml.ScalarNode {
			t.Skip("no plain word")
		}
		r := parse(eksctl("selectors: [{namespace: a}]", "tags:", "  k: "+word))
		if tag := n.Content[0].Content[1].ShortTag(); tag != "!!str" && len(r.Problems) == 0 {
			t.Fatalf("%s is %s to the library and a string to us", word, tag)
		}
	})
}
