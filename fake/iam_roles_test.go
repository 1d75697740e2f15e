// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/fake"
)

// diffSDK compares values of the SDK's types.
func diffSDK(want, got any) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(types.Role{}, types.Tag{}, types.RoleLastUsed{},
		types.AttachedPermissionsBoundary{}, types.AttachedPolicy{}, types.Policy{}, types.InstanceProfile{}))
}

// A role as GetRole, CreateRole and ListRoles report it.
func TestIAMRoleIsReported(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		boundary, err := e.createPolicy("limit")
		e.must(err)
		document := fake.PodTrust + "\n "
		created := e.createRole("web", func(in *iam.CreateRoleInput) {
			in.Path, in.Description = aws.String("/team/x/"), aws.String("a & <b>")
			in.MaxSessionDuration, in.PermissionsBoundary = aws.Int32(7200), &boundary
			in.Tags = []types.Tag{tag("b", ""), tag("a", "1")}
			in.AssumeRolePolicyDocument = &document
		})
		if !regexp.MustCompile(`^AROA[A-Z2-7]{17}$`).MatchString(*created.RoleId) {
			e.t.Errorf("id %s", *created.RoleId)
		}
		want := &types.Role{
			Arn:                      aws.String("arn:aws:iam::111122223333:role/team/x/web"),
			AssumeRolePolicyDocument: aws.String(strings.ReplaceAll(url.QueryEscape(document), "+", "%20")),
			CreateDate:               aws.Time(time.Unix(1_700_000_000, 0).UTC()),
			Path:                     aws.String("/team/x/"),
			RoleId:                   created.RoleId,
			RoleName:                 aws.String("web"),
			Tags:                     []types.Tag{tag("a", "1"), tag("b", "")},
		}
		if diff := diffSDK(want, created); diff != "" {
			e.t.Errorf("created (-want +got):\n%s", diff)
		}
		want.Description, want.MaxSessionDuration = aws.String("a & <b>"), aws.Int32(7200)
		want.RoleLastUsed = &types.RoleLastUsed{}
		want.PermissionsBoundary = &types.AttachedPermissionsBoundary{
			PermissionsBoundaryArn: &boundary, PermissionsBoundaryType: "PermissionsBoundaryPolicy",
		}
		if diff := diffSDK(want, e.getRole("web")); diff != "" {
			e.t.Errorf("read (-want +got):\n%s", diff)
		}
		want.Tags, want.RoleLastUsed, want.PermissionsBoundary = nil, nil, nil
		listed, err := e.api.ListRoles(e.t.Context(), &iam.ListRolesInput{PathPrefix: aws.String("/team/")})
		e.must(err)
		if diff := diffSDK([]types.Role{*want}, listed.Roles); diff != "" {
			e.t.Errorf("listed (-want +got):\n%s", diff)
		}
	}, stopped)
}

// The document is encoded as RFC 3986 has it: everything but the unreserved.
func TestIAMDocumentsAreEncoded(t *testing.T) {
	c := fake.New()
	c.AddRole("web", "{\"a\": \"~-_.+*/\u00e4\"}")
	role, err := c.IAM().GetRole(t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := *role.Role.AssumeRolePolicyDocument, "%7B%22a%22%3A%20%22~-_.%2B%2A%2F%C3%A4%22%7D"; got != want {
		t.Errorf("document %s, want %s", got, want)
	}
}

func TestIAMRoleIsChanged(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		e.createRole("web")
		boundary, err := e.createPolicy("limit")
		e.must(err)
		_, err = e.api.UpdateRole(e.t.Context(), &iam.UpdateRoleInput{
			RoleName: aws.String("web"), Description: aws.String("one"), MaxSessionDuration: aws.Int32(4000),
		})
		e.must(err)
		_, err = e.api.UpdateRole(e.t.Context(), &iam.UpdateRoleInput{RoleName: aws.String("web")})
		e.must(err)
		_, err = e.api.PutRolePermissionsBoundary(e.t.Context(), &iam.PutRolePermissionsBoundaryInput{
			RoleName: aws.String("web"), PermissionsBoundary: &boundary,
		})
		e.must(err)
		got := e.getRole("web")
		if *got.Description != "one" || *got.MaxSessionDuration != 4000 || *got.PermissionsBoundary.PermissionsBoundaryArn != boundary {
			e.t.Errorf("role %s, %d, %v", *got.Description, *got.MaxSessionDuration, got.PermissionsBoundary)
		}
		updated, err := e.api.UpdateRoleDescription(e.t.Context(), &iam.UpdateRoleDescriptionInput{
			RoleName: aws.String("web"), Description: aws.String(""),
		})
		e.must(err)
		for range 2 {
			_, err = e.api.DeleteRolePermissionsBoundary(e.t.Context(), &iam.DeleteRolePermissionsBoundaryInput{RoleName: aws.String("web")})
			e.must(err)
		}
		got = e.getRole("web")
		if *updated.Role.Description != "" || *got.Description != "" || got.PermissionsBoundary != nil {
			e.t.Errorf("role %q, boundary %v", *got.Description, got.PermissionsBoundary)
		}
		e.must(e.deletePolicy(boundary))
		e.must(e.deleteRole("web"))
	})
}

