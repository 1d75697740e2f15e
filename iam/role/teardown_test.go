// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/selector"
)

func TestATeardownTakesTheRolesThatWereMade(t *testing.T) {
	for name, perProfile := range map[string]bool{"one role for all": false, "one for each": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				r := newReconciler(c, func(o *role.Options) { o.PerProfile = perProfile })
				for _, profile := range []string{"fp-a", "fp-b"} {
					_, err := r.Run(t.Context(), fargate.Desired{
						Spec:  fargate.Spec{ClusterName: fake.ClusterName, Name: profile, Selectors: []selector.Selector{{Namespace: profile}}},
						Owner: fargate.Owner{ID: me},
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				report, err := r.Teardown(t.Context(), fake.ClusterName, fargate.Owner{ID: me}, fargate.Policy{})
				if err != nil || len(report.Results) != 2 {
					t.Fatalf("Teardown() = %+v, %v", report, err)
				}
				for thing := range c.Inventory() {
					if strings.HasPrefix(thing, "role fargate-demo-") {
						t.Errorf("%s is left", thing)
					}
				}
			})
		})
	}
}
