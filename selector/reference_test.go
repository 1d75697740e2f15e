// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/selector"
)

var (
	pairCount = flag.Int("pairs", 30_000, "how many pairs of selectors to check against the reference")
	pairSeed  = flag.Uint64("seed", 1, "where the pairs come from")
)

// reference decides by listing: all namespaces and all label sets of a small
// universe, each tried with a matcher that is as simple as can be.
type reference struct {
	selector.Universe
	namespaces, keys, values []string
	labelSets                []map[string]string
	having                   map[[2]string]bitset // the label sets that have a label
}

type bitset []uint64

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

func newBitset(size int) bitset { return make(bitset, size/64+1) }

func newReference(u selector.Universe) *reference {
	r := &reference{Universe: u, having: map[[2]string]bitset{}}
	r.namespaces = r.words(u.Namespace, legalNamespace)
	r.keys = r.words(u.Prefix+1+u.Name, r.legalKey)
	r.values = r.words(u.Value, legalValue)
	r.labelSets = []map[string]string{{}}
	for _, key := range r.keys {
		for _, set := range r.labelSets {
			for _, value := range r.values {
				larger := map[string]string{key: value}
				maps.Copy(larger, set)
				r.labelSets = append(r.labelSets, larger)
			}
		}
	}
	for _, key := range r.keys {
		for _, value := range r.values {
			r.having[[2]string{key, value}] = newBitset(len(r.labelSets))
		}
	}
	for i, labels := range r.labelSets {
		for key, value := range labels {
			r.having[[2]string{key, value}].add(i)
		}
	}
	return r
}

func (r *reference) legalKey(s string) bool {
	prefix, name, found := strings.Cut(s, "/")
	if !found {
		prefix, name = "", s
	}
	return legalKey(s) && len(prefix) <= r.Prefix && len(name) <= r.Name
}

// words lists all words up to a length that are legal.
func (r *reference) words(longest int, legal func(string) bool) []string {
	var found []string
	all := []string{""}
	for length := 0; length <= longest; length++ {
		var longer []string
		for _, word := range all {
			if legal(word) {
				found = append(found, word)
			}
			for _, c := range r.Lower + r.Upper + r.Other + "/" {
				longer = append(longer, word+string(c))
			}
		}
		all = longer
	}
	return found
}

// meeting is the label sets in which some label matches both globs.
func (r *reference) meeting(key, value string) bitset {
	set := newBitset(len(r.labelSets))
	for label, having := range r.having {
		if plainMatch(key, label[0]) && plainMatch(value, label[1]) {
			for w, word := range having {
				set[w] |= word
			}
		}
	}
	return set
}

// plainMatch is the definition of a glob, with no thought of time.
func plainMatch(glob, s string) bool {
	switch {
	case glob == "":
		return s == ""
	case glob[0] == '*':
		return plainMatch(glob[1:], s) || s != "" && plainMatch(glob, s[1:])
	default:
		return s != "" && (glob[0] == '?' || glob[0] == s[0]) && plainMatch(glob[1:], s[1:])
	}
}

// pods is the set of pods that s selects: every namespace with every label set.
func (r *reference) pods(s selector.Selector) (namespaces, labelSets bitset) {
	namespaces = newBitset(len(r.namespaces))
	for i, n := range r.namespaces {
		if plainMatch(s.Namespace, n) {
			namespaces.add(i)
		}
	}
	labelSets = newBitset(len(r.labelSets))
	for i := range r.labelSets {
		labelSets.add(i)
	}
	for key, value := range s.Labels {
		for w, word := range r.meeting(key, value) {
			labelSets[w] &= word
		}
	}
	return namespaces, labelSets
}

// list is the pods that s selects, one by one.
func (r *reference) list(s selector.Selector) bitset {
	namespaces, labelSets := r.pods(s)
	all := newBitset(len(r.namespaces) * len(r.labelSets))
	for n := range r.namespaces {
		for l := range r.labelSets {
			if namespaces.has(n) && labelSets.has(l) {
				all.add(n*len(r.labelSets) + l)
			}
		}
	}
	return all
}

func (r *reference) compare(a, b selector.Selector) selector.RelationKind {
	an, al := r.pods(a)
	bn, bl := r.pods(b)
	onlyA := any2(an, bn, minus) && any2(al, al, and) || any2(an, an, and) && any2(al, bl, minus)
	onlyB := any2(bn, an, minus) && any2(bl, bl, and) || any2(bn, bn, and) && any2(bl, al, minus)
	switch both := any2(an, bn, and) && any2(al, bl, and); {
	case !both:
		return selector.Disjoint
	case onlyA && onlyB:
		return selector.Overlaps
	case onlyA:
		return selector.Superset
	case onlyB:
		return selector.Subset
	default:
		return selector.Equal
	}
}

func and(x, y uint64) uint64   { return x & y }
func minus(x, y uint64) uint64 { return x &^ y }

// any2 reports whether op leaves anything.
func any2(x, y bitset, op func(x, y uint64) uint64) bool {
	for i := range x {
		if op(x[i], y[i]) != 0 {
			return true
		}
	}
	return false
}

