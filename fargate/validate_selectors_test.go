// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func manySelectors(n int) []selector.Selector {
	var out []selector.Selector
	for i := range n {
		out = append(out, on("ns-"+strconv.Itoa(i)))
	}
	return out
}

func TestValidateSelectors(t *testing.T) {
	const field = "spec.selectors"
	limit := func(n int) func(*fargate.Limits) { return func(l *fargate.Limits) { l.Selectors = n } }
	runValidate(t, map[string]validateCase{
		"none are missing":                   {spec: withSelectors(), want: one(field + " Required")},
		"an empty list is missing":           {spec: with(func(s *fargate.Spec) { s.Selectors = []selector.Selector{} }), want: one(field + " Required")},
		"five are fine":                      {spec: withSelectors(manySelectors(5)...)},
		"six are too many":                   {spec: withSelectors(manySelectors(6)...), want: one(field + " TooMany")},
		"a raised quota moves it":            {spec: withSelectors(manySelectors(10)...), limits: limit(10)},
		"and one more is too many there":     {spec: withSelectors(manySelectors(11)...), limits: limit(10), want: one(field + " TooMany")},
		"a quota of zero is the default":     {spec: withSelectors(manySelectors(5)...), limits: limit(0)},
		"a negative quota is the default":    {spec: withSelectors(manySelectors(6)...), limits: limit(-3), want: one(field + " TooMany")},
		"the zero selector lacks all":        {spec: withSelectors(selector.Selector{}), want: one(field + "[0].namespace Required")},
		"a repetition":                       {spec: withSelectors(on("a"), on("b"), on("a")), want: one(field + "[2] Duplicate")},
		"nil and empty labels repeat":        {spec: withSelectors(on("a"), selector.Selector{Namespace: "a", Labels: map[string]string{}}), want: one(field + "[1] Duplicate")},
		"another spelling of a namespace":    {spec: withSelectors(on("a**b"), on("a*b")), want: one(field + "[1] Duplicate")},
		"another spelling of a run":          {spec: withSelectors(on("a*?*"), on("a?*")), want: one(field + "[1] Duplicate")},
		"another spelling of a key":          {spec: withSelectors(on("a", "k**", "v"), on("a", "k*", "v")), want: one(field + "[1] Duplicate")},
		"another spelling of a value":        {spec: withSelectors(on("a", "k", "**"), on("a", "k", "*")), want: one(field + "[1] Duplicate")},
		"one demand written twice":           {spec: withSelectors(on("a", "k**", "v", "k*", "v"), on("a", "k*", "v")), want: one(field + "[1] Duplicate")},
		"two demands on one key pattern":     {spec: withSelectors(on("a", "k**", "v", "k*", "w"), on("a", "k*", "v"), on("a", "k*", "w"))},
		"one of them in a third spelling":    {spec: withSelectors(on("a", "k**", "v", "k*", "w"), on("a", "k***", "v", "k*", "w")), want: one(field + "[1] Duplicate")},
		"more stars are not more characters": {spec: withSelectors(on("a?"), on("a??"), on("a*"))},
		"one of a wider one is fine":         {spec: withSelectors(on("a"), on("a", "k", "v"))},
		"texts that only look alike":         {spec: withSelectors(on("a", "k", "v,l=w"), on("a", "k", "v", "l", "w")), want: one(field + `[0].labels["k"] InvalidSyntax`)},
		"the order is that of the list": {
			spec: withSelectors(on("a b"), on(""), on("c", "x y", "1", "a a", "2"), on("c", "k", "-")),
			want: []string{
				field + "[0].namespace InvalidSyntax", field + "[1].namespace Required",
				field + `[2].labels["a a"] InvalidSyntax`, field + `[2].labels["x y"] InvalidSyntax`, field + `[3].labels["k"] InvalidSyntax`,
			},
		},
		"the eleventh comes behind the third": {
			spec: withSelectors(append([]selector.Selector{on("x0"), on("x1"), on("-"), on("x3"), on("x4"), on("x5"), on("x6"), on("x7"), on("x8"), on("x9")}, on("_"))...), limits: limit(20),
			want: []string{field + "[2].namespace InvalidSyntax", field + "[10].namespace InvalidSyntax"},
		},
	})
}

