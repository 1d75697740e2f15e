// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

func (e iamEnv) attached(role string) []types.AttachedPolicy {
	e.t.Helper()
	out, err := e.api.ListAttachedRolePolicies(e.t.Context(), &iam.ListAttachedRolePoliciesInput{RoleName: &role})
	e.must(err)
	return out.AttachedPolicies
}

func TestIAMPoliciesOfARole(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		e.createRole("web")
		if got := e.attached("web"); got == nil || len(got) != 0 {
			e.t.Errorf("attached %#v, want an empty list", got)
		}
		e.must(e.attach("web", executionPolicy))
		e.must(e.attach("web", executionPolicy))
		want := []types.AttachedPolicy{{
			PolicyArn: aws.String(executionPolicy), PolicyName: aws.String("AmazonEKSFargatePodExecutionRolePolicy"),
		}}
		if diff := diffSDK(want, e.attached("web")); diff != "" {
			e.t.Errorf("attached (-want +got):\n%s", diff)
		}
		_, err := e.api.DetachRolePolicy(e.t.Context(), &iam.DetachRolePolicyInput{RoleName: aws.String("web"), PolicyArn: aws.String(executionPolicy)})
		e.must(err)
		if got := e.attached("web"); len(got) != 0 {
			e.t.Errorf("attached %v after detaching", got)
		}
	})
}

func TestIAMInlinePolicies(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		e.createRole("web")
		e.must(e.putInline("web", "logs", `{"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}`))
		e.must(e.putInline("web", "logs", permissions))
		got, err := e.api.GetRolePolicy(e.t.Context(), &iam.GetRolePolicyInput{RoleName: aws.String("web"), PolicyName: aws.String("logs")})
		e.must(err)
		document, err := url.PathUnescape(*got.PolicyDocument)
		e.must(err)
		if document != permissions || *got.RoleName != "web" || *got.PolicyName != "logs" {
			e.t.Errorf("policy %s of %s: %s", *got.PolicyName, *got.RoleName, document)
		}
		names := func() []string {
			out, err := e.api.ListRolePolicies(e.t.Context(), &iam.ListRolePoliciesInput{RoleName: aws.String("web")})
			e.must(err)
			return out.PolicyNames
		}
		if diff := cmp.Diff([]string{"logs"}, names()); diff != "" {
			e.t.Errorf("names (-want +got):\n%s", diff)
		}
		_, err = e.api.DeleteRolePolicy(e.t.Context(), &iam.DeleteRolePolicyInput{RoleName: aws.String("web"), PolicyName: aws.String("logs")})
		e.must(err)
		if diff := cmp.Diff([]string{}, names()); diff != "" {
			e.t.Errorf("names (-want +got):\n%s", diff)
		}
	})
}

func TestIAMManagedPolicies(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		created, err := e.api.CreatePolicy(e.t.Context(), &iam.CreatePolicyInput{
			PolicyName: aws.String("own"), Path: aws.String("/team/"), PolicyDocument: aws.String(permissions),
			Description: aws.String("mine"), Tags: []types.Tag{tag("a", "b")},
		})
		e.must(err)
		if created.Policy.Description != nil {
			e.t.Errorf("CreatePolicy reports the description %q", *created.Policy.Description)
		}
		const arn = "arn:aws:iam::111122223333:policy/team/own"
		e.createRole("web", func(in *iam.CreateRoleInput) { in.PermissionsBoundary = aws.String(arn) })
		e.must(e.attach("web", arn))
		got, err := e.api.GetPolicy(e.t.Context(), &iam.GetPolicyInput{PolicyArn: aws.String(arn)})
		e.must(err)
		at := aws.Time(time.Unix(1_700_000_000, 0).UTC())
		want := &types.Policy{
			Arn: aws.String(arn), PolicyName: aws.String("own"), Path: aws.String("/team/"), PolicyId: got.Policy.PolicyId,
			AttachmentCount: aws.Int32(1), PermissionsBoundaryUsageCount: aws.Int32(1), IsAttachable: true,
			CreateDate: at, UpdateDate: at, DefaultVersionId: aws.String("v1"), Description: aws.String("mine"),
			Tags: []types.Tag{tag("a", "b")},
		}
		if diff := diffSDK(want, got.Policy); diff != "" {
			e.t.Errorf("policy (-want +got):\n%s", diff)
		}
	}, stopped)
}

