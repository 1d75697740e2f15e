// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

const controller = "arn:aws:iam::111122223333:user/controller"

// onBehalf are the rights that EKS uses for the caller, and that calls of the
// journal may not show: the first only where the account has no such role yet.
func onBehalf() []string { return []string{"iam:CreateServiceLinkedRole"} }

// restricted is a reconciler whose caller may do what the document allows.
type restricted struct {
	cloud    *fake.Cloud
	document iam.Document
	options  func(*role.Options)
}

func (r restricted) reconciler(t *testing.T) *lifecycle.Reconciler {
	t.Helper()
	if err := r.cloud.SetPolicy(controller, r.document.String()); err != nil {
		t.Fatal(err)
	}
	as := func(c *fake.Caller) { c.ARN = controller }
	roles := role.New(r.cloud.IAM(as), ensuring(r.cloud), r.options, func(o *role.Options) {
		o.Profiles, o.Role.Description, o.Role.Force = r.cloud.EKS(as), "pods", true
	})
	return lifecycle.New(r.cloud.EKS(as), func(o *lifecycle.Options) { o.Roles = roles })
}

// TestControllerPolicyIsEnoughAndNotTooMuch lets a caller that may do what
// ControllerPolicy says, and no more, do everything that the configuration is for:
// nothing is denied, and nothing that is granted stays unused.
func TestControllerPolicyIsEnoughAndNotTooMuch(t *testing.T) {
	const boundary, logs = "arn:aws:iam::111122223333:policy/boundary", "arn:aws:iam::111122223333:policy/logs"
	full := iam.ControllerConfig{Scope: demo(), Mode: iam.ModeDelete, ManagedPolicies: []string{logs}, InlinePolicies: true, PermissionsBoundary: boundary}
	lean := iam.ControllerConfig{Scope: demo(), Mode: iam.ModeDelete}
	verify := iam.ControllerConfig{Scope: demo(), Mode: iam.ModeVerify, Roles: []string{"arn:aws:iam::111122223333:role/" + fake.RoleName}, ChosenSubnets: true}
	brought := verify
	brought.Mode = iam.ModeBringYourOwn
	tests := map[string]struct {
		config  iam.ControllerConfig
		options func(*role.Options)
	}{
		"all of it": {full, func(o *role.Options) {
			withInline(o)
			o.Role.ManagedPolicies, o.Role.PermissionsBoundary, o.Role.Tags = []string{logs}, boundary, map[string]string{"team": "x"}
		}},
		"a plain role":         {lean, func(*role.Options) {}},
		"a verified role":      {verify, verifying},
		"a role brought along": {brought, func(o *role.Options) { o.Mode = "" }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(quick)
				addPolicy(t, c, "logs")
				addPolicy(t, c, "boundary")
				must(t)(c.IAM().AttachRolePolicy(t.Context(), &awsiam.AttachRolePolicyInput{RoleName: aws.String(fake.RoleName), PolicyArn: new(managed)}))
				r := restricted{cloud: c, document: iam.ControllerPolicy(tt.config), options: tt.options}
				live(t, r, tt.config)
				used := map[string]bool{}
				for call := range c.Calls() {
					if call.Caller.ARN != controller {
						continue
					}
					if strings.HasPrefix(call.Code, "AccessDenied") {
						t.Errorf("%s: %s", call.Operation, call.Message)
					}
					for _, p := range call.Permissions() {
						used[p.Action] = true
					}
				}
				checkUsed(t, r.document, used)
			})
		})
	}
}

// live has a profile made and changed, its role spoiled and mended for the next
// profile, and all of it deleted.
func live(t *testing.T, restricted restricted, config iam.ControllerConfig) {
	t.Helper()
	c := restricted.cloud
	run := func(name string, tags map[string]string) {
		d := desiredProfile(name)
		if d.Spec.Tags = tags; !config.ChosenSubnets {
			d.Spec.Subnets = nil
		}
		if len(config.Roles) > 0 {
			d.Spec.PodExecutionRoleARN = config.Roles[0]
		}
		if _, err := restricted.reconciler(t).Run(within(t, time.Hour), d); err != nil {
			t.Fatalf("Run() = %v\n%s", err, journal(c))
		}
	}
	run("web", map[string]string{"a": "1"})
	run("web", map[string]string{"b": "1"})
	if ours := desiredRole().RoleName(); len(config.Roles) == 0 {
		spoil(t, c, ours)
		run("api", nil)
		putInline(t, c, ours, "theirs")
		addNodes(t, c, ours)
	}
	for _, name := range profiles(t, c) {
		if err := restricted.reconciler(t).Delete(within(t, time.Hour), desiredProfile(name)); err != nil {
			t.Fatalf("Delete() = %v\n%s", err, journal(c))
		}
	}
	if got := rolesOfOurs(t, c); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
}

// spoil changes all of a role that can be mended.
func spoil(t *testing.T, c *fake.Cloud, name string) {
	t.Helper()
	api, ctx := c.IAM(), t.Context()
	putTrust(t, c, name, strings.ReplaceAll(iam.TrustPolicy(demo()).String(), ":fargateprofile/demo/*", ":cluster/demo"))
	must(t)(api.UpdateRole(ctx, &awsiam.UpdateRoleInput{RoleName: &name, Description: aws.String("spoiled")}))
	if observe(t, c, name).Role.PermissionsBoundary != nil {
		must(t)(api.DeleteRolePermissionsBoundary(ctx, &awsiam.DeleteRolePermissionsBoundaryInput{RoleName: &name}))
	}
	tag(t, c, name, iam.DeletingTag, "2026-01-01T00:00:00Z")
}

// addNodes puts the role into an instance profile.
func addNodes(t *testing.T, c *fake.Cloud, name string) {
	t.Helper()
	must(t)(c.IAM().CreateInstanceProfile(t.Context(), &awsiam.CreateInstanceProfileInput{InstanceProfileName: aws.String("nodes")}))
	must(t)(c.IAM().AddRoleToInstanceProfile(t.Context(), &awsiam.AddRoleToInstanceProfileInput{InstanceProfileName: aws.String("nodes"), RoleName: &name}))
}

// checkUsed reports what the document grants and nobody needed.
func checkUsed(t *testing.T, document iam.Document, used map[string]bool) {
	t.Helper()
	for _, s := range document.Statements {
		for _, action := range s.Action {
			if !used[action] && !slices.Contains(onBehalf(), action) {
				t.Errorf("%s of statement %s is granted and not used; used: %v", action, s.Sid, slices.Sorted(maps.Keys(used)))
			}
		}
	}
}
