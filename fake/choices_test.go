// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/fake"
)

// A create with everything wrong is refused for one thing after the other.
func TestOrderOfChecks(t *testing.T) {
	c := fake.New(atRest, func(o *fake.Options) { o.Quotas.Profiles = 1 })
	c.AddRole("wrong", "{}")
	if _, err := c.EKS().CreateCluster(t.Context(), clusterInput("new")); err != nil {
		t.Fatal(err)
	}
	in := createInput(c, "eks-web")
	in.ClusterName, in.Selectors, in.Subnets = aws.String("none"), nil, []string{fake.PublicSubnetID}
	in.PodExecutionRoleArn = aws.String(c.RoleARN("wrong"))
	in.Tags = map[string]string{"aws:x": "y"}
	steps := []struct {
		refusal string
		mend    func()
	}{
		{"The fargate profile name starts with the reserved prefix: 'eks-'.", func() { in.FargateProfileName = aws.String("web") }},
		{"Fargate Profile requires at least one selector.", func() { in.Selectors = []types.FargateProfileSelector{{Namespace: aws.String("web")}} }},
		{"The tag key 'aws:x' starts with the reserved prefix 'aws:'.", func() { in.Tags = nil }},
		{"No cluster found for name: none.", func() { in.ClusterName = aws.String("new") }},
		{"Cluster 'new' is not in ACTIVE status", func() {
			mustAdd(t, c, fake.Profile{Name: "web", Status: "CREATING"})
			in.ClusterName = aws.String(fake.ClusterName)
		}},
		{"A Fargate Profile already exists with this name in this cluster.", func() { in.FargateProfileName = aws.String("more") }},
		{
			"Cannot create Fargate Profile more because cluster demo currently has Fargate profile web in status CREATING",
			func() {
				mustAdd(t, c, fake.Profile{Name: "web"})
				c.BusyCluster(fake.ClusterName, time.Second)
			},
		},
		{"Cannot create Fargate Profile more because cluster demo currently has an update in progress", func() { c.Advance(time.Second) }},
		{"Fargate Profile limit exceeded for cluster.", func() { mustDelete(t, c.EKS(), "web"); c.Advance(time.Hour) }},
		{roleRefused, func() { in.PodExecutionRoleArn = aws.String(c.RoleARN(fake.RoleName)) }},
		{"Subnet " + fake.PublicSubnetID + " provided in Fargate Profile is not a private subnet", func() { in.Subnets = nil }},
	}
	for _, step := range steps {
		_, err := c.EKS().CreateFargateProfile(t.Context(), in)
		if !containsText(err, step.refusal) {
			t.Fatalf("error %v, want %s", err, step.refusal)
		}
		step.mend()
	}
	if _, err := c.EKS().CreateFargateProfile(t.Context(), in); err != nil {
		t.Errorf("with nothing wrong: %v", err)
	}
}

const roleRefused = "Misconfigured PodExecutionRole Trust Policy; " +
	"Please add the eks-fargate-pods.amazonaws.com Service Principal"

func TestSelectorsMayHaveAnyCharacters(t *testing.T) {
	overTransports(t, func(e env) {
		err := create(e.t, e.c, e.api, "web", func(in *eks.CreateFargateProfileInput) {
			in.Selectors = []types.FargateProfileSelector{{
				Namespace: aws.String("Not a namespace! \u00e9"), Labels: map[string]string{"a b/c/d": "<&> "},
			}}
		})
		if err != nil {
			e.t.Fatal(err)
		}
		s := mustDescribe(e.t, e.api, "web").Selectors[0]
		if *s.Namespace != "Not a namespace! \u00e9" || s.Labels["a b/c/d"] != "<&> " {
			e.t.Errorf("selector %q, %q", *s.Namespace, s.Labels)
		}
	})
}

func TestPolicyVariablesAreNotReplaced(t *testing.T) {
	c := fake.New()
	c.AddRole(fake.RoleName, `{"Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole",`+
		`"Condition":{"StringEquals":{"aws:SourceAccount":"${aws:SourceAccount}"}}}}`)
	wantError(t, create(t, c, c.EKS(), "web"), "InvalidParameterException", 400, roleRefused)
}

func TestRoleOfAClusterIsNotChecked(t *testing.T) {
	c := fake.New()
	in := clusterInput("new")
	in.RoleArn = aws.String("arn:aws:iam::999999999999:role/none")
	in.DeletionProtection = aws.Bool(true) // is ignored
	out, err := c.EKS().CreateCluster(t.Context(), in)
	if err != nil || *out.Cluster.RoleArn != *in.RoleArn {
		t.Fatalf("cluster %+v, error %v", out, err)
	}
	c.Advance(time.Hour)
	if _, err := c.EKS().DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("new")}); err != nil {
		t.Error(err)
	}
}

func TestHiddenUpdatesAreNotListed(t *testing.T) {
	c := fake.New(atRest)
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(91 * time.Second)
	_, err := c.EKS().DeleteFargateProfile(t.Context(), deleteInput("web"))
	wantError(t, err, "ResourceInUseException", 409,
		"Cannot Delete Fargate Profile web because cluster demo currently has an update in progress")
	list, err := c.EKS().ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: aws.String(fake.ClusterName)})
	if err != nil || len(list.UpdateIds) != 0 {
		t.Errorf("updates %+v, error %v", list, err)
	}
}

func TestAccessEntryOutlivesItsProfile(t *testing.T) {
	c := fake.New(atRest)
	mustCreate(t, c, c.EKS(), "web")
	if got := entries(t, c.EKS()); len(got) != 1 {
		t.Errorf("entries %v right after the create", got)
	}
	c.Advance(time.Hour)
	mustDelete(t, c.EKS(), "web")
	c.Advance(time.Hour)
	if got := entries(t, c.EKS()); len(got) != 1 {
		t.Errorf("entries %v after the profile has gone", got)
	}
}

func TestPoliciesOfRolesDoNotRestrict(t *testing.T) {
	c := fake.New()
	_, err := c.IAM().PutRolePolicy(t.Context(), &iam.PutRolePolicyInput{
		RoleName: aws.String(fake.RoleName), PolicyName: aws.String("deny"),
		PolicyDocument: aws.String(`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"*","Resource":"*"}]}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	asRole := c.EKS(func(caller *fake.Caller) { caller.ARN = c.RoleARN(fake.RoleName) })
	if _, err := asRole.ListClusters(t.Context(), nil); err != nil {
		t.Errorf("a policy in IAM restricts its role: %v", err)
	}
}

func TestRoleIsFoundInItsOwnCase(t *testing.T) {
	c := fake.New()
	_, err := c.IAM().GetRole(t.Context(), &iam.GetRoleInput{RoleName: aws.String("Fargate-Pods")})
	wantError(t, err, "NoSuchEntity", 404, "The role with name Fargate-Pods cannot be found.")
}

func TestBoundaryThatIsNotThereCanBeDeleted(t *testing.T) {
	c := fake.New()
	in := &iam.DeleteRolePermissionsBoundaryInput{RoleName: aws.String(fake.RoleName)}
	if _, err := c.IAM().DeleteRolePermissionsBoundary(t.Context(), in); err != nil {
		t.Error(err)
	}
}

func TestTypedClientMakesOneAttempt(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Throttle("ListClusters", 1))
	if _, err := c.EKS().ListClusters(t.Context(), nil); err == nil {
		t.Error("the typed client has tried again")
	}
	if n := c.CallCount(); n != 1 {
		t.Errorf("%d calls", n)
	}
}