// smallUniverses are chosen so that each makes something scarce: keys, values,
// letters that no glob names, or length.
func smallUniverses() []selector.Universe {
	return []selector.Universe{
		{Lower: "ab", Namespace: 2, Name: 2, Value: 1},
		{Lower: "ab", Namespace: 3, Prefix: 1, Name: 1, Value: 1},
		{Lower: "a", Upper: "A", Other: "-", Namespace: 3, Prefix: 1, Name: 1, Value: 2},
		{Lower: "ab", Other: "-", Namespace: 3, Name: 1, Value: 3},
		{Lower: "abc", Namespace: 2, Name: 1, Value: 1},
		{Lower: "abc", Namespace: 2, Name: 2},
		{Lower: "a", Other: "-.", Namespace: 4, Prefix: 3, Name: 1, Value: 1},
		{Lower: "a", Namespace: 3, Name: 3, Value: 2},
		{Lower: "a", Namespace: 1, Name: 2, Value: 4},
	}
}

// generator makes random selectors most of which select something.
type generator struct {
	*rand.Rand
	*reference
}

// glob makes some characters of a random word wildcards, or is quite random.
func (g generator) glob(words []string) string {
	word := words[g.IntN(len(words))]
	if g.IntN(8) == 0 {
		word = g.noise()
	}
	var glob strings.Builder
	for i := range len(word) {
		switch g.IntN(6) {
		case 0:
			glob.WriteByte('?')
		case 1:
			glob.WriteByte('*')
		case 2:
			glob.WriteByte('*')
			glob.WriteByte(word[i])
		default:
			glob.WriteByte(word[i])
		}
	}
	if g.IntN(4) == 0 {
		glob.WriteByte('*')
	}
	return glob.String()
}

func (g generator) noise() string {
	letters := g.Lower + g.Upper + g.Other + "/_?*"
	noise := make([]byte, g.IntN(5))
	for i := range noise {
		noise[i] = letters[g.IntN(len(letters))]
	}
	return string(noise)
}

func (g generator) selector() selector.Selector {
	s := selector.Selector{Namespace: "*", Labels: map[string]string{}}
	if g.IntN(2) == 0 {
		s.Namespace = g.glob(g.namespaces)
	}
	for range g.IntN(5) {
		s.Labels[g.glob(g.keys)] = g.glob(g.values)
	}
	return s
}

// related is a with one label more, less or changed, so that inclusion is likely.
func (g generator) related(a selector.Selector) selector.Selector {
	b := selector.Selector{Namespace: a.Namespace, Labels: map[string]string{}}
	for _, k := range slices.Sorted(maps.Keys(a.Labels)) {
		switch g.IntN(5) {
		case 0:
		case 1:
			b.Labels[g.glob(g.keys)] = a.Labels[k]
		case 2:
			b.Labels[k] = g.glob(g.values)
		case 3:
			b.Labels[g.glob([]string{k})] = g.glob([]string{a.Labels[k]})
		default:
			b.Labels[k] = a.Labels[k]
		}
	}
	return b
}

func TestCompareAgreesWithTheReference(t *testing.T) {
	t.Parallel()
	for _, u := range smallUniverses() {
		t.Run(fmt.Sprintf("%+v", u), func(t *testing.T) {
			t.Parallel()
			r := newReference(u)
			g := generator{rand.New(rand.NewPCG(*pairSeed, 0)), r}
			counts := map[selector.RelationKind]int{}
			for range *pairCount / len(smallUniverses()) {
				a, b := g.selector(), g.selector()
				if g.IntN(2) == 0 {
					b = g.related(a)
				}
				want := r.compare(a, b)
				counts[want]++
				got := selector.CompareIn(u, a, b)
				if got.Kind != want {
					t.Fatalf("Compare(%q, %q) = %s, want %s", a, b, got.Kind, want)
				}
				checkWitnesses(t, a, b, got)
				for _, pod := range []*selector.Pod{got.Both, got.OnlyA, got.OnlyB} {
					if pod != nil && !r.contains(*pod) {
						t.Fatalf("Compare(%q, %q): %+v is not of this universe", a, b, *pod)
					}
				}
			}
			t.Log(counts)
		})
	}
}

func (r *reference) contains(p selector.Pod) bool {
	for k, v := range p.Labels {
		if !r.legalKey(k) || len(v) > r.Value {
			return false
		}
	}
	return len(p.Namespace) <= r.Namespace
}

func TestOutsideAgreesWithTheReference(t *testing.T) {
	t.Parallel()
	for _, u := range smallUniverses() {
		t.Run(fmt.Sprintf("%+v", u), func(t *testing.T) {
			t.Parallel()
			r := newReference(u)
			g := generator{rand.New(rand.NewPCG(*pairSeed, 1)), r}
			covered := 0
			for range *pairCount / len(smallUniverses()) / 10 {
				a := g.selector()
				left := r.list(a)
				var others []selector.Selector
				for range 1 + g.IntN(4) {
					b := g.related(a)
					if g.IntN(2) == 0 {
						b = g.selector()
					}
					others = append(others, b)
					for i, word := range r.list(b) {
						left[i] &^= word
					}
				}
				pod := selector.OutsideIn(u, a, others)
				if want := any2(left, left, and); want != (pod != nil) {
					t.Fatalf("Outside(%q, %q) = %v, want one: %v", a, others, pod, want)
				}
				if pod == nil {
					covered++
					continue
				}
				if illegal(*pod) != "" || !r.contains(*pod) || !a.Matches(pod.Namespace, pod.Labels) {
					t.Fatalf("Outside(%q, %q) = %+v, which is no pod of the first", a, others, *pod)
				}
				for _, b := range others {
					if b.Matches(pod.Namespace, pod.Labels) {
						t.Fatalf("Outside(%q, %q) = %+v, which is a pod of %q", a, others, *pod, b)
					}
				}
			}
			t.Log(covered, "covered")
		})
	}
}
