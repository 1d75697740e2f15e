// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Versions of the policy language. A document without a version means
// VersionLegacy.
// Source: IAM user guide, "IAM JSON policy elements: Version".
const (
	VersionCurrent = "2012-10-17"
	VersionLegacy  = "2008-10-17"
)

// Effect is what a statement does with the requests that it matches.
type Effect string

// The effects that IAM knows. Others are kept as they are.
const (
	EffectAllow Effect = "Allow"
	EffectDeny  Effect = "Deny"
)

// Document is an IAM policy document. Its zero value is the empty document,
// which allows nothing.
//
// Where JSON offers several spellings of one thing (one statement or a list, a
// string or a list of one, a number or its text), a Document holds only the
// thing: [ParseDocument] reads every spelling, String writes one.
type Document struct {
	// Version is the version of the policy language; empty means that the
	// document names none.
	Version string
	// ID labels the document and has no effect.
	ID string
	// Statements are the statements in the order of the document. The order
	// has no effect.
	Statements []Statement
	// Other holds the elements that this package does not know.
	Other []Element
}

// Statement is one statement of a policy document.
//
// A nil list means that the element is absent; an empty one that it is there
// and lists nothing, which IAM refuses.
type Statement struct {
	// Sid labels the statement and has no effect. Empty means none.
	Sid string
	// Effect is Allow or Deny. Empty means that the element is missing.
	Effect Effect
	// Principal or NotPrincipal say who.
	Principal, NotPrincipal Principal
	// Action or NotAction say what, for example sts:AssumeRole.
	Action, NotAction []string
	// Resource or NotResource say on which. A trust policy has neither: the
	// resource is the role.
	Resource, NotResource []string
	// Condition says when. Empty means always.
	Condition Condition
	// Other holds the elements that this package does not know.
	Other []Element
}

// Principal says who a statement is about. The zero value means that the
// element is absent.
type Principal struct {
	// Everyone is the principal "*".
	Everyone bool
	// ByType lists the principals by type: AWS, Service, Federated,
	// CanonicalUser.
	ByType map[string][]string
}

func (p Principal) absent() bool { return !p.Everyone && p.ByType == nil }

// Condition maps an operator, such as ArnLike, to condition keys, and each key
// to its values. All keys must hold; of the values of one key, any may.
//
// Numbers and booleans are held as their text: IAM makes no difference between
// "true" and true.
type Condition map[string]map[string][]string

// Element is an element of a document that this package does not know. It is
// kept and written as it is.
type Element struct {
	// Name is the name of the element.
	Name string
	// JSON is its value: one valid JSON text without insignificant space.
	JSON string
}
