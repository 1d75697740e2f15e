// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"go.uber.org/goleak"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

var (
	_ lifecycle.Roles = (*role.Roles)(nil)
	_ role.API        = (*fake.IAM)(nil)
	_ role.Profiles   = (*fake.EKS)(nil)
	_ role.Profiles   = lifecycle.API(nil)
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	me      = "platform/demo"
	account = "111122223333"
	managed = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
)

func demo() iam.Scope {
	return iam.Scope{Region: "us-east-1", Account: account, Cluster: fake.ClusterName}
}

// quick shortens what the fake takes, and makes every list have several pages.
func quick(o *fake.Options) {
	o.Delays = fake.Delays{
		CreateFirst: fake.Fixed(6 * time.Second), Create: fake.Fixed(6 * time.Second),
		Delete: fake.Fixed(6 * time.Second), Busy: fake.Fixed(time.Second), RoleTrust: fake.Fixed(3 * time.Second),
	}
	o.PageSize, o.EmptyFirstPage = 1, true
}

// ensuring are the options of somebody whose roles are his own.
func ensuring(c *fake.Cloud) func(*role.Options) {
	return func(o *role.Options) {
		o.Mode, o.Now, o.Profiles = iam.ModeEnsure, c.Now, c.EKS()
		o.Role.Owner, o.Role.Scope = me, iam.Scope{Region: "us-east-1", Account: account}
	}
}

func newRoles(c *fake.Cloud, optFns ...func(*role.Options)) *role.Roles {
	return role.New(c.IAM(), append([]func(*role.Options){ensuring(c)}, optFns...)...)
}

// newReconciler makes profiles together with their roles.
func newReconciler(c *fake.Cloud, optFns ...func(*role.Options)) *lifecycle.Reconciler {
	return lifecycle.New(c.EKS(), func(o *lifecycle.Options) { o.Roles = newRoles(c, optFns...) })
}

// desiredRole is a role of ours, by the name that fits the options of ensuring.
func desiredRole(change ...func(*iam.DesiredRole)) iam.DesiredRole {
	d := iam.DesiredRole{Mode: iam.ModeEnsure, Owner: me, Scope: demo()}
	for _, fn := range change {
		fn(&d)
	}
	return d
}

// named is a role of that name.
func named(name string) func(*iam.DesiredRole) { return func(d *iam.DesiredRole) { d.Name = name } }

// desiredProfile names no role.
func desiredProfile(name string) fargate.Desired {
	return fargate.Desired{
		Spec:  fargate.Spec{ClusterName: fake.ClusterName, Name: name, Selectors: []selector.Selector{{Namespace: name}}, Subnets: fake.PrivateSubnetIDs()},
		Owner: fargate.Owner{ID: me + "/" + name},
	}
}

// observed is a role as IAM has it; nil for none. Its calls are not in the journal.
type observed struct {
	*awsiam.GetRoleOutput
	policies, inline []string
}

func observe(t *testing.T, c *fake.Cloud, name string) *observed {
	t.Helper()
	ctx, api := t.Context(), c.IAM()
	out, err := api.GetRole(ctx, &awsiam.GetRoleInput{RoleName: &name})
	if err != nil {
		return nil
	}
	o := &observed{GetRoleOutput: out}
	for p := awsiam.NewListAttachedRolePoliciesPaginator(api, &awsiam.ListAttachedRolePoliciesInput{RoleName: &name}); p.HasMorePages(); {
		page, err := p.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page.AttachedPolicies {
			o.policies = append(o.policies, aws.ToString(a.PolicyArn))
		}
	}
	for p := awsiam.NewListRolePoliciesPaginator(api, &awsiam.ListRolePoliciesInput{RoleName: &name}); p.HasMorePages(); {
		page, err := p.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		o.inline = append(o.inline, page.PolicyNames...)
	}
	return o
}

func (o *observed) tags() map[string]string {
	tags := map[string]string{}
	for _, tag := range o.Role.Tags {
		tags[*tag.Key] = *tag.Value
	}
	return tags
}

// rolesOfOurs lists the roles with our mark.
func rolesOfOurs(t *testing.T, c *fake.Cloud) []string {
	t.Helper()
	var names []string
	for p := awsiam.NewListRolesPaginator(c.IAM(), &awsiam.ListRolesInput{}); p.HasMorePages(); {
		page, err := p.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Roles {
			if observe(t, c, *r.RoleName).tags()[owner.Key(me)] == me {
				names = append(names, *r.RoleName)
			}
		}
	}
	return names
}

// addRole makes a role with our mark, or without, as somebody else would.
func addRole(t *testing.T, c *fake.Cloud, name, trust string, ours bool, policies ...string) {
	t.Helper()
	c.AddRole(name, trust)
	for _, p := range policies {
		must(t)(c.IAM().AttachRolePolicy(t.Context(), &awsiam.AttachRolePolicyInput{RoleName: &name, PolicyArn: &p}))
	}
	if ours {
		tag(t, c, name, owner.Key(me), me)
	}
}

func putTrust(t *testing.T, c *fake.Cloud, name, trust string) {
	t.Helper()
	must(t)(c.IAM().UpdateAssumeRolePolicy(t.Context(), &awsiam.UpdateAssumeRolePolicyInput{RoleName: &name, PolicyDocument: &trust}))
}

func profiles(t *testing.T, c *fake.Cloud) []string {
	t.Helper()
	var names []string
	for p := eks.NewListFargateProfilesPaginator(c.EKS(), &eks.ListFargateProfilesInput{ClusterName: aws.String(fake.ClusterName)}); p.HasMorePages(); {
		page, err := p.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, page.FargateProfileNames...)
	}
	return names
}

// isWrite reports whether a call changes something.
func isWrite(call fake.Call) bool {
	return !slices.ContainsFunc([]string{"Get", "List", "Describe"}, func(p string) bool { return strings.HasPrefix(call.Operation, p) })
}

// iamWrites lists the writes of IAM in the journal.
func iamWrites(c *fake.Cloud) []string {
	var ops []string
	for call := range c.Calls() {
		if call.Service == "IAM" && isWrite(call) {
			ops = append(ops, call.Operation)
		}
	}
	return ops
}

// operations lists all calls in the journal.
func operations(c *fake.Cloud) []string {
	var ops []string
	for call := range c.Calls() {
		ops = append(ops, call.Operation)
	}
	return ops
}

// journal writes the calls for a failure.
func journal(c *fake.Cloud) string {
	var b strings.Builder
	for call := range c.Calls() {
		fmt.Fprintf(&b, "%3d %-30s %s%s %s\n", call.Number, call.Operation, call.Target.Profile, call.Target.Role, call.Code)
	}
	return b.String()
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
