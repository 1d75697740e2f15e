// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// iamCase is one refusal of IAM.
type iamCase struct {
	code    string
	status  int
	message string
	act     func(e iamEnv) error
}

func runIAMCases(t *testing.T, cases map[string]iamCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overIAMTransports(t, func(e iamEnv) { wantError(e.t, tc.act(e), tc.code, tc.status, tc.message) })
		})
	}
}

func createRoleWith(e iamEnv, edit func(*iam.CreateRoleInput)) error {
	in := roleInput("web")
	edit(in)
	_, err := e.api.CreateRole(e.t.Context(), in)
	return err
}

// The codes and texts that issues and logs show of IAM about roles.
func TestIAMRoleErrors(t *testing.T) {
	runIAMCases(t, map[string]iamCase{
		"a role that does not exist": {"NoSuchEntity", 404, "The role with name web cannot be found.", func(e iamEnv) error {
			_, err := e.api.GetRole(e.t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")})
			return err
		}},
		"a name that is taken": {"EntityAlreadyExists", 409, "Role with name web already exists.", func(e iamEnv) error {
			e.createRole("web")
			_, err := e.api.CreateRole(e.t.Context(), roleInput("web"))
			return err
		}},
		"a name that is taken in another case": {"EntityAlreadyExists", 409, "Role with name WEB already exists.", func(e iamEnv) error {
			e.createRole("web")
			_, err := e.api.CreateRole(e.t.Context(), roleInput("WEB"))
			return err
		}},
		"delete of a role with everything": {
			"DeleteConflict", 409, "Cannot delete entity, must delete policies first.",
			func(e iamEnv) error {
				e.createRole("web")
				e.must(e.putInline("web", "logs", permissions))
				e.must(e.attach("web", executionPolicy))
				return e.deleteRole("web")
			},
		},
		"delete of a role with managed policies": {
			"DeleteConflict", 409, "Cannot delete entity, must detach all policies first.",
			func(e iamEnv) error {
				e.createRole("web")
				e.must(e.attach("web", executionPolicy))
				return e.deleteRole("web")
			},
		},
		"delete of a role in an instance profile": {
			"DeleteConflict", 409, "Cannot delete entity, must remove roles from instance profile first.",
			func(e iamEnv) error {
				e.createRole("web")
				e.must(e.createInstanceProfile("nodes"))
				e.must(e.addToInstanceProfile("nodes", "web"))
				return e.deleteRole("web")
			},
		},
		"a trust document that is no JSON": {"MalformedPolicyDocument", 400, "This policy contains invalid Json", func(e iamEnv) error {
			return createRoleWith(e, func(in *iam.CreateRoleInput) { in.AssumeRolePolicyDocument = aws.String("{") })
		}},
		"a trust document that is too long": {"LimitExceeded", 409, "Cannot exceed quota for ACLSizePerRole: 2048", func(e iamEnv) error {
			e.createRole("web")
			return e.setTrust("web", paddedTrust(2049))
		}},
		"a boundary that does not exist": {
			"NoSuchEntity", 404, "Scope ARN: arn:aws:iam::111122223333:policy/none does not exist or is not attachable.",
			func(e iamEnv) error {
				return createRoleWith(e, func(in *iam.CreateRoleInput) {
					in.PermissionsBoundary = aws.String("arn:aws:iam::111122223333:policy/none")
				})
			},
		},
		"a service-linked role again": {
			"InvalidInput", 400,
			"Service role name AWSServiceRoleForAmazonEKSForFargate has been taken in this account, please try a different suffix.",
			func(e iamEnv) error {
				in := &iam.CreateServiceLinkedRoleInput{AWSServiceName: aws.String("eks-fargate.amazonaws.com")}
				_, err := e.api.CreateServiceLinkedRole(e.t.Context(), in)
				e.must(err)
				_, err = e.api.CreateServiceLinkedRole(e.t.Context(), in)
				return err
			},
		},
		"a service-linked role with a suffix": {
			"InvalidInput", 400, "Custom suffix is not allowed for eks-fargate.amazonaws.com",
			func(e iamEnv) error {
				_, err := e.api.CreateServiceLinkedRole(e.t.Context(), &iam.CreateServiceLinkedRoleInput{
					AWSServiceName: aws.String("eks-fargate.amazonaws.com"), CustomSuffix: aws.String("x"),
				})
				return err
			},
		},
		"a service without a role": {
			"InvalidInput", 400, "The service other.amazonaws.com has no service-linked role.",
			func(e iamEnv) error {
				_, err := e.api.CreateServiceLinkedRole(e.t.Context(), &iam.CreateServiceLinkedRoleInput{
					AWSServiceName: aws.String("other.amazonaws.com"),
				})
				return err
			},
		},
		"a change of a service-linked role": {
			"UnmodifiableEntity", 400,
			"Cannot perform the operation on the protected role 'AWSServiceRoleForAmazonEKSForFargate' - " +
				"this role is only modifiable by AWS",
			func(e iamEnv) error {
				e.must(e.createProfile("web", e.c.RoleARN(fake.RoleName)))
				return e.deleteRole("AWSServiceRoleForAmazonEKSForFargate")
			},
		},
		"throttled": {"Throttling", 400, "Rate exceeded", func(e iamEnv) error {
			e.c.Inject(fake.Fault{Operation: "GetRole", Target: fake.Target{Role: "web"}, Count: -1, Code: "Throttling", Message: "Rate exceeded"})
			_, err := e.api.GetRole(e.t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")},
				func(o *iam.Options) { o.RetryMaxAttempts = 1 })
			return err
		}},
	})
}

// paddedTrust is a good trust document of n characters and a lot of white space.
func paddedTrust(n int) string {
	bare := strings.Replace(fake.PodTrust, `"Effect"`, `"Sid":"", "Effect"`, 1)
	sid := strings.Repeat("a", n-len(bare)+1)
	return strings.Replace(bare, `"Sid":""`, `"Sid":"`+sid+`"`, 1) + strings.Repeat("\n ", 100)
}

func TestWhiteSpaceDoesNotCountInATrustDocument(t *testing.T) {
	c := fake.New()
	in := roleInput("web")
	in.AssumeRolePolicyDocument = aws.String(paddedTrust(2048))
	if _, err := c.IAM().CreateRole(t.Context(), in); err != nil {
		t.Error(err)
	}
}

// The codes and texts of IAM about policies.
func TestIAMPolicyErrors(t *testing.T) {
	const own = "arn:aws:iam::111122223333:policy/own"
	runIAMCases(t, map[string]iamCase{
		"attach a policy that does not exist": {
			"NoSuchEntity", 404, "Policy " + own + " does not exist or is not attachable.",
			func(e iamEnv) error {
				e.createRole("web")
				return e.attach("web", own)
			},
		},
		"attach a policy of another partition": {
			"NoSuchEntity", 404, "Policy arn:aws-cn:iam::aws:policy/AdministratorAccess does not exist or is not attachable.",
			func(e iamEnv) error {
				e.createRole("web")
				return e.attach("web", "arn:aws-cn:iam::aws:policy/AdministratorAccess")
			},
		},
		"attach what is no policy": {"InvalidInput", 400, "ARN arn:aws:iam::aws:role/x is not valid.", func(e iamEnv) error {
			e.createRole("web")
			return e.attach("web", "arn:aws:iam::aws:role/x")
		}},
		"attach a policy for service-linked roles": {
			"PolicyNotAttachable", 400, "Cannot attach a Service Role Policy to a Customer Role.",
			func(e iamEnv) error {
				e.createRole("web")
				return e.attach("web", "arn:aws:iam::aws:policy/aws-service-role/AmazonEKSForFargateServiceRolePolicy")
			},
		},
		"an eleventh policy": {"LimitExceeded", 409, "Cannot exceed quota for PoliciesPerRole: 10", func(e iamEnv) error {
			e.createRole("web")
			for i := range 10 {
				arn, err := e.createPolicy(fmt.Sprint("own", i))
				e.must(err)
				e.must(e.attach("web", arn))
			}
			return e.attach("web", executionPolicy)
		}},
		"detach a policy that is not attached": {
			"NoSuchEntity", 404, "Policy " + executionPolicy + " was not found.",
			func(e iamEnv) error {
				e.createRole("web")
				_, err := e.api.DetachRolePolicy(e.t.Context(), &iam.DetachRolePolicyInput{
					RoleName: aws.String("web"), PolicyArn: aws.String(executionPolicy),
				})
				return err
			},
		},
		"read an inline policy that does not exist": {
			"NoSuchEntity", 404, "The role policy with name logs cannot be found.",
			func(e iamEnv) error {
				e.createRole("web")
				_, err := e.api.GetRolePolicy(e.t.Context(), &iam.GetRolePolicyInput{
					RoleName: aws.String("web"), PolicyName: aws.String("logs"),
				})
				return err
			},
		},
		"delete an inline policy that does not exist": {
			"NoSuchEntity", 404, "The role policy with name logs cannot be found.",
			func(e iamEnv) error {
				e.createRole("web")
				_, err := e.api.DeleteRolePolicy(e.t.Context(), &iam.DeleteRolePolicyInput{
					RoleName: aws.String("web"), PolicyName: aws.String("logs"),
				})
				return err
			},
		},
		"inline policies that are too long together": {
			"LimitExceeded", 409, "Maximum policy size of 10240 bytes exceeded for role web",
			func(e iamEnv) error {
				e.createRole("web")
				e.must(e.putInline("web", "a", padded(permissions, 6000)))
				return e.putInline("web", "b", padded(permissions, 6000))
			},
		},
		"a policy's name that is taken": {
			"EntityAlreadyExists", 409, "A policy called OWN already exists. Duplicate names are not allowed.",
			func(e iamEnv) error {
				_, err := e.createPolicy("own")
				e.must(err)
				_, err = e.createPolicy("OWN")
				return err
			},
		},
		"a policy that is too long": {"LimitExceeded", 409, "Cannot exceed quota for PolicySize: 6144", func(e iamEnv) error {
			_, err := e.api.CreatePolicy(e.t.Context(), &iam.CreatePolicyInput{
				PolicyName: aws.String("own"), PolicyDocument: aws.String(padded(permissions, 6145)),
			})
			return err
		}},
		"a policy that does not exist": {"NoSuchEntity", 404, "Policy " + own + " was not found.", func(e iamEnv) error {
			_, err := e.api.GetPolicy(e.t.Context(), &iam.GetPolicyInput{PolicyArn: aws.String(own)})
			return err
		}},
		"what is no policy": {"InvalidInput", 400, "ARN arn:aws:iam::aws:role/x is not valid.", func(e iamEnv) error {
			_, err := e.api.GetPolicy(e.t.Context(), &iam.GetPolicyInput{PolicyArn: aws.String("arn:aws:iam::aws:role/x")})
			return err
		}},
		"delete of a policy that does not exist": {"NoSuchEntity", 404, "Policy " + own + " was not found.", func(e iamEnv) error {
			return e.deletePolicy(own)
		}},
		"a boundary that is no policy": {"InvalidInput", 400, "ARN arn:aws:iam::aws:role/x is not valid.", func(e iamEnv) error {
			_, err := e.api.PutRolePermissionsBoundary(e.t.Context(), &iam.PutRolePermissionsBoundaryInput{
				RoleName: aws.String(fake.RoleName), PermissionsBoundary: aws.String("arn:aws:iam::aws:role/x"),
			})
			return err
		}},
		"delete of a policy that is attached": {"DeleteConflict", 409, "Cannot delete a policy attached to entities.", func(e iamEnv) error {
			arn, err := e.createPolicy("own")
			e.must(err)
			e.createRole("web")
			e.must(e.attach("web", arn))
			return e.deletePolicy(arn)
		}},
		"delete of a policy that is a boundary": {"DeleteConflict", 409, "Cannot delete a policy attached to entities.", func(e iamEnv) error {
			arn, err := e.createPolicy("own")
			e.must(err)
			e.createRole("web", func(in *iam.CreateRoleInput) { in.PermissionsBoundary = &arn })
			return e.deletePolicy(arn)
		}},
		"delete of a policy of AWS": {"AccessDenied", 403, "Policy " + executionPolicy + " is outside your own account.", func(e iamEnv) error {
			return e.deletePolicy(executionPolicy)
		}},
	})
}

func padded(document string, n int) string {
	sid := strings.Repeat("a", n-len(document)-len(`"Sid":"",`))
	return strings.Replace(document, `"Effect"`, `"Sid":"`+sid+`","Effect"`, 1)
}

func (e iamEnv) deletePolicy(arn string) error {
	_, err := e.api.DeletePolicy(e.t.Context(), &iam.DeletePolicyInput{PolicyArn: &arn})
	return err
}

func (e iamEnv) createInstanceProfile(name string) error {
	_, err := e.api.CreateInstanceProfile(e.t.Context(), &iam.CreateInstanceProfileInput{InstanceProfileName: &name})
	return err
}

func (e iamEnv) addToInstanceProfile(name, role string) error {
	_, err := e.api.AddRoleToInstanceProfile(e.t.Context(), &iam.AddRoleToInstanceProfileInput{
		InstanceProfileName: &name, RoleName: &role,
	})
	return err
}

// The codes and texts of IAM about instance profiles.
func TestIAMInstanceProfileErrors(t *testing.T) {
	runIAMCases(t, map[string]iamCase{
		"a name that is taken": {"EntityAlreadyExists", 409, "Instance Profile Nodes already exists.", func(e iamEnv) error {
			e.must(e.createInstanceProfile("nodes"))
			return e.createInstanceProfile("Nodes")
		}},
		"a second role": {
			"LimitExceeded", 409, "Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1",
			func(e iamEnv) error {
				e.must(e.createInstanceProfile("nodes"))
				e.must(e.addToInstanceProfile("nodes", fake.RoleName))
				return e.addToInstanceProfile("nodes", fake.RoleName)
			},
		},
		"a role that does not exist": {"NoSuchEntity", 404, "The role with name web cannot be found.", func(e iamEnv) error {
			e.must(e.createInstanceProfile("nodes"))
			return e.addToInstanceProfile("nodes", "web")
		}},
		"an instance profile that does not exist": {"NoSuchEntity", 404, "Instance Profile nodes cannot be found.", func(e iamEnv) error {
			return e.addToInstanceProfile("nodes", fake.RoleName)
		}},
		"remove a role that is not in it": {"NoSuchEntity", 404, "The role with name web cannot be found.", func(e iamEnv) error {
			e.must(e.createInstanceProfile("nodes"))
			_, err := e.api.RemoveRoleFromInstanceProfile(e.t.Context(), &iam.RemoveRoleFromInstanceProfileInput{
				InstanceProfileName: aws.String("nodes"), RoleName: aws.String("web"),
			})
			return err
		}},
		"delete of one with a role": {
			"DeleteConflict", 409, "Cannot delete entity, must remove roles from instance profile first.",
			func(e iamEnv) error {
				e.must(e.createInstanceProfile("nodes"))
				e.must(e.addToInstanceProfile("nodes", fake.RoleName))
				_, err := e.api.DeleteInstanceProfile(e.t.Context(), &iam.DeleteInstanceProfileInput{
					InstanceProfileName: aws.String("nodes"),
				})
				return err
			},
		},
	})
}

// What one error of IAM looks like to errors.As, and in full.
func TestIAMErrorsLookLikeTheSDKs(t *testing.T) {
	texts := map[string][]string{}
	overIAMTransports(t, func(e iamEnv) {
		err := e.deleteRole("web")
		if _, ok := errors.AsType[*types.NoSuchEntityException](err); !ok {
			e.t.Errorf("error %v is no *types.NoSuchEntityException", err)
		}
		if op, ok := errors.AsType[*smithy.OperationError](err); !ok || op.Service() != "IAM" || op.Operation() != "DeleteRole" {
			e.t.Errorf("error %v is no *smithy.OperationError of IAM", err)
		}
		texts["typed"] = append(texts["typed"], anonymous(err))
		generic := createRoleWith(e, func(in *iam.CreateRoleInput) { in.RoleName = aws.String("a b") })
		texts["generic"] = append(texts["generic"], anonymous(generic))
	})
	for kind, text := range texts {
		if text[0] != text[1] || text[0] != text[2] {
			t.Errorf("%s texts differ:\n%s", kind, strings.Join(text, "\n"))
		}
	}
}