func TestValidateNamespace(t *testing.T) {
	accepted := map[string]string{
		"a name": "web", "a dash inside": "kube-system", "a digit": "1", "63 characters": a(63), "a star": "*", "a question mark": "?",
		"a prefix": "prod*", "text inside": "*dev*", "stars and question marks": "p??d*", "63 question marks": strings.Repeat("?", 63),
		"63 characters and stars": "*" + a(63) + "*", "100 stars": strings.Repeat("*", 100), "a dash behind a star": "*-x",
	}
	refused := map[string]string{
		"an underscore": "a_b", "upper case": "Web", "a dot": "a.b", "a slash": "a/b", "a space": "a b", "a dash at the front": "-a", "a dash at the end": "a-",
		"64 characters": a(64), "64 question marks": strings.Repeat("?", 64), "64 and a star": a(64) + "*", "brackets": "[a-z]", "a backslash": "a\\*",
		"a control character": "a\x00", "invalid UTF-8": "a\xff", "a letter outside ASCII": "caf\u00e9", "a star before a last dash": "a*-", "braces": "{a,b}",
	}
	tests := map[string]validateCase{}
	for name, ns := range accepted {
		tests[name+" is fine"] = validateCase{spec: withSelectors(on(ns))}
	}
	for name, ns := range refused {
		tests[name+" is refused"] = validateCase{spec: withSelectors(on("ok"), on(ns)), want: one("spec.selectors[1].namespace InvalidSyntax")}
	}
	runValidate(t, tests)
}

func TestValidateLabels(t *testing.T) {
	limit := func(n int) func(*fargate.Limits) { return func(l *fargate.Limits) { l.Labels = n } }
	labels := func(n int) selector.Selector { return selector.Selector{Namespace: "web", Labels: manyTags(n)} }
	runValidate(t, map[string]validateCase{
		"five are fine":                   {spec: withSelectors(labels(5))},
		"six are too many":                {spec: withSelectors(labels(6)), want: one("spec.selectors[0].labels TooMany")},
		"a raised quota moves it":         {spec: withSelectors(labels(10)), limits: limit(10)},
		"and one more is too many there":  {spec: withSelectors(labels(11)), limits: limit(10), want: one("spec.selectors[0].labels TooMany")},
		"a negative quota is the default": {spec: withSelectors(labels(6)), limits: limit(-1), want: one("spec.selectors[0].labels TooMany")},
		"each selector counts alone":      {spec: withSelectors(labels(5), on("b"), labels(6)), want: one("spec.selectors[2].labels TooMany")},
	})
}

func TestValidateLabelKey(t *testing.T) {
	prefix253 := strings.TrimSuffix(strings.Repeat(a(62)+".", 4), ".") + "aa" // 4*63-1+2 = 253
	accepted := map[string]string{
		"a name": "app", "dots and underscores": "a.b_c-d", "upper case": "App", "63 characters": a(63), "a prefix": "app.kubernetes.io/name",
		"63 characters behind a prefix": "x/" + a(63), "253 characters of prefix": prefix253 + "/a", "a star": "*", "a question mark": "?", "a star for the prefix": "*/name",
		"a star for the name": "example.com/*", "a star that may hold the slash": "example.com*name", "a question mark that may hold it": strings.Repeat("?", 64),
		"a star behind 64 characters": a(64) + "*", "a star as one part of the prefix": "a.*.b/c", "63 characters and stars behind a prefix": "x/*" + a(63) + "*",
	}
	refused := map[string]string{
		"an empty key": "", "a space": "a b", "an empty prefix": "/a", "an empty name": "a/", "two slashes": "a/b/c", "64 characters": a(64), "64 behind a prefix": "x/" + a(64),
		"64 question marks behind a prefix": "x/" + strings.Repeat("?", 64), "254 characters of prefix": prefix253 + "a/a", "an underscore in the prefix": "a_b/c", "upper case in the prefix": "A/c",
		"two dots in the prefix": "a..b/c", "a dot before the slash": "a./c", "a dash after a dot in the prefix": "a.-b/c", "a dash at the front": "-a", "a dot at the end": "a.",
		"an equals sign": "a=b", "a control character": "a\x7f", "invalid UTF-8": "\xffa",
	}
	tests := map[string]validateCase{}
	for name, key := range accepted {
		tests[name+" is fine"] = validateCase{spec: withSelectors(on("web", key, "v"))}
	}
	for name, key := range refused {
		tests[name+" is refused"] = validateCase{spec: withSelectors(on("web", key, "v")), want: one("spec.selectors[0].labels[" + strconv.QuoteToASCII(key) + "] InvalidSyntax")}
	}
	runValidate(t, tests)
}