// Calls about a role that does not exist, each with the same answer.
func TestIAMCallsAboutNoRole(t *testing.T) {
	name := aws.String("web")
	calls := map[string]func(e iamEnv) error{
		"update": func(e iamEnv) error {
			_, err := e.api.UpdateRole(e.t.Context(), &iam.UpdateRoleInput{RoleName: name})
			return err
		},
		"update description": func(e iamEnv) error {
			_, err := e.api.UpdateRoleDescription(e.t.Context(), &iam.UpdateRoleDescriptionInput{RoleName: name, Description: name})
			return err
		},
		"update trust": func(e iamEnv) error { return e.setTrust("web", fake.PodTrust) },
		"untag": func(e iamEnv) error {
			_, err := e.api.UntagRole(e.t.Context(), &iam.UntagRoleInput{RoleName: name, TagKeys: []string{"a"}})
			return err
		},
		"list tags": func(e iamEnv) error {
			_, err := e.api.ListRoleTags(e.t.Context(), &iam.ListRoleTagsInput{RoleName: name})
			return err
		},
		"attach": func(e iamEnv) error { return e.attach("web", executionPolicy) },
		"detach": func(e iamEnv) error {
			_, err := e.api.DetachRolePolicy(e.t.Context(), &iam.DetachRolePolicyInput{RoleName: name, PolicyArn: aws.String(executionPolicy)})
			return err
		},
		"list attached": func(e iamEnv) error {
			_, err := e.api.ListAttachedRolePolicies(e.t.Context(), &iam.ListAttachedRolePoliciesInput{RoleName: name})
			return err
		},
		"put inline": func(e iamEnv) error { return e.putInline("web", "a", permissions) },
		"get inline": func(e iamEnv) error {
			_, err := e.api.GetRolePolicy(e.t.Context(), &iam.GetRolePolicyInput{RoleName: name, PolicyName: name})
			return err
		},
		"delete inline": func(e iamEnv) error {
			_, err := e.api.DeleteRolePolicy(e.t.Context(), &iam.DeleteRolePolicyInput{RoleName: name, PolicyName: name})
			return err
		},
		"list inline": func(e iamEnv) error {
			_, err := e.api.ListRolePolicies(e.t.Context(), &iam.ListRolePoliciesInput{RoleName: name})
			return err
		},
		"put boundary": func(e iamEnv) error {
			_, err := e.api.PutRolePermissionsBoundary(e.t.Context(), &iam.PutRolePermissionsBoundaryInput{
				RoleName: name, PermissionsBoundary: aws.String(executionPolicy),
			})
			return err
		},
		"delete boundary": func(e iamEnv) error {
			_, err := e.api.DeleteRolePermissionsBoundary(e.t.Context(), &iam.DeleteRolePermissionsBoundaryInput{RoleName: name})
			return err
		},
		"list instance profiles": func(e iamEnv) error {
			_, err := e.api.ListInstanceProfilesForRole(e.t.Context(), &iam.ListInstanceProfilesForRoleInput{RoleName: name})
			return err
		},
	}
	for what, call := range calls {
		t.Run(what, func(t *testing.T) {
			for _, api := range []func(c *fake.Cloud) iamAPI{
				func(c *fake.Cloud) iamAPI { return c.IAM() },
				func(c *fake.Cloud) iamAPI { return iamSDK(c) },
			} {
				c := fake.New()
				c.AddRole("Web", fake.PodTrust) // a name in another case is no name
				wantError(t, call(iamEnv{t: t, c: c, api: api(c)}), "NoSuchEntity", 404, "The role with name web cannot be found.")
			}
		})
	}
}

