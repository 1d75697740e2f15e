// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

func profileScenarios() map[string]scenario {
	return map[string]scenario{
		"a profile is created, described and deleted":       wholeLife,
		"subnets and labels that are left out are reported": defaults,
		"a list is paged":                        pagedList,
		"the health of a failed profile is told": failedProfile,
	}
}

func wholeLife(s session) {
	input := s.wanted("web")
	input["selectors"] = []any{
		object{"namespace": "web", "labels": object{"app": "front", "a.b/c": "*"}},
		object{"namespace": "prod-*"},
	}
	input["tags"] = object{"team": "a & b", "empty": ""}
	created := s.profileOf("CreateFargateProfile", input)
	s.checkProfile(created, input, "CREATING")

	described := s.profileOf("DescribeFargateProfile", named("web"))
	s.same("describe after create", described, created)
	s.c.Advance(time.Hour)
	s.same("status an hour later", s.profileOf("DescribeFargateProfile", named("web"))["status"], "ACTIVE")
	s.same("list", s.ok("eks", "ListFargateProfiles", object{"clusterName": demo})["fargateProfileNames"], listOf("web"))

	deleted := s.profileOf("DeleteFargateProfile", named("web"))
	s.checkProfile(deleted, input, "DELETING")
	s.c.Advance(time.Hour)
	s.same("list of nothing", s.ok("eks", "ListFargateProfiles", object{"clusterName": demo})["fargateProfileNames"], []any{})
}

// checkProfile compares a profile with the input that made it.
func (s session) checkProfile(profile, input object, status string) {
	s.Helper()
	if prefix := "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/"; !strings.HasPrefix(fmt.Sprint(profile["fargateProfileArn"]), prefix) {
		s.Errorf("ARN %v", profile["fargateProfileArn"])
	}
	at, err := moment(profile["createdAt"])
	if age := s.c.Now().Sub(at); err != nil || age < 0 || age > 2*time.Hour {
		s.Errorf("createdAt %v is %v ago: %v", profile["createdAt"], age, err)
	}
	want := with(input, "status", status)
	want["health"] = object{"issues": []any{}}
	s.same("profile", without(without(profile, "fargateProfileArn"), "createdAt"), want)
}

func defaults(s session) {
	created := s.profileOf("CreateFargateProfile", without(s.wanted("web"), "subnets"))
	s.same("subnets", created["subnets"], listOf(fake.PrivateSubnetIDs()...))
	s.same("selectors", created["selectors"], []any{object{"namespace": "web"}})
	s.same("tags", created["tags"], object{})
}

func pagedList(s session) {
	s.active("a", "b", "c", "d", "e")
	s.c.ForgetCalls()
	s.same("names", s.client.list(s.T, demo, 2), []string{"a", "b", "c", "d", "e"})
	s.same("calls", s.c.CallCount("ListFargateProfiles"), 3)
}

func failedProfile(s session) {
	s.c.Inject(fake.Fault{
		Operation: "CreateFargateProfile",
		Outcome:   fake.FailAfter(time.Minute, "AccessDenied", "the cluster does not let EKS in", "role/x"),
	})
	s.profileOf("CreateFargateProfile", s.wanted("web"))
	s.c.Advance(time.Minute)
	profile := s.profileOf("DescribeFargateProfile", named("web"))
	s.same("status", profile["status"], "CREATE_FAILED")
	s.same("health", profile["health"], object{"issues": []any{object{
		"code": "AccessDenied", "message": "the cluster does not let EKS in", "resourceIds": listOf("role/x"),
	}}})
}
