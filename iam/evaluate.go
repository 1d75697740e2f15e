// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Evaluate says whether a role with the trust policy d lets the principal of r
// assume it, and why.
//
// It follows IAM's evaluation logic: a statement that denies wins, then a
// statement that allows, and without either the answer is no. Where a statement
// uses something that is not evaluated here (an operator other than Arn*,
// String*, Bool and Null, or one of these in another case, which IAM refuses; a
// policy variable; a condition key that r does not give; an element that IAM does
// not document) its part of the answer is unknown, and the result is Unknown
// unless the rest decides it. An unknown part never makes an Allow.
//
// An ARN operator compares the six parts between colons one by one, so that a
// wildcard never crosses the first five colons; in the sixth part, the resource,
// it crosses everything. ArnEquals takes wildcards too.
//
// Source: IAM user guide, "Policy evaluation logic" and "IAM JSON policy
// elements: Condition operators".
func Evaluate(d Document, r Request) Verdict {
	e := evaluation{
		service:   r.service(),
		action:    r.action(),
		keys:      r.conditionKeys(),
		variables: d.language() != VersionLegacy,
	}
	allow, deny := finding{statement: -1, stage: -1}, finding{}
	for i, s := range d.Statements {
		f := e.statement(s)
		f.statement, f.sid = i, s.Sid
		if s.Effect != EffectDeny {
			allow = allow.or(f)
		}
		if s.Effect != EffectAllow {
			deny = deny.or(f)
		}
	}
	return decideVerdict(e, allow, deny, d.oddity())
}

func decideVerdict(e evaluation, allow, deny finding, oddity string) Verdict {
	switch {
	case deny.match == yes:
		return deny.verdict(ResultDeny, ReasonDenied, "the statement denies "+e.action+" to "+e.service)
	case allow.match == no:
		return allow.refusal()
	case deny.match == maybe:
		return deny.verdict(ResultUnknown, ReasonUndecidable, "the statement may deny it: "+deny.why)
	case allow.match == maybe:
		return allow.verdict(ResultUnknown, ReasonUndecidable, allow.why)
	case oddity != "":
		return allow.verdict(ResultUnknown, ReasonUndecidable, oddity)
	default:
		return allow.verdict(ResultAllow, ReasonAllowed, "the statement allows "+e.action+" to "+e.service)
	}
}

// oddity is what in the document, outside of its statements, is not evaluated.
func (d Document) oddity() string {
	if len(d.Other) > 0 {
		return "the document has an element " + d.Other[0].Name + ", which IAM does not document"
	}
	if v := d.language(); v != VersionCurrent && v != VersionLegacy {
		return "the document is in version " + v + " of the policy language, which is not evaluated here"
	}
	return ""
}

// match is how far something matches: a logic of three values, in which and is
// min, or is max and not is the distance from yes.
type match int

const (
	no match = iota
	maybe
	yes
)

func (m match) not() match { return yes - m }

func matchIf(condition bool) match {
	if condition {
		return yes
	}
	return no
}

// outcome is a match and, unless it is yes, why.
type outcome struct {
	match match
	why   string
}

// finding is what a statement says about the request.
type finding struct {
	outcome
	statement int
	sid       string
	stage     int // how many of its elements matched before one did not
}

// or keeps the finding that matches more or, where both match as much, that got
// further. The first of equals stays.
func (f finding) or(g finding) finding {
	if g.match > f.match || g.match == f.match && g.stage > f.stage {
		return g
	}
	return f
}

func (f finding) verdict(result Result, reason Reason, message string) Verdict {
	return Verdict{
		Result:    result,
		Reason:    reason,
		Explicit:  reason == ReasonDenied,
		Statement: f.statement,
		Sid:       f.sid,
		Message:   message,
	}
}

// refusal is the verdict where no statement allows the request: f came nearest.
func (f finding) refusal() Verdict {
	reasons := []Reason{ReasonPrincipalMissing, ReasonActionMissing, ReasonConditionNotMet}
	if f.statement < 0 {
		return f.verdict(ResultDeny, ReasonNoStatement, "the document has no statement that allows anything")
	}
	return f.verdict(ResultDeny, reasons[f.stage], f.why)
}
