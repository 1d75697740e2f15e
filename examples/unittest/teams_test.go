// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package unittest_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/eksfargate/eksfargate/fake"

	"github.com/eksfargate/eksfargate/examples/unittest"
)

// In a synctest bubble the minutes that EKS takes pass in no time.
func TestATeamGetsItsProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := fake.New() // a cluster "demo", private subnets and a good role are there
		profile, err := unittest.ProvideProfile(t.Context(), cloud.EKS(), fake.ClusterName, "shop", cloud.RoleARN(fake.RoleName))
		if err != nil {
			t.Fatal(err)
		}
		if profile.Status != types.FargateProfileStatusActive || *profile.Selectors[0].Namespace != "shop-*" || profile.Tags["team"] != "shop" {
			t.Errorf("profile = %+v", profile)
		}
	})
}

// EKS changes one profile of a cluster at a time, and so does the fake.
func TestTeamsWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := fake.New()
		var wait sync.WaitGroup
		for _, team := range []string{"shop", "search", "billing"} {
			wait.Go(func() {
				if _, err := unittest.ProvideProfile(t.Context(), cloud.EKS(), fake.ClusterName, team, cloud.RoleARN(fake.RoleName)); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if refused := cloud.CallCount("CreateFargateProfile") - 3; refused == 0 {
			t.Error("no create was refused: this test did not test what it says")
		}
	})
}

func TestAskingAgainChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := fake.New()
		for range 2 {
			if _, err := unittest.ProvideProfile(t.Context(), cloud.EKS(), fake.ClusterName, "shop", cloud.RoleARN(fake.RoleName)); err != nil {
				t.Fatal(err)
			}
		}
		if n := cloud.CallCount("CreateFargateProfile"); n != 1 {
			t.Errorf("%d creates, want 1", n)
		}
	})
}

// Faults are data: what should go wrong, at which call.
func TestWhatGoesWrong(t *testing.T) {
	tests := map[string]struct {
		fault fake.Fault
		want  func(error) bool
	}{
		"a public subnet": {
			fake.Fault{Operation: "CreateFargateProfile", Code: "InvalidParameterException", Message: "Subnet subnet-1 provided in Fargate Profile is not a private subnet"},
			func(err error) bool { _, ok := errors.AsType[*types.InvalidParameterException](err); return ok },
		},
		"a profile that fails to be created": {
			fake.Fault{Operation: "CreateFargateProfile", Outcome: fake.FailAfter(time.Minute, "AccessDenied", "the role cannot be assumed")},
			func(err error) bool { return err != nil },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cloud := fake.New()
				cloud.Inject(tt.fault)
				if _, err := unittest.ProvideProfile(t.Context(), cloud.EKS(), fake.ClusterName, "shop", cloud.RoleARN(fake.RoleName)); !tt.want(err) {
					t.Errorf("err = %v", err)
				}
			})
		})
	}
}
