// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Matcher places pods on profiles. Make one with [Compile]; the zero value has
// no profiles. It never changes, so many goroutines may share it.
type Matcher struct {
	profiles []Profile      // by name
	ranks    map[string]int // the place of a name in profiles
	literal  map[string][]block
	wild     []block
}

// block is the selectors of one profile that have the same namespace. Lists of
// blocks are ordered by rank.
type block struct {
	rank      int
	namespace pattern
	entries   []entry
}

// entry is one selector, prepared.
type entry struct {
	selector int
	labels   []requirement
}

// requirement is one label of a selector: some label of the pod must match both.
type requirement struct {
	key, value pattern
}

// ErrEmptyName and ErrDuplicateName are what a [NameError] wraps.
var (
	ErrEmptyName     = errors.New("selector: profile without a name")
	ErrDuplicateName = errors.New("selector: profile name used twice")
)

// NameError says which of the profiles given to [Compile] has a bad name.
type NameError struct {
	Index int    // the place of the profile in the arguments
	Name  string // its name
	Err   error  // ErrEmptyName or ErrDuplicateName
}

// Error says which profile it is and what to do.
func (e *NameError) Error() string {
	return fmt.Sprintf("compiling profile %d (%q): %v; give each profile of a cluster a name of its own",
		e.Index, e.Name, e.Err)
}

// Unwrap returns [ErrEmptyName] or [ErrDuplicateName].
func (e *NameError) Unwrap() error { return e.Err }

// Compile prepares the profiles of one cluster for matching. Selectors of any
// text are accepted: one that no pod can match does no harm, and [Analyze] finds
// it. Names must be there and unique, since they decide which profile wins; all
// faults are joined, each a [*NameError].
//
// Compile copies what it needs: later changes of profiles make no difference.
func Compile(profiles ...Profile) (*Matcher, error) {
	if err := checkNames(profiles); err != nil {
		return nil, err
	}
	return compile(profiles), nil
}

func checkNames(profiles []Profile) error {
	var errs []error
	seen := make(map[string]bool, len(profiles))
	for i, p := range profiles {
		switch {
		case p.Name == "":
			errs = append(errs, &NameError{Index: i, Err: ErrEmptyName})
		case seen[p.Name]:
			errs = append(errs, &NameError{Index: i, Name: p.Name, Err: ErrDuplicateName})
		}
		seen[p.Name] = true
	}
	return errors.Join(errs...)
}

// compile accepts any names. Of two profiles of one name the first counts as
// that name's, and both match.
func compile(profiles []Profile) *Matcher {
	m := &Matcher{
		profiles: sortedByName(profiles),
		ranks:    make(map[string]int, len(profiles)),
		literal:  make(map[string][]block),
	}
	for rank, p := range m.profiles {
		if _, taken := m.ranks[p.Name]; !taken {
			m.ranks[p.Name] = rank
		}
		m.addBlocks(rank, p.Selectors)
	}
	return m
}

func (m *Matcher) addBlocks(rank int, selectors []Selector) {
	for i, s := range selectors {
		namespace := newPattern(s.Namespace)
		blocks := m.wild
		if namespace.shape == shapeLiteral {
			blocks = m.literal[namespace.text]
		}
		at := slices.IndexFunc(blocks, func(b block) bool { return b.rank == rank && b.namespace == namespace })
		if at < 0 {
			at = len(blocks)
			blocks = append(blocks, block{rank: rank, namespace: namespace})
		}
		blocks[at].entries = append(blocks[at].entries, entry{i, requirements(s.Labels)})
		if namespace.shape == shapeLiteral {
			m.literal[namespace.text] = blocks
		} else {
			m.wild = blocks
		}
	}
}

// sortedByName copies profiles, selectors included, in the order in which EKS
// prefers them.
func sortedByName(profiles []Profile) []Profile {
	sorted := make([]Profile, len(profiles))
	for i, p := range profiles {
		sorted[i] = Profile{Name: p.Name, Selectors: cloneSelectors(p.Selectors)}
	}
	slices.SortStableFunc(sorted, func(a, b Profile) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// requirements orders labels by key, literal keys first: a look-up is cheaper
// than a walk over all labels of a pod, and rules out most pods.
func requirements(labels map[string]string) []requirement {
	reqs := make([]requirement, 0, len(labels))
	for key, value := range labels {
		reqs = append(reqs, requirement{newPattern(key), newPattern(value)})
	}
	slices.SortFunc(reqs, func(a, b requirement) int {
		return cmp.Or(cmp.Compare(a.key.shape, b.key.shape), strings.Compare(a.key.text, b.key.text))
	})
	return reqs
}
