// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/selector"
)

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		a, b selector.Selector
		want selector.RelationKind
	}{
		"the same namespace":                    {on("web"), on("web"), selector.Equal},
		"nil labels and no labels":              {on("web"), selector.Selector{Namespace: "web", Labels: map[string]string{}}, selector.Equal},
		"a label narrows":                       {on("web", "app", "api"), on("web"), selector.Subset},
		"no label widens":                       {on("web"), on("web", "app", "api"), selector.Superset},
		"other namespaces":                      {on("web"), on("api"), selector.Disjoint},
		"one key has one value":                 {on("web", "app", "x"), on("web", "app", "y"), selector.Disjoint},
		"different keys":                        {on("web", "app", "x"), on("web", "tier", "y"), selector.Overlaps},
		"a glob holds a name":                   {on("web-1"), on("web-*"), selector.Subset},
		"a glob does not hold a name":           {on("web"), on("web-*"), selector.Disjoint},
		"globs overlap":                         {on("a*"), on("*b"), selector.Overlaps},
		"globs of other lengths":                {on("??"), on("???"), selector.Disjoint},
		"a question mark in a star":             {on("prod?"), on("prod*"), selector.Subset},
		"everything":                            {on("*"), on("kube-system", "k8s-app", "kube-dns"), selector.Superset},
		"stars in a row":                        {on("a**b"), on("a*b"), selector.Equal},
		"stars and question marks swap":         {on("a*?b"), on("a?*b"), selector.Equal},
		"no namespace is empty":                 {on("*"), on("?*"), selector.Equal},
		"a namespace ends with no dash":         {on("web-?"), on("web-*"), selector.Subset},
		"a namespace begins with no dash":       {on("?-*"), on("*-*"), selector.Subset},
		"unreachable namespaces are disjoint":   {on("a_b"), on("a_b"), selector.Disjoint},
		"an unreachable one and everything":     {on("A"), on("*"), selector.Disjoint},
		"an unreachable key":                    {on("web", "-a", "x"), on("web", "-a", "x"), selector.Disjoint},
		"an unreachable value":                  {on("web", "a", "x-"), on("web"), selector.Disjoint},
		"a reachable and an unreachable label":  {on("web", "a", "x", "b", "-"), on("*"), selector.Disjoint},
		"one label may be too long":             {on("web", "a", strings.Repeat("?", 64)), on("web"), selector.Disjoint},
		"the longest value":                     {on("web", "a", strings.Repeat("?", 63)), on("web", "a", strings.Repeat("?", 63)+"*"), selector.Equal},
		"the longest namespace":                 {on(strings.Repeat("?", 63) + "*"), on(strings.Repeat("a", 63)), selector.Superset},
		"too long a namespace":                  {on(strings.Repeat("a", 64)), on("*"), selector.Disjoint},
		"a key of 63 characters has no prefix":  {on("web", strings.Repeat("?", 63), "x"), on("web", "*", "x"), selector.Subset},
		"a key of 64 characters has a prefix":   {on("web", strings.Repeat("?", 64), "x"), on("web", "*/*", "x"), selector.Subset},
		"a key of 317 characters is possible":   {on("web", strings.Repeat("?", 317), "x"), on("web", "*/*", "x"), selector.Subset},
		"a key of 318 characters is not":        {on("web", strings.Repeat("?", 318), "x"), on("web"), selector.Disjoint},
		"a key has one slash at most":           {on("web", "*/*/*", "x"), on("web"), selector.Disjoint},
		"a prefix has no capitals":              {on("web", "A*/*", "x"), on("web"), selector.Disjoint},
		"a name may have capitals":              {on("web", "*/A", "x"), on("web", "*A", "x"), selector.Subset},
		"a prefix label may be long":            {on("web", strings.Repeat("a", 253)+"/b", "x"), on("web", "*", "x"), selector.Subset},
		"a prefix may be too long":              {on("web", strings.Repeat("a", 254)+"/b", "x"), on("web", "*", "x"), selector.Disjoint},
		"a prefix has no two dots in a row":     {on("web", "a..b/c", "x"), on("web", "*", "x"), selector.Disjoint},
		"a prefix has no dash before a dot":     {on("web", "a-.b/c", "x"), on("web", "*", "x"), selector.Disjoint},
		"a name may have dots in a row":         {on("web", "a/b..c", "x"), on("web", "a/*", "x"), selector.Subset},
		"a value may be empty":                  {on("web", "a", "*"), on("web", "a", "?*"), selector.Superset},
		"the empty value":                       {on("web", "a", ""), on("web", "a", "?*"), selector.Disjoint},
		"every key has the value":               {on("web", "*", "x"), on("web", "a", "x"), selector.Superset},
		"every key and every value":             {on("web", "*", "*"), on("web"), selector.Subset},
		"one label meets both":                  {on("web", "a*", "x"), on("web", "a*", "x", "*", "x"), selector.Equal},
		"one label meets all":                   {on("web", "a*", "x"), on("web", "*", "*", "?*", "?", "a*", "*"), selector.Subset},
		"another key has to serve":              {on("web", "k", "x", "k*", "y"), on("web", "k?*", "y"), selector.Subset},
		"another key has to serve, both":        {on("web", "k", "x", "k*", "y"), on("web", "k", "x", "k?*", "y"), selector.Equal},
		"a wildcard value leaves the key":       {on("web", "k", "*", "k*", "y"), on("web", "k?*", "y"), selector.Overlaps},
		"values that agree leave the key":       {on("web", "k", "x*", "k*", "xy"), on("web", "k?*", "xy"), selector.Overlaps},
		"two literal keys out of three":         {on("web", "a", "1", "?", "2"), on("web", "b", "2"), selector.Overlaps},
		"a union of values":                     {on("web", "k", "?"), on("web", "k", "?*"), selector.Subset},
		"capitals only":                         {on("web", "k", "A*"), on("web", "k", "a*"), selector.Disjoint},
		"non-ASCII matches nothing":             {on("web", "k", "é"), on("web"), selector.Disjoint},
		"a pattern longer than any name":        {on(strings.Repeat("a", 70_000)), on("*"), selector.Disjoint},
		"stars without end":                     {on(strings.Repeat("*", 70_000)), on("*"), selector.Equal},
		"the long one holds nothing of another": {on("web", strings.Repeat("?", 70_000), "x"), on("web", "?", "x"), selector.Disjoint},
		"a shared prefix of the namespace":      {on("web*"), on("web"), selector.Superset},
		"web-* is inside web*":                  {on("web-*"), on("web*"), selector.Subset},
		"two long substrings do not fit":        {on("*" + strings.Repeat("a", 32) + "*"), on("*" + strings.Repeat("b", 32) + "*"), selector.Disjoint},
		"two substrings just fit":               {on("*" + strings.Repeat("a", 32) + "*"), on("*" + strings.Repeat("b", 31) + "*"), selector.Overlaps},
		"length bounds make a subset":           {on("*" + strings.Repeat("a", 32) + "*" + strings.Repeat("a", 31)), on(strings.Repeat("a", 63)), selector.Equal},
	} {
		t.Run(name, func(t *testing.T) {
			checkRelation(t, c.a, c.b, c.want)
			checkRelation(t, c.b, c.a, opposite(c.want))
		})
	}
}

