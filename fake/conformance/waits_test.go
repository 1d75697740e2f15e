// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

func waitScenarios() map[string]scenario {
	return map[string]scenario{
		"a waiter sees a profile become ACTIVE": func(s session) {
			s.creating("web")
			s.watched("FargateProfileActive", "")
		},
		"a waiter sees a profile go": func(s session) {
			s.active("web")
			s.deleting("web")
			s.watched("FargateProfileDeleted", "")
		},
		"a waiter sees a profile fail": func(s session) {
			s.c.Inject(fake.Fault{Operation: "CreateFargateProfile", Outcome: &fake.Outcome{Failed: true}})
			s.creating("web")
			s.c.Advance(time.Hour)
			complaint := s.client.wait(s.T, "FargateProfileActive", named("web"))
			if !strings.Contains(strings.ToLower(complaint), "fail") {
				s.Errorf("the waiter said %q", complaint)
			}
		},
	}
}

// watched waits while an hour passes between the first and the second look, so
// that a waiter must look exactly twice however slow the client is.
func (s session) watched(waiter, complaint string) {
	s.Helper()
	s.c.ForgetCalls()
	s.c.Before(2, func() { s.c.Advance(time.Hour) })
	s.same("complaint", s.client.wait(s.T, waiter, named("web")), complaint)
	s.same("looks", s.c.CallCount("DescribeFargateProfile"), 2)
}
