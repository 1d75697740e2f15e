// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/eksfargate/eksfargate/fake"
)

// iamAPI is what *iam.Client and *fake.IAM have in common.
type iamAPI interface {
	CreateRole(context.Context, *iam.CreateRoleInput, ...func(*iam.Options)) (*iam.CreateRoleOutput, error)
	GetRole(context.Context, *iam.GetRoleInput, ...func(*iam.Options)) (*iam.GetRoleOutput, error)
	DeleteRole(context.Context, *iam.DeleteRoleInput, ...func(*iam.Options)) (*iam.DeleteRoleOutput, error)
	UpdateRole(context.Context, *iam.UpdateRoleInput, ...func(*iam.Options)) (*iam.UpdateRoleOutput, error)
	UpdateRoleDescription(context.Context, *iam.UpdateRoleDescriptionInput, ...func(*iam.Options)) (*iam.UpdateRoleDescriptionOutput, error)
	UpdateAssumeRolePolicy(context.Context, *iam.UpdateAssumeRolePolicyInput, ...func(*iam.Options)) (*iam.UpdateAssumeRolePolicyOutput, error)
	ListRoles(context.Context, *iam.ListRolesInput, ...func(*iam.Options)) (*iam.ListRolesOutput, error)
	TagRole(context.Context, *iam.TagRoleInput, ...func(*iam.Options)) (*iam.TagRoleOutput, error)
	UntagRole(context.Context, *iam.UntagRoleInput, ...func(*iam.Options)) (*iam.UntagRoleOutput, error)
	ListRoleTags(context.Context, *iam.ListRoleTagsInput, ...func(*iam.Options)) (*iam.ListRoleTagsOutput, error)
	AttachRolePolicy(context.Context, *iam.AttachRolePolicyInput, ...func(*iam.Options)) (*iam.AttachRolePolicyOutput, error)
	DetachRolePolicy(context.Context, *iam.DetachRolePolicyInput, ...func(*iam.Options)) (*iam.DetachRolePolicyOutput, error)
	ListAttachedRolePolicies(context.Context, *iam.ListAttachedRolePoliciesInput, ...func(*iam.Options)) (*iam.ListAttachedRolePoliciesOutput, error)
	PutRolePolicy(context.Context, *iam.PutRolePolicyInput, ...func(*iam.Options)) (*iam.PutRolePolicyOutput, error)
	GetRolePolicy(context.Context, *iam.GetRolePolicyInput, ...func(*iam.Options)) (*iam.GetRolePolicyOutput, error)
	DeleteRolePolicy(context.Context, *iam.DeleteRolePolicyInput, ...func(*iam.Options)) (*iam.DeleteRolePolicyOutput, error)
	ListRolePolicies(context.Context, *iam.ListRolePoliciesInput, ...func(*iam.Options)) (*iam.ListRolePoliciesOutput, error)
	PutRolePermissionsBoundary(context.Context, *iam.PutRolePermissionsBoundaryInput, ...func(*iam.Options)) (*iam.PutRolePermissionsBoundaryOutput, error)
	DeleteRolePermissionsBoundary(context.Context, *iam.DeleteRolePermissionsBoundaryInput, ...func(*iam.Options)) (*iam.DeleteRolePermissionsBoundaryOutput, error)
	CreateInstanceProfile(context.Context, *iam.CreateInstanceProfileInput, ...func(*iam.Options)) (*iam.CreateInstanceProfileOutput, error)
	DeleteInstanceProfile(context.Context, *iam.DeleteInstanceProfileInput, ...func(*iam.Options)) (*iam.DeleteInstanceProfileOutput, error)
	AddRoleToInstanceProfile(context.Context, *iam.AddRoleToInstanceProfileInput, ...func(*iam.Options)) (*iam.AddRoleToInstanceProfileOutput, error)
	RemoveRoleFromInstanceProfile(context.Context, *iam.RemoveRoleFromInstanceProfileInput, ...func(*iam.Options)) (*iam.RemoveRoleFromInstanceProfileOutput, error)
	ListInstanceProfilesForRole(context.Context, *iam.ListInstanceProfilesForRoleInput, ...func(*iam.Options)) (*iam.ListInstanceProfilesForRoleOutput, error)
	CreatePolicy(context.Context, *iam.CreatePolicyInput, ...func(*iam.Options)) (*iam.CreatePolicyOutput, error)
	GetPolicy(context.Context, *iam.GetPolicyInput, ...func(*iam.Options)) (*iam.GetPolicyOutput, error)
	DeletePolicy(context.Context, *iam.DeletePolicyInput, ...func(*iam.Options)) (*iam.DeletePolicyOutput, error)
	CreateServiceLinkedRole(context.Context, *iam.CreateServiceLinkedRoleInput, ...func(*iam.Options)) (*iam.CreateServiceLinkedRoleOutput, error)
}

// stsAPI is what *sts.Client and *fake.STS have in common.
type stsAPI interface {
	GetCallerIdentity(context.Context, *sts.GetCallerIdentityInput, ...func(*sts.Options)) (*sts.GetCallerIdentityOutput, error)
	AssumeRole(context.Context, *sts.AssumeRoleInput, ...func(*sts.Options)) (*sts.AssumeRoleOutput, error)
}

