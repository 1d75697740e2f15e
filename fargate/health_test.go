// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

func issueCodes() []fargate.IssueCode {
	return []fargate.IssueCode{fargate.IssueRoleAlreadyInUse, fargate.IssueAccessDenied, fargate.IssueClusterUnreachable, fargate.IssueInternalFailure}
}

func TestAdviceOfEachCode(t *testing.T) {
	var b strings.Builder
	for _, code := range append(issueCodes(), "SomethingNew", "") {
		a := code.Advice()
		fmt.Fprintf(&b, "%q\n  cause: %s\n  remedy: %s\n  retryable: %v\n", string(code), a.Cause, a.Remedy, a.Retryable)
	}
	golden(t, "testdata/golden/advice.txt", b.String())
}

func TestAdviceSaysWhetherTryingAgainHelps(t *testing.T) {
	tests := map[fargate.IssueCode]bool{
		fargate.IssueRoleAlreadyInUse: false, fargate.IssueAccessDenied: false, fargate.IssueClusterUnreachable: true, fargate.IssueInternalFailure: true, "SomethingNew": true,
	}
	for code, want := range tests {
		if got := code.Advice().Retryable; got != want {
			t.Errorf("%s is retryable: %v, want %v", code, got, want)
		}
	}
}

func TestAdviceDiffersByCode(t *testing.T) {
	seen := map[fargate.Advice]fargate.IssueCode{}
	for _, code := range append(issueCodes(), "SomethingNew") {
		a := code.Advice()
		if other, ok := seen[a]; ok || a.Cause == "" || a.Remedy == "" {
			t.Errorf("the advice of %s is empty or that of %s: %+v", code, other, a)
		}
		seen[a] = code
	}
}

func TestIssueString(t *testing.T) {
	remedy := func(c fargate.IssueCode) string { return " (" + c.Advice().Remedy + ")" }
	tests := map[string]struct {
		issue fargate.Issue
		want  string
	}{
		"with resources": {
			fargate.Issue{Code: fargate.IssueAccessDenied, Message: "denied", ResourceIDs: []string{roleR, "x"}},
			"AccessDenied: denied [" + roleR + ", x]" + remedy(fargate.IssueAccessDenied),
		},
		"without":         {fargate.Issue{Code: fargate.IssueInternalFailure, Message: "oops"}, "InternalFailure: oops" + remedy(fargate.IssueInternalFailure)},
		"of unknown code": {fargate.Issue{Code: "SomethingNew", Message: "new"}, "SomethingNew: new (read the message and the resources of the issue)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.issue.String(); got != tt.want {
				t.Errorf("String() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	tests := map[fargate.Status]struct{ known, inProgress bool }{
		fargate.StatusCreating:     {true, true},
		fargate.StatusActive:       {true, false},
		fargate.StatusDeleting:     {true, true},
		fargate.StatusCreateFailed: {true, false},
		fargate.StatusDeleteFailed: {true, false},
		"UPDATING":                 {false, false},
		"active":                   {false, false},
		"":                         {false, false},
	}
	for status, want := range tests {
		if got := status.Known(); got != want.known {
			t.Errorf("%q.Known() = %v, want %v", status, got, want.known)
		}
		if got := status.InProgress(); got != want.inProgress {
			t.Errorf("%q.InProgress() = %v, want %v", status, got, want.inProgress)
		}
	}
}
