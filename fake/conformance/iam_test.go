// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

const executionPolicy = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"

func iamScenarios() map[string]scenario {
	return map[string]scenario{
		"a role is made, used for a profile and deleted": roleLife,
		"the caller is told who it is":                   whoAmI,
		"a role is assumed":                              assume,
	}
}

func roleLife(s session) {
	about := object{"RoleName": "pods"}
	input := with(about, "AssumeRolePolicyDocument", fake.PodTrust)
	input["Tags"] = []any{object{"Key": "team", "Value": "a @ b=c"}}
	role, _ := s.ok("iam", "CreateRole", input)["Role"].(object)
	s.same("ARN", role["Arn"], "arn:aws:iam::111122223333:role/pods")
	if _, err := moment(role["CreateDate"]); err != nil {
		s.Error(err)
	}
	s.ok("iam", "AttachRolePolicy", with(about, "PolicyArn", executionPolicy))
	s.same("attached", s.ok("iam", "ListAttachedRolePolicies", about)["AttachedPolicies"],
		[]any{object{"PolicyName": "AmazonEKSFargatePodExecutionRolePolicy", "PolicyArn": executionPolicy}})
	s.same("tags", s.ok("iam", "ListRoleTags", about)["Tags"], input["Tags"])
	forAProfile := with(s.wanted("web"), "podExecutionRoleArn", role["Arn"])
	s.refused("eks", "CreateFargateProfile", forAProfile, failure{invalid, badTrust, 400, invalid})
	s.c.Advance(time.Minute) // until EKS sees the new role
	s.profileOf("CreateFargateProfile", forAProfile)

	s.refused("iam", "DeleteRole", about, failure{
		"DeleteConflict", "Cannot delete entity, must detach all policies first.", 409, "DeleteConflictException",
	})
	s.ok("iam", "DetachRolePolicy", with(about, "PolicyArn", executionPolicy))
	s.ok("iam", "DeleteRole", about)
	s.refused("iam", "GetRole", about, failure{
		"NoSuchEntity", "The role with name pods cannot be found.", 404, "NoSuchEntityException",
	})
}

func whoAmI(s session) {
	s.same("account", s.ok("sts", "GetCallerIdentity", object{})["Account"], "111122223333")
}

func assume(s session) {
	trust := strings.ReplaceAll(fake.PodTrust, `"Service":"eks-fargate-pods.amazonaws.com"`, `"AWS":"111122223333"`)
	role := s.c.AddRole("admin", trust)
	output := s.ok("sts", "AssumeRole", object{"RoleArn": role, "RoleSessionName": "me"})
	user, _ := output["AssumedRoleUser"].(object)
	s.same("user", user["Arn"], "arn:aws:sts::111122223333:assumed-role/admin/me")
	credentials, _ := output["Credentials"].(object)
	if _, err := moment(credentials["Expiration"]); err != nil {
		s.Error(err)
	}
}
