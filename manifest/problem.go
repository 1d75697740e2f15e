// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how grave a problem is.
type Severity string

// The severities.
const (
	// SeverityError: the file can't be read as it is, or EKS would refuse it.
	SeverityError Severity = "error"
	// SeverityUnresolved: nothing is wrong, but a value can't be known from the
	// file alone.
	SeverityUnresolved Severity = "unresolved"
	// SeverityWarning: legal, and worth a look.
	SeverityWarning Severity = "warning"
)

// Code is the machine word for a problem. What EKS would refuse has the code
// that [fargate.Spec.Validate] gives it.
type Code string

// The codes of this package.
const (
	CodeSyntax          Code = "Syntax"          // neither YAML nor JSON
	CodeEncoding        Code = "Encoding"        // not UTF-8, or a NUL byte
	CodeTooLarge        Code = "TooLarge"        // beyond Options.MaxBytes or Options.MaxNodes
	CodeTooDeep         Code = "TooDeep"         // beyond Options.MaxDepth
	CodeCycle           Code = "Cycle"           // an alias inside its own anchor
	CodeTemplate        Code = "Template"        // an unrendered template
	CodeTerraformSource Code = "TerraformSource" // HCL, or a raw state file
	CodeUnknownFormat   Code = "UnknownFormat"   // none of the formats
	CodeUnknownGroup    Code = "UnknownGroup"    // a FargateProfile of an API group that serves none
	CodeUnknownVersion  Code = "UnknownVersion"  // a version of a known group that is not read
	CodeNoProfile       Code = "NoProfile"       // a known format, without a profile
	CodeSkipped         Code = "Skipped"         // a document that is not read, beside others that are
	CodeUnknownField    Code = "UnknownField"    // a field that the format does not have
	CodeDuplicateKey    Code = "DuplicateKey"    // a key given twice
	CodeType            Code = "Type"            // a list where a map is due, and the like
	CodeNeedsQuotes     Code = "NeedsQuotes"     // a bare word that is no string to every YAML reader
	CodeUnresolved      Code = "Unresolved"      // a value that the file alone does not settle
	CodeRequired        Code = "Required"        // missing
	CodePlaceholder     Code = "Placeholder"     // <your_cluster_name>
	CodeDuplicate       Code = "DuplicateProfile"
	CodeObserved        Code = "Observed"      // what exists, perhaps being deleted, not what is desired
	CodeMismatch        Code = "Mismatch"      // two fields that contradict each other
	CodeClusterName     Code = "ClusterName"   // names the Cluster API object, not always the EKS cluster
	CodeRoleByName      Code = "RoleByName"    // the role's account is not in the file
	CodeAssumed         Code = "Assumed"       // a default that another tool chooses
	CodeConditional     Code = "Conditional"   // exists only if a condition of the template holds
	CodeNotCarried      Code = "NotCarried"    // what the target of Encode can't hold
	CodeUnknownKind     Code = "UnknownKind"   // a kind that a known group does not have
	CodeNotAPod         Code = "NotAPod"       // a document that makes no pods
	CodeMissingTemplate Code = "NoPodTemplate" // a workload without a pod template
)

// Problem is one thing that is wrong, unknown or worth a look.
type Problem struct {
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	// Line and Column count from 1. They are 0 in a note of [Encode] on a profile
	// that came from no file.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Field is the path in the words of the format.
	Field   string `json:"field"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Help says what to do.
	Help string `json:"help"`
}

// String writes the problem on one line, as compilers do.
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "%s:%d:%d: ", p.File, p.Line, p.Column)
	}
	b.WriteString(string(p.Severity) + ": ")
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Message)
	if p.Help != "" {
		b.WriteString("; " + p.Help)
	}
	return b.String()
}

// sortProblems orders by place, so that a reader can go through the file once.
func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