// A question that costs too much stays open, and whatever is said of it holds.
func TestCompareWithALittleBudget(t *testing.T) {
	pairs := comparePairs()
	maps.Copy(pairs, hardPairs())
	for name, pair := range pairs {
		t.Run(name, func(t *testing.T) {
			a, b := pair[0], pair[1]
			exact := selector.Compare(a, b)
			decided := false
			for budget := 0; !decided; budget = budget*5/4 + 1 {
				got := selector.CompareWithin(budget, a, b)
				decided = got.Kind != selector.Undecided
				if decided && got.Kind != exact.Kind {
					t.Fatalf("with a budget of %d: %s, want %s or Undecided", budget, got.Kind, exact.Kind)
				}
				got.Kind = kindOf(got) // only the witnesses count
				checkWitnesses(t, a, b, got)
			}
		})
	}
}

// A prefix neither ends nor begins with a dash, so a star there takes a character
// at least. No look at the globs tells that: the search has to, at any length.
func TestCompareLongKeys(t *testing.T) {
	const longest = 250 // with three more characters
	for _, n := range []int{0, 1, 59, 60, 61, 62, 63, 64, 65, 66, 125, 126, 127, 128, 129, 189, 190, 191, 192, 193, 248, 249, 250, 251} {
		long := strings.Repeat("a", n)
		for name, c := range map[string]struct {
			a, b string
			want selector.RelationKind
		}{
			"one at the end":       {long + "a-*/n", long + "a-?*/n", selector.Equal},
			"two at the end":       {long + "a-*/n", long + "a-??*/n", selector.Superset},
			"one at the beginning": {"*-" + long + "a/n", "?*-" + long + "a/n", selector.Equal},
			"just one at the end":  {long + "a-*/n", long + "a-?/n", selector.Superset},
			"other keys":           {long + "a-*/n", long + "b-?*/n", selector.Overlaps},
		} {
			want := c.want
			switch {
			case n > longest || n == longest && name == "two at the end":
				want = selector.Disjoint
			case n == longest && name == "just one at the end":
				want = selector.Equal
			}
			t.Run(fmt.Sprintf("%d and %s", n, name), func(t *testing.T) {
				checkRelation(t, on("web", c.a, "x"), on("web", c.b, "x"), want)
			})
		}
	}
}