// The execution role policy exists in every partition.
func TestIAMPoliciesOfAWS(t *testing.T) {
	partitions := map[string]string{
		"us-east-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "us-iso-east-1": "aws-iso",
		"us-isob-east-1": "aws-iso-b", "eu-isoe-west-1": "aws-iso-e", "us-isof-south-1": "aws-iso-f",
	}
	for region, partition := range partitions {
		c := fake.New(func(o *fake.Options) { o.Region = region })
		arn := fmt.Sprintf("arn:%s:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy", partition)
		for _, api := range []iamAPI{c.IAM(), iamSDK(c, func(o *iam.Options) { o.Region = region })} {
			got, err := api.GetPolicy(t.Context(), &iam.GetPolicyInput{PolicyArn: &arn})
			if err != nil || *got.Policy.Arn != arn || *got.Policy.Path != "/" {
				t.Errorf("%s: policy %v, error %v", region, got, err)
			}
		}
	}
}

// walk follows the markers of a list to its end.
func walk(t *testing.T, page func(marker *string) ([]string, bool, *string, error)) (items []string, pages int) {
	t.Helper()
	var marker *string
	for {
		names, truncated, next, err := page(marker)
		if err != nil {
			t.Fatal(err)
		}
		if truncated != (next != nil) {
			t.Fatalf("truncated is %v with marker %v", truncated, next)
		}
		items, pages = append(items, names...), pages+1
		if marker = next; marker == nil {
			return items, pages
		}
		if pages > 100 {
			t.Fatal("the list does not end")
		}
	}
}

func rolesPage(e iamEnv, most *int32) func(marker *string) ([]string, bool, *string, error) {
	return func(marker *string) ([]string, bool, *string, error) {
		out, err := e.api.ListRoles(e.t.Context(), &iam.ListRolesInput{Marker: marker, MaxItems: most})
		if err != nil {
			return nil, false, nil, err
		}
		var names []string
		for _, r := range out.Roles {
			names = append(names, *r.RoleName)
		}
		return names, out.IsTruncated, out.Marker, nil
	}
}

func TestIAMListsArePaged(t *testing.T) {
	cases := map[string]struct {
		most    *int32
		options func(*fake.Options)
		pages   int
	}{
		"a hundred unless asked":         {nil, func(*fake.Options) {}, 3},
		"as many as asked":               {aws.Int32(50), func(*fake.Options) {}, 5},
		"a thousand at most":             {aws.Int32(1000), func(*fake.Options) {}, 1},
		"fewer than asked":               {aws.Int32(1000), func(o *fake.Options) { o.PageSize = 99 }, 3},
		"an empty page first":            {aws.Int32(1000), func(o *fake.Options) { o.EmptyFirstPage = true }, 2},
		"in the order of their creation": {aws.Int32(50), func(o *fake.Options) { o.ListOrder = fake.ListCreated }, 5},
		"in no order":                    {aws.Int32(50), func(o *fake.Options) { o.ListOrder = fake.ListShuffled }, 5},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New(tc.options)
			var want []string
			for i := range 205 {
				want = append(want, fmt.Sprint("role", i))
				c.AddRole(want[i], fake.PodTrust)
			}
			want = append(want, "eks-cluster", fake.RoleName)
			slices.Sort(want)
			for _, api := range []iamAPI{c.IAM(), iamSDK(c)} {
				got, pages := walk(t, rolesPage(iamEnv{t: t, c: c, api: api}, tc.most))
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%T: roles (-want +got):\n%s", api, diff)
				}
				if pages != tc.pages {
					t.Errorf("%T: %d pages, want %d", api, pages, tc.pages)
				}
			}
		})
	}
}

func TestIAMListsHaveAnOrder(t *testing.T) {
	cases := map[fake.ListOrder]string{
		fake.ListSorted:  "a b eks-cluster fargate-pods",
		fake.ListCreated: "eks-cluster fargate-pods b a",
	}
	for order, want := range cases {
		c := fake.New(stopped, func(o *fake.Options) { o.ListOrder = order })
		for _, name := range []string{"b", "a"} {
			c.Advance(time.Second)
			c.AddRole(name, fake.PodTrust)
		}
		e := iamEnv{t: t, c: c, api: c.IAM()}
		got, _ := walk(t, rolesPage(e, nil))
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", order, text, want)
		}
	}
}

