// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"errors"
	"testing"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

func TestVerifyReportsARoleThatIsAbsent(t *testing.T) {
	report, err := newRoles(fake.New()).Verify(t.Context(), desiredRole())
	if err != nil || report.Fit() || report.Observed != nil || report.Shortcomings[0].Reason != iam.ReasonRoleMissing {
		t.Errorf("Verify() = %+v, %v", report, err)
	}
}

func TestVerifyNeedsTheRightToRead(t *testing.T) {
	c := fake.New()
	c.Deny("iam:ListAttachedRolePolicies")
	_, err := newRoles(c).Verify(t.Context(), desiredRole(named(fake.RoleName)))
	if failed, ok := errors.AsType[*role.Error](err); !ok || failed.Op != "ListAttachedRolePolicies" || failed.Retryable() {
		t.Errorf("Verify() = %v", err)
	}
}

func TestVerifyTakesWhatEnsureTook(t *testing.T) {
	c := fake.New()
	desired := desiredRole(named("mine"), func(d *iam.DesiredRole) { d.Mode = "" })
	if _, err := newRoles(c).Ensure(t.Context(), desired); err != nil {
		t.Fatal(err)
	}
	report, err := newRoles(c).Verify(t.Context(), desired)
	if err != nil || !report.Fit() || report.Observed.ARN != c.RoleARN("mine") {
		t.Errorf("Verify() = %+v, %v", report, err)
	}
}

func TestNothingIsFitThatNobodyRead(t *testing.T) {
	report, err := newRoles(fake.New()).Verify(t.Context(), iam.DesiredRole{})
	if err == nil || report.Fit() {
		t.Errorf("Verify() = %+v, %v, and Fit is %t", report, err, report.Fit())
	}
}