// No look at these globs tells: their names have to be searched.
func TestCompareHiddenNames(t *testing.T) {
	long := strings.Repeat("a", 64)
	dense := strings.Repeat("a*", 48)
	for name, c := range map[string]struct {
		a, b selector.Selector
		want selector.RelationKind
	}{
		"a slash with a letter around, or alone":    {on("web", long+"?aaaaaA*", "x"), on("web", long+"*aaaaaA*", "x"), selector.Subset},
		"a slash between two dashes":                {on("web", long+"-*-A?", "x"), on("web", "a*a", "x"), selector.Overlaps},
		"one letter in many gaps":                   {on("web", "k", dense+"b?ab"), on("web", "k", strings.Repeat("a", 10)+"*"), selector.Overlaps},
		"a name that only fits behind a late slash": {on("web", "aaA?aA?*aa*aaa?*??a*Aaa?aaa?AA?*a?aaA*aAa*Aaaaaa*AaaAa*aa*A**aaA?*", "x"), on("web", "*aaa?*a?a???a*", "x"), selector.Overlaps},
		"two values with a common one each":         {on("web", "a", "?aaaa?*?abba*babaa", "b", "***b?aaaaab*"), on("web", "a", "b**", "b", "aaaaaa?baabb???aa??baaa?a"), selector.Overlaps},
		"a long value and a long one":               {on("web", "a", "bbb**ba", "b", "?a???a??bbb?*ba*"), on("web", "a", "???a*?b*", "b", "??aabaaa?b?bb*?*"), selector.Overlaps},
		"a value of a fixed length, then stars":     {on("web", "a", "?b?ab*", "b", "aba?baabba?aaa??"), on("web", "a", "a?aa?aa?abaa?", "b", "**b*b*b***aa**aaab**"), selector.Overlaps},
		"a value with a certain end, then with one": {on("web", "a", "b*bbbba*bbaa", "b", "b*bbbba*"), on("web", "a", "?a*b***", "b", "?a*"), selector.Overlaps},
	} {
		t.Run(name, func(t *testing.T) {
			checkRelation(t, c.a, c.b, c.want)
			checkRelation(t, c.b, c.a, opposite(c.want))
		})
	}
}

