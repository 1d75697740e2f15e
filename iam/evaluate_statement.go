// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// evaluation is one request against one document.
type evaluation struct {
	service, action string
	keys            map[string][]string
	variables       bool // the document's language has policy variables
}

// statement says how far a statement matches the request, whatever its effect.
func (e evaluation) statement(s Statement) finding {
	f := finding{outcome: outcome{match: yes}}
	for _, o := range []outcome{e.principal(s), e.actions(s), e.condition(s.Condition)} {
		if o.match < f.match {
			f.outcome = o
		}
		if o.match == no {
			return f
		}
		f.stage++
	}
	if why := s.oddity(); why != "" && f.match == yes {
		f.outcome = outcome{maybe, why}
	}
	return f
}

// oddity is what in the statement is not evaluated. IAM would have refused most
// of it, so that it can't be in the trust policy of a role.
func (s Statement) oddity() string {
	switch {
	case s.Effect != EffectAllow && s.Effect != EffectDeny:
		return fmt.Sprintf("the statement has the effect %q, want Allow or Deny", s.Effect)
	case len(s.Other) > 0:
		return "the statement has an element " + s.Other[0].Name + ", which IAM does not document"
	case s.Resource != nil || s.NotResource != nil:
		return "the statement names a resource, which a trust policy must not"
	}
	return ""
}

func (e evaluation) principal(s Statement) outcome {
	switch among := e.isAmong(s.Principal); {
	case s.Principal.absent() == s.NotPrincipal.absent():
		return outcome{maybe, "the statement must have either Principal or NotPrincipal"}
	case s.Principal.absent():
		return outcome{e.isAmong(s.NotPrincipal).not(), "the statement leaves out " + e.service}
	case among == maybe:
		return outcome{among, "IAM does not document whether " + s.Principal.describe() + " includes " + e.service}
	default:
		return outcome{among, "the statement trusts " + s.Principal.describe() + ", not " + e.service}
	}
}

func (e evaluation) isAmong(p Principal) match {
	if p.normal().Everyone || slices.Contains(p.ByType["Service"], e.service) {
		return yes
	}
	m := no
	for name, ids := range p.ByType {
		// IAM does not document what a wildcard means for services, nor types
		// other than these.
		if !slices.Contains([]string{"AWS", "Service", "Federated", "CanonicalUser"}, name) ||
			name == "Service" && slices.ContainsFunc(ids, hasWildcard) {
			m = maybe
		}
	}
	return m
}

func hasWildcard(s string) bool { return strings.ContainsAny(s, "*?") }

func (p Principal) describe() string {
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(p.ByType)) {
		ids = append(ids, p.ByType[name]...)
	}
	return enumerate(ids)
}

// enumerate lists texts for people: a, b and c.
func enumerate(texts []string) string {
	switch n := len(texts); n {
	case 0:
		return "nobody"
	case 1:
		return texts[0]
	default:
		return strings.Join(texts[:n-1], ", ") + " and " + texts[n-1]
	}
}

func (e evaluation) actions(s Statement) outcome {
	switch {
	case (s.Action == nil) == (s.NotAction == nil):
		return outcome{maybe, "the statement must have either Action or NotAction"}
	case s.Action == nil:
		return outcome{e.isAction(s.NotAction).not(), "the statement leaves out " + e.action}
	default:
		return outcome{e.isAction(s.Action), "the statement is about " + enumerate(s.Action) + ", not " + e.action}
	}
}

// isAction compares without regard to case, as IAM does with actions.
func (e evaluation) isAction(patterns []string) match {
	return matchIf(slices.ContainsFunc(patterns, func(pattern string) bool {
		return glob(strings.ToLower(pattern), strings.ToLower(e.action))
	}))
}
