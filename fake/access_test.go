// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// cloudInMode has a cluster "demo" with an authentication mode.
func cloudInMode(mode string) *fake.Cloud {
	c := fake.New(atRest)
	c.AddCluster(fake.Cluster{Name: fake.ClusterName, AuthenticationMode: mode})
	return c
}

func entries(t *testing.T, api eksAPI) []string {
	t.Helper()
	out, err := api.ListAccessEntries(t.Context(), &eks.ListAccessEntriesInput{ClusterName: aws.String(fake.ClusterName)})
	if err != nil {
		t.Fatal(err)
	}
	return out.AccessEntries
}

func entryInput(principal string) *eks.CreateAccessEntryInput {
	return &eks.CreateAccessEntryInput{ClusterName: aws.String(fake.ClusterName), PrincipalArn: &principal}
}

func describeEntry(principal string) *eks.DescribeAccessEntryInput {
	return &eks.DescribeAccessEntryInput{ClusterName: aws.String(fake.ClusterName), PrincipalArn: &principal}
}

func TestFirstProfileOfARoleMakesAnAccessEntry(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		role := c.RoleARN(fake.RoleName)
		if got := entries(t, api); len(got) != 0 {
			t.Errorf("entries %v before the first profile", got)
		}
		mustCreate(t, c, api, "one")
		c.Advance(time.Hour)
		mustCreate(t, c, api, "two")
		if got := entries(t, api); !slices.Equal(got, []string{role}) {
			t.Errorf("entries %v", got)
		}
		out, err := api.DescribeAccessEntry(t.Context(), describeEntry(role))
		if err != nil {
			t.Fatal(err)
		}
		got := out.AccessEntry
		if *got.Type != "FARGATE_LINUX" || *got.Username != "system:node:{{SessionName}}" ||
			*got.PrincipalArn != role || *got.ClusterName != "demo" || got.Tags == nil || got.KubernetesGroups == nil {
			t.Errorf("entry %+v", got)
		}
		form := `^arn:aws:eks:us-east-1:111122223333:access-entry/demo/role/111122223333/fargate-pods/[0-9a-f-]{36}$`
		if !regexp.MustCompile(form).MatchString(*got.AccessEntryArn) {
			t.Errorf("ARN %s", *got.AccessEntryArn)
		}
		if rows := c.AWSAuth(fake.ClusterName); len(rows) != 0 {
			t.Errorf("rows of aws-auth %v", rows)
		}
	}, atRest)
}

func TestConfigMapModeHasRowsInstead(t *testing.T) {
	c := cloudInMode("CONFIG_MAP")
	mustCreate(t, c, c.EKS(), "one")
	c.Advance(time.Hour)
	mustCreate(t, c, c.EKS(), "two")
	want := []fake.AuthRow{{
		RoleARN: c.RoleARN(fake.RoleName), Username: "system:node:{{SessionName}}",
		Groups: []string{"system:bootstrappers", "system:nodes", "system:node-proxier"},
	}}
	if diff := cmp.Diff(want, c.AWSAuth(fake.ClusterName)); diff != "" {
		t.Errorf("aws-auth (-want +got):\n%s", diff)
	}
	for _, err := range []error{
		second(c.EKS().CreateAccessEntry(t.Context(), entryInput(want[0].RoleARN))),
		second(c.EKS().DescribeAccessEntry(t.Context(), describeEntry(want[0].RoleARN))),
		second(c.EKS().ListAccessEntries(t.Context(), &eks.ListAccessEntriesInput{ClusterName: aws.String("demo")})),
	} {
		wantError(t, err, "InvalidRequestException", 400, "The cluster's authentication mode must be set to one of "+
			"[API, API_AND_CONFIG_MAP] to perform this operation.")
	}
}

func second[T any](_ T, err error) error { return err }