func TestIAMTagsOfARole(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		e.createRole("web", func(in *iam.CreateRoleInput) { in.Tags = []types.Tag{tag("Team", "x"), tag("zone", "")} })
		e.must(e.tag("web", tag("team", "y"), tag("a b:/=+-@_.", "\u00e4")))
		want := []types.Tag{tag("a b:/=+-@_.", "\u00e4"), tag("team", "y"), tag("zone", "")}
		if diff := diffSDK(want, e.getRole("web").Tags); diff != "" {
			e.t.Errorf("tags (-want +got):\n%s", diff)
		}
		_, err := e.api.UntagRole(e.t.Context(), &iam.UntagRoleInput{RoleName: aws.String("web"), TagKeys: []string{"ZONE", "none"}})
		e.must(err)
		listed, err := e.api.ListRoleTags(e.t.Context(), &iam.ListRoleTagsInput{RoleName: aws.String("web")})
		e.must(err)
		if diff := diffSDK(want[:2], listed.Tags); diff != "" {
			e.t.Errorf("tags (-want +got):\n%s", diff)
		}
	})
}

func TestIAMInstanceProfiles(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		created, err := e.api.CreateInstanceProfile(e.t.Context(), &iam.CreateInstanceProfileInput{
			InstanceProfileName: aws.String("nodes"), Path: aws.String("/team/"), Tags: []types.Tag{tag("a", "b")},
		})
		e.must(err)
		want := &types.InstanceProfile{
			Arn:                 aws.String("arn:aws:iam::111122223333:instance-profile/team/nodes"),
			CreateDate:          aws.Time(time.Unix(1_700_000_000, 0).UTC()),
			InstanceProfileId:   created.InstanceProfile.InstanceProfileId,
			InstanceProfileName: aws.String("nodes"),
			Path:                aws.String("/team/"),
			Roles:               []types.Role{},
			Tags:                []types.Tag{tag("a", "b")},
		}
		if diff := diffSDK(want, created.InstanceProfile); diff != "" {
			e.t.Errorf("created (-want +got):\n%s", diff)
		}
		e.must(e.addToInstanceProfile("nodes", fake.RoleName))
		list := func() []types.InstanceProfile {
			out, err := e.api.ListInstanceProfilesForRole(e.t.Context(), &iam.ListInstanceProfilesForRoleInput{RoleName: aws.String(fake.RoleName)})
			e.must(err)
			return out.InstanceProfiles
		}
		if got := list(); len(got) != 1 || len(got[0].Roles) != 1 || *got[0].Roles[0].RoleName != fake.RoleName {
			e.t.Errorf("instance profiles %v", got)
		}
		_, err = e.api.RemoveRoleFromInstanceProfile(e.t.Context(), &iam.RemoveRoleFromInstanceProfileInput{
			InstanceProfileName: aws.String("nodes"), RoleName: aws.String(fake.RoleName),
		})
		e.must(err)
		if got := list(); got == nil || len(got) != 0 {
			e.t.Errorf("instance profiles %#v, want an empty list", got)
		}
		_, err = e.api.DeleteInstanceProfile(e.t.Context(), &iam.DeleteInstanceProfileInput{InstanceProfileName: aws.String("nodes")})
		e.must(err)
		e.must(e.createInstanceProfile("NODES"))
	}, stopped)
}