// Each letter at the edge of what a name may hold is legal, and its neighbour isn't.
func TestCompareKnowsTheLettersOfNames(t *testing.T) {
	for letter, legal := range map[string]struct{ namespace, key, prefix, value bool }{
		"0": {true, true, true, true}, "9": {true, true, true, true},
		"a": {true, true, true, true}, "z": {true, true, true, true},
		"A": {false, true, false, true}, "Z": {false, true, false, true},
		"-": {}, "_": {}, ".": {}, "/": {}, ":": {}, "@": {}, "[": {}, "`": {}, "{": {},
	} {
		for name, c := range map[string]struct {
			s     selector.Selector
			legal bool
		}{
			"namespace": {on(letter), legal.namespace},
			"key":       {on("web", letter, "x"), legal.key},
			"prefix":    {on("web", letter+"/x", "x"), legal.prefix},
			"value":     {on("web", "k", letter), legal.value},
		} {
			want := selector.Disjoint
			if c.legal {
				want = selector.Equal
			}
			t.Run(name+" "+letter, func(t *testing.T) { checkRelation(t, c.s, c.s, want) })
		}
	}
}

// Steps count the same on every machine, so this guards the speed: without its
// shortcuts a search takes thousands.
func TestFiveLongLabelsTakeFewSteps(t *testing.T) {
	for steps, pairs := range map[int]map[string][2]selector.Selector{120: comparePairs(), 5000: hardPairs()} {
		for name, pair := range pairs {
			if got := selector.CompareWithin(steps, pair[0], pair[1]); got.Kind == selector.Undecided {
				t.Errorf("%s: undecided after %d steps", name, steps)
			}
		}
	}
}

// What can't be decided is not guessed: the pods that were found hold, and only
// the one that was not found is open.
func TestCompareBeyondReach(t *testing.T) {
	a, b := beyondReach()
	got := selector.Compare(a, b)
	if got.OnlyA == nil || got.OnlyB == nil {
		t.Errorf("Compare() = %+v: the pods of only one are easy to find", got)
	}
	if got.Kind != selector.Undecided && got.Kind != kindOf(got) {
		t.Errorf("Compare() = %s, want %s or Undecided", got.Kind, kindOf(got))
	}
	got.Kind = kindOf(got)
	checkWitnesses(t, a, b, got)
}

func opposite(k selector.RelationKind) selector.RelationKind {
	switch k {
	case selector.Subset:
		return selector.Superset
	case selector.Superset:
		return selector.Subset
	default:
		return k
	}
}

func checkRelation(t *testing.T, a, b selector.Selector, want selector.RelationKind) {
	t.Helper()
	got := selector.Compare(a, b)
	if got.Kind != want {
		t.Errorf("Compare(%v, %v) = %s, want %s", a, b, got.Kind, want)
	}
	checkWitnesses(t, a, b, got)
}

// witnessFailure says what is wrong with the witnesses of a relation, if
// anything: each must be there when the kind says so, be legal, and match what
// it should.
func checkWitnesses(t interface {
	Helper()
	Errorf(format string, args ...any)
}, a, b selector.Selector, r selector.Relation,
) {
	t.Helper()
	for _, w := range []struct {
		name     string
		pod      *selector.Pod
		inA, inB bool
	}{
		{"Both", r.Both, true, true},
		{"OnlyA", r.OnlyA, true, false},
		{"OnlyB", r.OnlyB, false, true},
	} {
		if w.pod == nil {
			continue
		}
		if why := illegal(*w.pod); why != "" {
			t.Errorf("Compare(%v, %v).%s = %+v is not legal: %s", a, b, w.name, *w.pod, why)
		}
		inA, inB := a.Matches(w.pod.Namespace, w.pod.Labels), b.Matches(w.pod.Namespace, w.pod.Labels)
		if inA != w.inA || inB != w.inB {
			t.Errorf("Compare(%v, %v).%s = %+v: a matches: %v, b matches: %v", a, b, w.name, *w.pod, inA, inB)
		}
	}
	if got := kindOf(r); got != r.Kind {
		t.Errorf("Compare(%v, %v) = %s, but its witnesses say %s", a, b, r.Kind, got)
	}
}

func kindOf(r selector.Relation) selector.RelationKind {
	switch {
	case r.Both == nil:
		return selector.Disjoint
	case r.OnlyA == nil && r.OnlyB == nil:
		return selector.Equal
	case r.OnlyA == nil:
		return selector.Subset
	case r.OnlyB == nil:
		return selector.Superset
	default:
		return selector.Overlaps
	}
}