func TestValidateLabelValue(t *testing.T) {
	accepted := map[string]string{
		"a word": "api", "empty": "", "63 characters": a(63), "dots, dashes and underscores": "1.2-b_C", "a star": "*", "text inside": "*value1*", "63 question marks": strings.Repeat("?", 63),
		"63 characters and stars": "*" + a(63) + "*",
	}
	refused := map[string]string{
		"a space": "a b", "a slash": "a/b", "64 characters": a(64), "64 question marks": strings.Repeat("?", 64), "a dash at the front": "-a", "a dot at the end": "a.",
		"a comma": "a,b", "a control character": "a\n", "invalid UTF-8": "\xff", "a letter outside ASCII": "\u00e9",
	}
	tests := map[string]validateCase{}
	for name, value := range accepted {
		tests[name+" is fine"] = validateCase{spec: withSelectors(on("web", "app", value))}
	}
	for name, value := range refused {
		tests[name+" is refused"] = validateCase{spec: withSelectors(on("web", "app", value)), want: one(`spec.selectors[0].labels["app"] InvalidSyntax`)}
	}
	tests["a wrong key and a wrong value are two faults"] = validateCase{
		spec: withSelectors(on("web", "a b", "c d")),
		want: []string{`spec.selectors[0].labels["a b"] InvalidSyntax`, `spec.selectors[0].labels["a b"] InvalidSyntax`},
	}
	runValidate(t, tests)
}

func TestValidateReach(t *testing.T) {
	const unreachable = "spec.selectors[0] Unreachable"
	long := "x/" + a(63)
	runValidate(t, map[string]validateCase{
		"a star that must stand for something needs room":  {spec: withSelectors(on("*-" + a(62))), want: one(unreachable)},
		"and with room it is fine":                         {spec: withSelectors(on("*-" + a(61)))},
		"one label that must have two values":              {spec: withSelectors(on("web", long, "v", long+"*", "w")), want: one(unreachable)},
		"two values that one label can have":               {spec: withSelectors(on("web", long, "v*", long+"*", "*w"))},
		"two demands that two labels can meet":             {spec: withSelectors(on("web", "k", "v", "k*", "w"))},
		"two spellings of one key with different values":   {spec: withSelectors(on("web", "k*", "v", "k**", "w"))},
		"a key without a slash that is too long for any":   {spec: withSelectors(on("web", "*"+a(400), "v")), want: one(unreachable)},
		"a long name whose star may hold prefix and slash": {spec: withSelectors(on("web", "*"+a(63), "v"))},
		"what is wrong already is not called unreachable":  {spec: withSelectors(on("*-"+a(62), "a b", "v")), want: one(`spec.selectors[0].labels["a b"] InvalidSyntax`)},
		"what is repeated is called so only once": {
			spec: withSelectors(on("*-"+a(62)), on("**-"+a(62))), want: []string{unreachable, "spec.selectors[1] Duplicate"},
		},
	})
}

// What is accepted selects some pod, and what has no wildcard needs no search for it.
func TestAcceptedSelectorsSelectAPod(t *testing.T) {
	word := rapid.OneOf(
		rapid.StringMatching(`[ab]{1,3}`), rapid.StringMatching(`[a*?.-]{1,5}`), rapid.StringMatching(`(x\.y/|\*/)?a{62,64}[*?]?`),
		rapid.StringMatching(`a{252,254}/b`), rapid.Just(""),
	)
	accepted, literal := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := sel(word, word, word).Draw(t, "selector")
		if withSelectors(s).Validate() != nil {
			return
		}
		accepted++
		if !strings.ContainsAny(fargate.SelectorText(s), "*?") {
			literal++
		}
		pod := selector.Compare(s, s).Both
		if pod == nil || !s.Matches(pod.Namespace, pod.Labels) {
			t.Fatalf("%v was accepted, and no pod matches it: %v", s, pod)
		}
	})
	if accepted == 0 || literal == 0 {
		t.Errorf("%d selectors accepted, %d of them literal: the test says nothing", accepted, literal)
	}
}

// What is only found in the whole of a selector is not looked for where a part of
// it has a fault already, and that of another one does not count.
func TestReachIsJudgedEntryByEntry(t *testing.T) {
	var selectors []selector.Selector
	var want []string
	for i := range 12 {
		s := on("web", "k", "?", "k*", "??") // reachable: two labels meet it
		switch i {
		case 1:
			s = on("web", "k*", "UPPER CASE", "k", "a b")
			want = append(want, `spec.selectors[1].labels["k"] InvalidSyntax`, `spec.selectors[1].labels["k*"] InvalidSyntax`)
		case 11:
			s = on("web", "k", "?", "?", "??", "a*", "*") // all of it can be met by other keys
			s.Labels[strings.Repeat("?", 318)] = "v"
			want = append(want, `spec.selectors[11] Unreachable`)
		}
		s.Namespace += strconv.Itoa(i)
		selectors = append(selectors, s)
	}
	got := faults(t, withSelectors(selectors...).Validate(func(l *fargate.Limits) { l.Selectors = 12 }))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