func TestAccessEntriesByHand(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		role := c.AddRole("team/admin", "{}")
		in := entryInput(role)
		in.KubernetesGroups, in.Tags = []string{"admins"}, map[string]string{"team": "x"}
		out, err := api.CreateAccessEntry(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		entry := out.AccessEntry
		if *entry.Type != "STANDARD" || *entry.Username != role || entry.Tags["team"] != "x" || !slices.Equal(entry.KubernetesGroups, []string{"admins"}) {
			t.Errorf("entry %+v", entry)
		}
		_, err = api.CreateAccessEntry(t.Context(), in)
		wantError(t, err, "ResourceInUseException", 409, "The specified access entry resource is already in use on this cluster.")
		user := "arn:aws:iam::111122223333:user/someone"
		if _, err := api.CreateAccessEntry(t.Context(), entryInput(user)); err != nil {
			t.Error(err)
		}
		if got := entries(t, api); !slices.Equal(got, []string{role, user}) {
			t.Errorf("entries %v", got)
		}
		if _, err := api.TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: entry.AccessEntryArn, Tags: map[string]string{"a": "b"}}); err != nil {
			t.Fatal(err)
		}
		tags, err := api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: entry.AccessEntryArn})
		if err != nil || !cmp.Equal(tags.Tags, map[string]string{"team": "x", "a": "b"}) {
			t.Errorf("tags %v, error %v", tags, err)
		}
		if _, err := api.DeleteAccessEntry(t.Context(), &eks.DeleteAccessEntryInput{ClusterName: aws.String("demo"), PrincipalArn: &role}); err != nil {
			t.Fatal(err)
		}
		_, err = api.DescribeAccessEntry(t.Context(), describeEntry(role))
		wantError(t, err, "ResourceNotFoundException", 404, "The specified principalArn could not be found: "+role+".")
		_, err = api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: entry.AccessEntryArn})
		wantError(t, err, "NotFoundException", 404, "The resource "+*entry.AccessEntryArn+" was not found.")
	})
}

func TestAccessEntriesThatAreRefused(t *testing.T) {
	c := fake.New()
	cases := map[string]struct {
		edit          func(*eks.CreateAccessEntryInput)
		code, message string
		status        int
	}{
		"no ARN":                 {func(in *eks.CreateAccessEntryInput) { in.PrincipalArn = aws.String("x") }, "InvalidParameterException", "The specified principalArn is invalid: invalid ARN.", 400},
		"no such role":           {func(in *eks.CreateAccessEntryInput) { in.PrincipalArn = aws.String(c.RoleARN("none")) }, "InvalidParameterException", "The specified principalArn is invalid: invalid principal.", 400},
		"a tag of AWS":           {func(in *eks.CreateAccessEntryInput) { in.Tags = map[string]string{"aws:a": "b"} }, "InvalidParameterException", "The tag key 'aws:a' starts with the reserved prefix 'aws:'.", 400},
		"a cluster that is none": {func(in *eks.CreateAccessEntryInput) { in.ClusterName = aws.String("none") }, "ResourceNotFoundException", "No cluster found for name: none.", 404},
	}
	for name, tc := range cases {
		in := entryInput(c.RoleARN(fake.RoleName))
		tc.edit(in)
		t.Run(name, func(t *testing.T) {
			_, err := c.EKS().CreateAccessEntry(t.Context(), in)
			wantError(t, err, tc.code, tc.status, tc.message)
		})
	}
	for _, err := range []error{
		second(c.EKS().DeleteAccessEntry(t.Context(), &eks.DeleteAccessEntryInput{ClusterName: aws.String("none"), PrincipalArn: aws.String("x")})),
		second(c.EKS().ListAccessEntries(t.Context(), &eks.ListAccessEntriesInput{ClusterName: aws.String("none")})),
	} {
		wantError(t, err, "ResourceNotFoundException", 404, "No cluster found for name: none.")
	}
	_, err := c.EKS().ListAccessEntries(t.Context(), &eks.ListAccessEntriesInput{ClusterName: aws.String("demo"), MaxResults: aws.Int32(0)})
	wantError(t, err, "InvalidParameterException", 400, "maxResults must be between 1 and 100, but it is 0.")
}

const notAdmitted = "Misconfigured Fargate Profile: fargate profile web blocked for new launches due to: Pod execution role " +
	"is not found in auth config or does not have all required permissions for launching fargate pods."

// launchProblem makes a pod in namespace web and returns what keeps it from its
// node, or "".
func launchProblem(t *testing.T, c *fake.Cloud, name string) string {
	t.Helper()
	run(t, c, fake.Pod{Namespace: "web", Name: name})
	for _, e := range slices.Backward(c.Events()) {
		if e.Pod == name && e.Reason == "FailedScheduling" {
			return e.Message
		}
	}
	return ""
}

