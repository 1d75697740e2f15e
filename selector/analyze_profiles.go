// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"fmt"
	"strings"
)

// rival is a profile of an earlier name that matches some of the same pods.
type rival struct {
	*analyzed
	common *Pod
}

// checkEarlier looks at what profiles of earlier names take from the i-th.
func (a *analysis) checkEarlier(i int) {
	p := &a.profiles[i]
	rivals := a.rivals(p, a.profiles[:i])
	if len(rivals) == 0 {
		return
	}
	var theirs []indexedRegion
	for _, r := range rivals {
		theirs = append(theirs, r.regions...)
	}
	var shadowed []indexedRegion
	for _, r := range p.regions {
		if a.covers(p.Name, theirs, r) {
			shadowed = append(shadowed, r)
		}
	}
	if len(shadowed) == len(p.regions) && !p.partly {
		a.add(a.neverWins(p, rivals))
		return
	}
	for _, r := range shadowed {
		f := shadowedBy(p.Name, rivals, r.sample)
		f.Selector = r.index
		a.add(f)
	}
	for _, r := range rivals {
		a.add(a.ambiguous(p, r))
	}
}

// rivals finds the profiles that match a pod which p matches, too.
func (a *analysis) rivals(p *analyzed, earlier []analyzed) []rival {
	var rivals []rival
	for i := range earlier {
		if common := a.firstCommon(p, &earlier[i]); common != nil {
			rivals = append(rivals, rival{&earlier[i], common})
		}
	}
	return rivals
}

func (a *analysis) firstCommon(p, q *analyzed) *Pod {
	for _, r := range p.regions {
		for _, s := range q.regions {
			var common *Pod
			if a.ask(p.Name, func() { common = a.prover.common(r.region, s.region) }); common != nil {
				return common
			}
		}
	}
	return nil
}

// coversAll reports whether all pods that inner matches match outer, too.
func (a *analysis) coversAll(outer, inner *analyzed) bool {
	for _, r := range inner.regions {
		if !a.covers(inner.Name, outer.regions, r) {
			return false
		}
	}
	return !inner.partly
}

func (a *analysis) neverWins(p *analyzed, rivals []rival) Finding {
	for _, r := range rivals {
		if a.coversAll(r.analyzed, p) && a.coversAll(p, r.analyzed) {
			return Finding{
				Code: FindingIdentical, Severity: SeverityWarning, Profile: p.Name, Selector: NoSelector,
				Others: []string{r.Name}, Witness: r.common,
				Message: fmt.Sprintf("it matches the same pods as %s, which gets them all by its name", r.Name),
				Remedy:  "remove one of them, or pin pods with the label " + ProfileLabel,
			}
		}
	}
	return shadowedBy(p.Name, rivals, p.regions[0].sample)
}

func shadowedBy(profile string, rivals []rival, sample *Pod) Finding {
	names := make([]string, len(rivals))
	for i, r := range rivals {
		names[i] = r.Name
	}
	return Finding{
		Code: FindingShadowed, Severity: SeverityWarning, Profile: profile, Selector: NoSelector,
		Others: names, Witness: sample,
		Message: fmt.Sprintf("all its pods go to profiles of earlier names: %s", strings.Join(names, ", ")),
		Remedy:  "give the profile an earlier name, narrow the others, or pin pods with the label " + ProfileLabel,
	}
}

func (a *analysis) ambiguous(p *analyzed, r rival) Finding {
	f := Finding{
		Code: FindingAmbiguous, Severity: SeverityWarning, Profile: p.Name, Selector: NoSelector,
		Others: []string{r.Name}, Witness: r.common,
		Message: fmt.Sprintf("some pods match %s, too, which gets them by its name", r.Name),
		Remedy:  "make them disjoint, or pin pods with the label " + ProfileLabel,
	}
	if a.coversAll(p, r.analyzed) {
		f.Severity = SeverityInfo
		f.Message = fmt.Sprintf("all pods of %s match it, too, and go to %s by its name", r.Name, r.Name)
		f.Remedy = "nothing, if that profile is an exception from this one"
	}
	return f
}