func TestIAMListsOfARoleArePaged(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.PageSize = 2 })
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	role := aws.String(fake.RoleName)
	want := map[string][]string{}
	for i := range 5 {
		name := fmt.Sprint("x", i)
		e.must(e.tag(*role, tag(name, "")))
		e.must(e.putInline(*role, name, permissions))
		arn, err := e.createPolicy(name)
		e.must(err)
		e.must(e.attach(*role, arn))
		e.must(e.createInstanceProfile(name))
		e.must(e.addToInstanceProfile(name, *role))
		want["names"], want["arns"] = append(want["names"], name), append(want["arns"], arn)
	}
	want["arns"] = append(want["arns"], executionPolicy) // the good role has it from the start
	lists := map[string]func(marker *string) ([]string, bool, *string, error){
		"tags": func(marker *string) (keys []string, _ bool, _ *string, _ error) {
			out, err := e.api.ListRoleTags(t.Context(), &iam.ListRoleTagsInput{RoleName: role, Marker: marker})
			e.must(err)
			for _, tag := range out.Tags {
				keys = append(keys, *tag.Key)
			}
			return keys, out.IsTruncated, out.Marker, nil
		},
		"inline": func(marker *string) ([]string, bool, *string, error) {
			out, err := e.api.ListRolePolicies(t.Context(), &iam.ListRolePoliciesInput{RoleName: role, Marker: marker})
			e.must(err)
			return out.PolicyNames, out.IsTruncated, out.Marker, nil
		},
		"instance profiles": func(marker *string) (names []string, _ bool, _ *string, _ error) {
			out, err := e.api.ListInstanceProfilesForRole(t.Context(), &iam.ListInstanceProfilesForRoleInput{RoleName: role, Marker: marker})
			e.must(err)
			for _, p := range out.InstanceProfiles {
				names = append(names, *p.InstanceProfileName)
			}
			return names, out.IsTruncated, out.Marker, nil
		},
		"attached": func(marker *string) (arns []string, _ bool, _ *string, _ error) {
			out, err := e.api.ListAttachedRolePolicies(t.Context(), &iam.ListAttachedRolePoliciesInput{RoleName: role, Marker: marker})
			e.must(err)
			for _, p := range out.AttachedPolicies {
				arns = append(arns, *p.PolicyArn)
			}
			return arns, out.IsTruncated, out.Marker, nil
		},
	}
	for name, page := range lists {
		got, pages := walk(t, page)
		kind := "names"
		if name == "attached" {
			kind = "arns"
		}
		if diff := cmp.Diff(want[kind], got); diff != "" || pages != 3 {
			t.Errorf("%s: %d pages, want 3; (-want +got):\n%s", name, pages, diff)
		}
	}
}

func TestIAMMarkerThatIsNotOurs(t *testing.T) {
	runIAMCases(t, map[string]iamCase{
		"roles": {"InvalidInput", 400, `The marker "x" is not valid.`, func(e iamEnv) error {
			_, err := e.api.ListRoles(e.t.Context(), &iam.ListRolesInput{Marker: aws.String("x")})
			return err
		}},
		"attached policies": {"InvalidInput", 400, `The marker "x" is not valid.`, func(e iamEnv) error {
			_, err := e.api.ListAttachedRolePolicies(e.t.Context(), &iam.ListAttachedRolePoliciesInput{RoleName: aws.String(fake.RoleName), Marker: aws.String("x")})
			return err
		}},
		"inline policies": {"InvalidInput", 400, `The marker "x" is not valid.`, func(e iamEnv) error {
			_, err := e.api.ListRolePolicies(e.t.Context(), &iam.ListRolePoliciesInput{RoleName: aws.String(fake.RoleName), Marker: aws.String("x")})
			return err
		}},
		"instance profiles": {"InvalidInput", 400, `The marker "x" is not valid.`, func(e iamEnv) error {
			_, err := e.api.ListInstanceProfilesForRole(e.t.Context(), &iam.ListInstanceProfilesForRoleInput{RoleName: aws.String(fake.RoleName), Marker: aws.String("x")})
			return err
		}},
		"tags": {"InvalidInput", 400, `The marker "x" is not valid.`, func(e iamEnv) error {
			_, err := e.api.ListRoleTags(e.t.Context(), &iam.ListRoleTagsInput{RoleName: aws.String(fake.RoleName), Marker: aws.String("x")})
			return err
		}},
	})
}

func TestIAMAttachedPoliciesBelowAPath(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		out, err := e.api.CreatePolicy(e.t.Context(), &iam.CreatePolicyInput{
			PolicyName: aws.String("own"), Path: aws.String("/team/"), PolicyDocument: aws.String(permissions),
		})
		e.must(err)
		e.must(e.attach(fake.RoleName, executionPolicy))
		e.must(e.attach(fake.RoleName, *out.Policy.Arn))
		listed, err := e.api.ListAttachedRolePolicies(e.t.Context(), &iam.ListAttachedRolePoliciesInput{
			RoleName: aws.String(fake.RoleName), PathPrefix: aws.String("/team/"),
		})
		e.must(err)
		if len(listed.AttachedPolicies) != 1 || *listed.AttachedPolicies[0].PolicyName != "own" {
			e.t.Errorf("policies %v", listed.AttachedPolicies)
		}
	})
}
