// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Result is what IAM would answer.
type Result string

// The results of an evaluation.
const (
	// ResultAllow: IAM lets the principal assume the role.
	ResultAllow Result = "Allow"
	// ResultDeny: IAM refuses.
	ResultDeny Result = "Deny"
	// ResultUnknown: the answer depends on something that is not known here. It
	// is neither a yes nor a no.
	ResultUnknown Result = "Unknown"
)

// Verdict is the outcome of [Evaluate].
type Verdict struct {
	// Result is the answer.
	Result Result
	// Reason is a word for why.
	Reason Reason
	// Explicit is true when a statement with the effect Deny decided.
	Explicit bool
	// Statement is the index of the statement that decided or, where none
	// matched, of the one that came nearest. It is -1 where there is none.
	Statement int
	// Sid is the label of that statement, if it has one.
	Sid string
	// Message says why in one sentence, for people.
	Message string
}

// Allowed reports whether IAM lets the principal assume the role. Unknown is not
// allowed.
func (v Verdict) Allowed() bool { return v.Result == ResultAllow }

// String is the verdict in one line, for people.
func (v Verdict) String() string {
	return string(v.Result) + " (" + string(v.Reason) + "): " + v.Message
}

// Reasons of a [Verdict].
const (
	// ReasonAllowed: a statement allows it and none denies it.
	ReasonAllowed Reason = "Allowed"
	// ReasonDenied: a statement denies it.
	ReasonDenied Reason = "Denied"
	// ReasonNoStatement: the document has no statement that allows anything.
	ReasonNoStatement Reason = "NoStatement"
	// ReasonPrincipalMissing: no statement allows it to this principal.
	ReasonPrincipalMissing Reason = "PrincipalMissing"
	// ReasonActionMissing: the principal is allowed other actions only.
	ReasonActionMissing Reason = "ActionMissing"
	// ReasonConditionNotMet: a condition does not hold for this source.
	ReasonConditionNotMet Reason = "ConditionNotMet"
	// ReasonUndecidable: the document holds something that is not evaluated here.
	ReasonUndecidable Reason = "Undecidable"
)