var (
	_ iamAPI = (*iam.Client)(nil)
	_ iamAPI = (*fake.IAM)(nil)
	_ stsAPI = (*sts.Client)(nil)
	_ stsAPI = (*fake.STS)(nil)
)

const executionPolicy = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"

// permissions is a document for managed and inline policies.
const permissions = `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"logs:*","Resource":"*"}}`

// iamSDK is the real client, over the in-process transport.
func iamSDK(c *fake.Cloud, optFns ...func(*iam.Options)) *iam.Client {
	return iam.New(iam.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String("http://fake.invalid"),
		HTTPClient:   c.HTTPClient(),
		Credentials:  credentials("AKIAFAKE"),
	}, optFns...)
}

func stsSDK(c *fake.Cloud, optFns ...func(*sts.Options)) *sts.Client {
	return sts.New(sts.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String("http://fake.invalid"),
		HTTPClient:   c.HTTPClient(),
		Credentials:  credentials("AKIAFAKE"),
	}, optFns...)
}

// iamEnv is what a test of IAM has at hand on one transport.
type iamEnv struct {
	t   *testing.T
	c   *fake.Cloud
	api iamAPI
	sts stsAPI
	eks eksAPI
}

// overIAMTransports is overTransports with clients of all three services.
func overIAMTransports(t *testing.T, run func(e iamEnv), optFns ...func(*fake.Options)) {
	t.Helper()
	t.Run("direct client", func(t *testing.T) {
		c := fake.New(optFns...)
		run(iamEnv{t, c, c.IAM(), c.STS(), c.EKS()})
	})
	t.Run("SDK in process", func(t *testing.T) {
		c := fake.New(optFns...)
		run(iamEnv{t, c, iamSDK(c), stsSDK(c), sdkClient(c)})
	})
	t.Run("SDK over a socket", func(t *testing.T) {
		c := fake.New(optFns...)
		server := start(t, c)
		sockets := &http.Transport{}
		t.Cleanup(sockets.CloseIdleConnections)
		client := &http.Client{Transport: sockets}
		run(iamEnv{
			t, c,
			iamSDK(c, func(o *iam.Options) { o.BaseEndpoint, o.HTTPClient = &server.URL, client }),
			stsSDK(c, func(o *sts.Options) { o.BaseEndpoint, o.HTTPClient = &server.URL, client }),
			sdkClient(c, func(o *eks.Options) { o.BaseEndpoint, o.HTTPClient = &server.URL, client }),
		})
	})
}

func roleInput(name string) *iam.CreateRoleInput {
	return &iam.CreateRoleInput{RoleName: &name, AssumeRolePolicyDocument: aws.String(fake.PodTrust)}
}

func (e iamEnv) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e iamEnv) createRole(name string, edits ...func(*iam.CreateRoleInput)) *types.Role {
	e.t.Helper()
	in := roleInput(name)
	for _, edit := range edits {
		edit(in)
	}
	out, err := e.api.CreateRole(e.t.Context(), in)
	e.must(err)
	return out.Role
}

func (e iamEnv) getRole(name string) *types.Role {
	e.t.Helper()
	out, err := e.api.GetRole(e.t.Context(), &iam.GetRoleInput{RoleName: &name})
	e.must(err)
	return out.Role
}

func (e iamEnv) deleteRole(name string) error {
	_, err := e.api.DeleteRole(e.t.Context(), &iam.DeleteRoleInput{RoleName: &name})
	return err
}

func (e iamEnv) attach(role, policy string) error {
	_, err := e.api.AttachRolePolicy(e.t.Context(), &iam.AttachRolePolicyInput{RoleName: &role, PolicyArn: &policy})
	return err
}

func (e iamEnv) putInline(role, name, document string) error {
	_, err := e.api.PutRolePolicy(e.t.Context(), &iam.PutRolePolicyInput{
		RoleName: &role, PolicyName: &name, PolicyDocument: &document,
	})
	return err
}

func (e iamEnv) createPolicy(name string) (string, error) {
	out, err := e.api.CreatePolicy(e.t.Context(), &iam.CreatePolicyInput{
		PolicyName: &name, PolicyDocument: aws.String(permissions),
	})
	if err != nil {
		return "", err
	}
	return *out.Policy.Arn, nil
}

func (e iamEnv) tag(role string, tags ...types.Tag) error {
	_, err := e.api.TagRole(e.t.Context(), &iam.TagRoleInput{RoleName: &role, Tags: tags})
	return err
}

func (e iamEnv) setTrust(role, document string) error {
	_, err := e.api.UpdateAssumeRolePolicy(e.t.Context(), &iam.UpdateAssumeRolePolicyInput{
		RoleName: &role, PolicyDocument: &document,
	})
	return err
}

// createProfile creates a Fargate profile that uses a role.
func (e iamEnv) createProfile(name, roleARN string) error {
	e.t.Helper()
	return create(e.t, e.c, e.eks, name, func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &roleARN })
}

func tag(key, value string) types.Tag { return types.Tag{Key: &key, Value: &value} }
