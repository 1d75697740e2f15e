// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import "slices"

// universe says which pods exist.
type universe struct {
	namespace, key, value *syntax
}

func kubernetes() universe {
	return universe{namespace: namespaceSyntax(), key: keySyntax(), value: valueSyntax()}
}

// budget is how many states the searches of one question may take together: seven
// times what the hardest pair took that was found and can be decided, which bounds
// what others can make a caller compute. [Compare] says what takes more.
const budget = 1 << 15

// prover answers questions about all pods of a universe. Whatever it finds is
// true; that it finds nothing is proof unless its search is spent.
type prover struct {
	universe universe
	search   search
}

func newProver(u universe) *prover {
	return &prover{universe: u, search: search{budget: budget}}
}

// region is a selector, prepared for questions.
type region struct {
	Selector
	namespace *glob
	needs     []need
	sample    *Pod // a pod that it selects; nil if there is none
}

func (p *prover) region(s Selector) *region {
	r := &region{Selector: s, namespace: newGlob(p.universe.namespace, s.Namespace), needs: p.needs(s.Labels)}
	r.sample = p.pod([]*glob{r.namespace}, r.needs)
	return r
}

// pod finds a pod whose namespace all globs match and whose labels meet all needs.
func (p *prover) pod(namespaces []*glob, needs []need) *Pod {
	namespace, found := p.search.find(p.universe.namespace, namespaces, nil)
	if !found {
		return nil
	}
	labels, found := p.labelSet(needs, nil)
	if !found {
		return nil
	}
	return witness(namespace, labels)
}

// common finds a pod that both select.
func (p *prover) common(a, b *region) *Pod {
	if a.sample == nil || b.sample == nil {
		return nil
	}
	for _, sample := range []*Pod{a.sample, b.sample} {
		if a.Matches(sample.Namespace, sample.Labels) && b.Matches(sample.Namespace, sample.Labels) {
			return sample
		}
	}
	return p.pod([]*glob{a.namespace, b.namespace}, slices.Concat(a.needs, b.needs))
}

// outside finds a pod that a selects and none of the others does.
//
// It starts with any pod that a selects. If one of the others selects that pod,
// each pod that is looked for fails that other one, by its namespace or by one
// of its labels: outside tries each of these in turn, and keeps to it from then
// on.
func (p *prover) outside(a *region, others []*region) *Pod {
	if a.sample == nil {
		return nil
	}
	return p.escape(escape{region: a, pod: a.sample}, others)
}

// escape is a pod on the way out, with what holds for it by construction.
type escape struct {
	*region
	pod   *Pod
	deny  []*glob // its namespace matches none of them
	avoid []need  // its labels meet none of them
}

func (p *prover) escape(e escape, others []*region) *Pod {
	at := slices.IndexFunc(others, func(r *region) bool { return r.Matches(e.pod.Namespace, e.pod.Labels) })
	if at < 0 {
		return e.pod
	}
	deny := append(slices.Clip(e.deny), others[at].namespace)
	namespace, found := p.search.find(p.universe.namespace, []*glob{e.namespace}, deny)
	if found {
		next := e
		next.deny, next.pod = deny, witness(namespace, e.pod.Labels)
		if pod := p.escape(next, others); pod != nil {
			return pod
		}
	}
	for _, n := range others[at].needs {
		next := e
		next.avoid = append(slices.Clip(e.avoid), n)
		labels, found := p.labelSet(e.needs, next.avoid)
		if !found {
			continue
		}
		next.pod = witness(e.pod.Namespace, labels)
		if pod := p.escape(next, others); pod != nil {
			return pod
		}
	}
	return nil
}

func witness(namespace string, labels map[string]string) *Pod {
	return &Pod{Namespace: namespace, Name: "witness", Labels: labels}
}
