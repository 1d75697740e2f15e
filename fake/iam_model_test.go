// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fake"
)

// modelRole is a role in a model that is too dumb to be wrong.
type modelRole struct {
	Attached, Inline []string
	Tags             map[string]string
	UsableAt         time.Time
}

// model drives IAM and a map of roles side by side.
type model struct {
	c     *fake.Cloud
	api   iamAPI
	roles map[string]*modelRole
}

func (m *model) draw(t *rapid.T, what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, what)
}

func (m *model) name(t *rapid.T) string { return m.draw(t, "role", "a", "A", "b") }

func (m *model) taken(name string) bool {
	for other := range m.roles {
		if strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

// expect compares the code of an error with what the model says.
func expect(t *rapid.T, err error, code string) {
	t.Helper()
	got := ""
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		got = api.ErrorCode()
	}
	if got != code || (err == nil) != (code == "") {
		t.Fatalf("error %v, want code %q", err, code)
	}
}

func (m *model) create(t *rapid.T) {
	name := m.name(t)
	_, err := m.api.CreateRole(t.Context(), roleInput(name))
	if m.taken(name) {
		expect(t, err, "EntityAlreadyExists")
		return
	}
	expect(t, err, "")
	m.roles[name] = &modelRole{Tags: map[string]string{}, UsableAt: m.c.Now().Add(10 * time.Second)}
}

func (m *model) delete(t *rapid.T) {
	name := m.name(t)
	_, err := m.api.DeleteRole(t.Context(), &iam.DeleteRoleInput{RoleName: &name})
	switch r := m.roles[name]; {
	case r == nil:
		expect(t, err, "NoSuchEntity")
	case len(r.Attached)+len(r.Inline) > 0:
		expect(t, err, "DeleteConflict")
	default:
		expect(t, err, "")
		delete(m.roles, name)
	}
}

// about runs a call about a role and, when the role exists, what the model does.
func (m *model) about(t *rapid.T, call func(name string) error, do func(r *modelRole) string) {
	name := m.name(t)
	err := call(name)
	if r := m.roles[name]; r != nil {
		expect(t, err, do(r))
		return
	}
	expect(t, err, "NoSuchEntity")
}

func (m *model) attach(t *rapid.T) {
	policy := "arn:aws:iam::aws:policy/" + m.draw(t, "policy", "ReadOnlyAccess", "PowerUserAccess", "None")
	m.about(t, func(name string) error {
		_, err := m.api.AttachRolePolicy(t.Context(), &iam.AttachRolePolicyInput{RoleName: &name, PolicyArn: &policy})
		return err
	}, func(r *modelRole) string {
		if strings.HasSuffix(policy, "None") {
			return "NoSuchEntity"
		}
		r.Attached = insert(r.Attached, policy)
		return ""
	})
}

func (m *model) detach(t *rapid.T) {
	policy := "arn:aws:iam::aws:policy/" + m.draw(t, "policy", "ReadOnlyAccess", "PowerUserAccess")
	m.about(t, func(name string) error {
		_, err := m.api.DetachRolePolicy(t.Context(), &iam.DetachRolePolicyInput{RoleName: &name, PolicyArn: &policy})
		return err
	}, func(r *modelRole) string { return take(&r.Attached, policy) })
}

func (m *model) putInline(t *rapid.T) {
	policy := m.draw(t, "policy", "x", "y")
	m.about(t, func(name string) error {
		_, err := m.api.PutRolePolicy(t.Context(), &iam.PutRolePolicyInput{
			RoleName: &name, PolicyName: &policy, PolicyDocument: aws.String(permissions),
		})
		return err
	}, func(r *modelRole) string {
		r.Inline = insert(r.Inline, policy)
		return ""
	})
}

func (m *model) deleteInline(t *rapid.T) {
	policy := m.draw(t, "policy", "x", "y")
	m.about(t, func(name string) error {
		_, err := m.api.DeleteRolePolicy(t.Context(), &iam.DeleteRolePolicyInput{RoleName: &name, PolicyName: &policy})
		return err
	}, func(r *modelRole) string { return take(&r.Inline, policy) })
}

func (m *model) tag(t *rapid.T) {
	key, value := m.draw(t, "key", "k", "K", "l"), m.draw(t, "value", "", "1")
	m.about(t, func(name string) error {
		_, err := m.api.TagRole(t.Context(), &iam.TagRoleInput{RoleName: &name, Tags: append(roleInput("").Tags, tag(key, value))})
		return err
	}, func(r *modelRole) string {
		maps.DeleteFunc(r.Tags, func(old, _ string) bool { return strings.EqualFold(old, key) })
		r.Tags[key] = value
		return ""
	})
}

func (m *model) untag(t *rapid.T) {
	key := m.draw(t, "key", "k", "l")
	m.about(t, func(name string) error {
		_, err := m.api.UntagRole(t.Context(), &iam.UntagRoleInput{RoleName: &name, TagKeys: []string{key}})
		return err
	}, func(r *modelRole) string {
		maps.DeleteFunc(r.Tags, func(old, _ string) bool { return strings.EqualFold(old, key) })
		return ""
	})
}

func (m *model) advance(t *rapid.T) {
	m.c.Advance(time.Duration(rapid.IntRange(0, 15).Draw(t, "seconds")) * time.Second)
}

func insert(list []string, s string) []string {
	if !slices.Contains(list, s) {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// take removes a string and returns the code of what IAM answers.
func take(list *[]string, s string) string {
	i := slices.Index(*list, s)
	if i < 0 {
		return "NoSuchEntity"
	}
	*list = slices.Delete(*list, i, i+1)
	return ""
}

// check reads everything and compares it with the model. Whether a role can be
// used is asked with a create that something else refuses when the role is good.
func (m *model) check(t *rapid.T) {
	out, err := m.api.ListRoles(t.Context(), &iam.ListRolesInput{})
	expect(t, err, "")
	got := map[string]*modelRole{}
	for _, r := range out.Roles {
		got[*r.RoleName] = m.read(t, *r.RoleName)
	}
	delete(got, fake.RoleName)
	delete(got, "eks-cluster")
	if diff := cmp.Diff(m.roles, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("roles (-want +got):\n%s", diff)
	}
	for name, r := range m.roles {
		in := createInput(m.c, "web")
		in.PodExecutionRoleArn, in.Subnets = aws.String(m.c.RoleARN(name)), []string{fake.PublicSubnetID}
		_, err := m.c.EKS().CreateFargateProfile(t.Context(), in)
		if refused := strings.Contains(err.Error(), "Misconfigured"); refused == !m.c.Now().Before(r.UsableAt) {
			t.Fatalf("role %s is usable from %v on, and at %v the answer is %v", name, r.UsableAt, m.c.Now(), err)
		}
	}
}

func (m *model) read(t *rapid.T, name string) *modelRole {
	r := &modelRole{Tags: map[string]string{}}
	role, err := m.api.GetRole(t.Context(), &iam.GetRoleInput{RoleName: &name})
	expect(t, err, "")
	for _, tag := range role.Role.Tags {
		r.Tags[*tag.Key] = *tag.Value
	}
	attached, err := m.api.ListAttachedRolePolicies(t.Context(), &iam.ListAttachedRolePoliciesInput{RoleName: &name})
	expect(t, err, "")
	for _, policy := range attached.AttachedPolicies {
		r.Attached = insert(r.Attached, *policy.PolicyArn)
	}
	inline, err := m.api.ListRolePolicies(t.Context(), &iam.ListRolePoliciesInput{RoleName: &name})
	expect(t, err, "")
	for _, policy := range inline.PolicyNames {
		r.Inline = insert(r.Inline, policy)
	}
	if known := m.roles[name]; known != nil {
		r.UsableAt = known.UsableAt // IAM does not tell
	}
	return r
}

func TestIAMAgreesWithADumbModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fake.New(stopped)
		m := &model{c: c, api: c.IAM(), roles: map[string]*modelRole{}}
		if rapid.Bool().Draw(t, "over the wire") {
			m.api = iamSDK(c)
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": m.create, "delete": m.delete, "attach": m.attach, "detach": m.detach, "put inline": m.putInline,
			"delete inline": m.deleteInline, "tag": m.tag, "untag": m.untag, "advance": m.advance, "": m.check,
		})
	})
}