// Entries know a role by its unique id, rows by its ARN.
func TestScenario_B61_RoleThatTheClusterDoesNotAdmit(t *testing.T) {
	cases := map[string]struct {
		mode   string
		change func(t *testing.T, c *fake.Cloud)
		want   string
	}{
		"nothing has changed":                     {"API", func(*testing.T, *fake.Cloud) {}, ""},
		"the role was made again":                 {"API_AND_CONFIG_MAP", remakeRole, notAdmitted},
		"the role was made again, with rows only": {"CONFIG_MAP", remakeRole, ""},
		"the entry is deleted":                    {"API", deleteEntry, notAdmitted},
		"the row is deleted": {"CONFIG_MAP", func(_ *testing.T, c *fake.Cloud) {
			c.SetAWSAuth(fake.ClusterName, nil)
		}, notAdmitted},
		"a row makes up for the entry":     {"API_AND_CONFIG_MAP", rowForEntry, ""},
		"a row does not count in mode API": {"API", rowForEntry, notAdmitted},
		"a new profile renews the entry":   {"API", newProfile, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := cloudInMode(tc.mode)
			mustCreate(t, c, c.EKS(), "web")
			c.Advance(time.Hour)
			tc.change(t, c)
			if got := launchProblem(t, c, "p"); got != tc.want {
				t.Errorf("problem %q, want %q", got, tc.want)
			}
		})
	}
}

func remakeRole(_ *testing.T, c *fake.Cloud) { c.AddRole(fake.RoleName, fake.PodTrust) }

func deleteEntry(t *testing.T, c *fake.Cloud) {
	t.Helper()
	in := &eks.DeleteAccessEntryInput{ClusterName: aws.String("demo"), PrincipalArn: aws.String(c.RoleARN(fake.RoleName))}
	if _, err := c.EKS().DeleteAccessEntry(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func rowForEntry(t *testing.T, c *fake.Cloud) {
	t.Helper()
	deleteEntry(t, c)
	c.SetAWSAuth(fake.ClusterName, []fake.AuthRow{{RoleARN: c.RoleARN(fake.RoleName)}})
}

func newProfile(t *testing.T, c *fake.Cloud) {
	t.Helper()
	remakeRole(t, c)
	mustCreate(t, c, c.EKS(), "zz")
}

// The authenticator sees a role without its path, so a row with one is no use.
func TestScenario_B54_RowOfARoleWithAPath(t *testing.T) {
	c := fake.New(atRest, func(o *fake.Options) { o.AcceptRolePaths = true })
	for _, mode := range []string{"CONFIG_MAP", "API"} {
		c.AddCluster(fake.Cluster{Name: fake.ClusterName, AuthenticationMode: mode})
		role := c.AddRole("team/pods", fake.PodTrust)
		err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &role })
		if err != nil {
			t.Fatal(err)
		}
		c.Advance(time.Hour)
		if got, want := launchProblem(t, c, "p"), map[string]string{"CONFIG_MAP": notAdmitted}[mode]; got != want {
			t.Errorf("mode %s: problem %q", mode, got)
		}
	}
}

// A role that instances use already makes the profile fail in the end.
func TestScenario_B62_RoleOfInstances(t *testing.T) {
	c := fake.New(atRest)
	in := entryInput(c.RoleARN(fake.RoleName))
	in.Type = aws.String("EC2_LINUX")
	if _, err := c.EKS().CreateAccessEntry(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(time.Hour)
	p := mustDescribe(t, c.EKS(), "web")
	if p.Status != "CREATE_FAILED" || len(p.Health.Issues) != 1 || p.Health.Issues[0].Code != "PodExecutionRoleAlreadyInUse" ||
		!strings.Contains(*p.Health.Issues[0].Message, "EC2_LINUX") {
		t.Errorf("status %s, health %+v", p.Status, p.Health)
	}
}

func TestAuthRowsOfNoCluster(t *testing.T) {
	c := fake.New()
	if c.SetAWSAuth("none", nil) || c.AWSAuth("none") != nil {
		t.Error("a cluster that does not exist has rows")
	}
	rows := []fake.AuthRow{{RoleARN: "r", Groups: []string{"g"}}}
	c.SetAWSAuth(fake.ClusterName, rows)
	rows[0].Groups[0] = "spoilt"
	if got := c.AWSAuth(fake.ClusterName); got[0].Groups[0] != "g" {
		t.Errorf("rows %v", got)
	}
}
