// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

func TestPermissionsOfCallsAboutRoles(t *testing.T) {
	const r = "arn:aws:iam::111122223333:role/r"
	tests := map[string]struct {
		call func(*fake.IAM) error
		want []fake.Permission
	}{
		"a role with tags": {func(c *fake.IAM) error {
			_, err := c.CreateRole(t.Context(), &iam.CreateRoleInput{
				RoleName: aws.String("r"), AssumeRolePolicyDocument: aws.String(fake.PodTrust), Tags: []types.Tag{{Key: aws.String("a"), Value: aws.String("b")}},
			})
			return err
		}, []fake.Permission{{Action: "iam:CreateRole", Resource: r}, {Action: "iam:TagRole", Resource: r}}},
		"a role without tags": {func(c *fake.IAM) error {
			_, err := c.CreateRole(t.Context(), &iam.CreateRoleInput{RoleName: aws.String("r"), AssumeRolePolicyDocument: aws.String(fake.PodTrust)})
			return err
		}, []fake.Permission{{Action: "iam:CreateRole", Resource: r}}},
		"a role leaves an instance profile": {func(c *fake.IAM) error {
			_, err := c.RemoveRoleFromInstanceProfile(t.Context(), &iam.RemoveRoleFromInstanceProfileInput{RoleName: aws.String("r"), InstanceProfileName: aws.String("p")})
			return err
		}, []fake.Permission{{Action: "iam:RemoveRoleFromInstanceProfile", Resource: "arn:aws:iam::111122223333:instance-profile/p"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			_ = tt.call(c.IAM())
			for call := range c.Calls() {
				if diff := cmp.Diff(tt.want, call.Permissions()); diff != "" {
					t.Errorf("Permissions() (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestPoliciesRestrictWhatIsAttached: the condition keys of IAM's own calls count.
func TestPoliciesRestrictWhatIsAttached(t *testing.T) {
	const allowed = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
	c := fake.New()
	err := c.SetPolicy("", `{"Statement":{"Effect":"Allow","Action":"iam:*RolePolicy","Resource":"*","Condition":{"ArnEquals":{"iam:PolicyARN":"`+allowed+`"}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for policy, want := range map[string]bool{allowed: true, "arn:aws:iam::aws:policy/AdministratorAccess": false} {
		_, err := c.IAM().AttachRolePolicy(t.Context(), &iam.AttachRolePolicyInput{RoleName: aws.String(fake.RoleName), PolicyArn: &policy})
		if (err == nil) != want {
			t.Errorf("attaching %s: %v", policy, err)
		}
	}
}
