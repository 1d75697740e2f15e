// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// RelationKind says how the pods that two selectors select are related. The zero
// value is invalid.
type RelationKind string

// How selector a is related to selector b.
const (
	// Disjoint: no pod matches both. So it is if one of them, or both, match no
	// pod at all.
	Disjoint RelationKind = "Disjoint"
	// Overlaps: some pods match both, some only a, some only b.
	Overlaps RelationKind = "Overlaps"
	// Subset: every pod that matches a matches b, and not the other way round.
	Subset RelationKind = "Subset"
	// Superset: every pod that matches b matches a, and not the other way round.
	Superset RelationKind = "Superset"
	// Equal: the same pods match both, however the selectors are written.
	Equal RelationKind = "Equal"
	// Undecided: the question was too large. See [Compare].
	Undecided RelationKind = "Undecided"
)

// Relation is the answer of [Compare], with the pods that prove it. Each pod is
// one that Kubernetes accepts; nil says that there is none.
type Relation struct {
	Kind RelationKind `json:"relation"`
	// Both matches both.
	Both *Pod `json:"witness,omitempty"`
	// OnlyA matches a and not b.
	OnlyA *Pod `json:"onlyA,omitempty"`
	// OnlyB matches b and not a.
	OnlyB *Pod `json:"onlyB,omitempty"`
}

// Compare says how the pods that a selects are related to those that b selects,
// among all pods that Kubernetes accepts: a namespace is a DNS-1123 label of at
// most 63 characters; a label key is a name of at most 63 characters with, or
// without, a DNS-1123 subdomain of at most 253 before it; a value is empty or
// like a name; a pod has any number of labels, of different keys. Pins and
// opt-outs play no part. The answer is exact, and each pod that it names is a
// proof. This is why:
//
// A namespace and a set of labels can be chosen apart from each other, so a pod
// that both select is a namespace that both globs match, with a set of labels
// that meets all labels of both selectors. A pod that a selects and b doesn't is
// either one of a's whose namespace b doesn't match, or one of a's whose labels
// don't meet some label of b. The labels of b can be tried one at a time, since
// failing one is enough; the labels of a can't, since they share a pod.
//
// So there are two questions. The first: is there a word that Kubernetes accepts
// and that some globs match and others don't? All of these are regular, with a
// bounded length, so a search through the product of their automata answers it.
// The second: is there a set of labels that meets all of some labels and in which
// no label meets another one? Of a set that does, one label for each that is to
// be met is enough: fewer labels never meet more. Each can be chosen alone,
// except that labels of the same key are one label and have one value. So they
// interact only where keys are scarce, and there all choices are tried. That is
// how {k: x, k*: y} is found to lie inside {k?*: y}, though none of its labels
// does: k is x, so another key must have y.
//
// The number of choices can grow without bound with the number of labels, so the
// search stops after a quarter of a million steps and the answer is [Undecided],
// with the pods found until then. EKS accepts five labels by default, and with
// five it takes a key as long as a key can be: then several globs for keys may
// match that one only, so that six values or more must be one, and to find a
// short text that many globs match is as hard as it sounds. Nothing else was seen
// to take a twentieth of the steps.
func Compare(a, b Selector) Relation {
	return newProver(kubernetes()).compare(a, b)
}

func (p *prover) compare(a, b Selector) Relation {
	x, y := p.region(a), p.region(b)
	r := Relation{
		Both:  p.common(x, y),
		OnlyA: p.outside(x, []*region{y}),
		OnlyB: p.outside(y, []*region{x}),
	}
	r.Kind = r.kind(p.search.spent)
	return r
}

func (r Relation) kind(spent bool) RelationKind {
	switch {
	case r.Both != nil && r.OnlyA != nil && r.OnlyB != nil:
		return Overlaps
	case spent:
		return Undecided
	case r.Both == nil:
		return Disjoint
	case r.OnlyA != nil:
		return Superset
	case r.OnlyB != nil:
		return Subset
	default:
		return Equal
	}
}
