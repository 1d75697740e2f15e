// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

// needsOfRole completes what a call about a role takes: the condition keys that
// policies restrict it by, the right to tag what is made with tags, and the
// resource of calls about instance profiles (service authorization reference,
// "AWS Identity and Access Management").
func needsOfRole(n need, caller Caller, input any) []need {
	switch in := input.(type) {
	case *iam.CreateRoleInput:
		n.keys = boundaryKey(in.PermissionsBoundary)
		if len(in.Tags) > 0 {
			return []need{n, plainNeed("iam:TagRole", n.Resource)}
		}
	case *iam.PutRolePermissionsBoundaryInput:
		n.keys = boundaryKey(in.PermissionsBoundary)
	case *iam.AttachRolePolicyInput:
		n.keys = map[string]string{"iam:policyarn": aws.ToString(in.PolicyArn)}
	case *iam.DetachRolePolicyInput:
		n.keys = map[string]string{"iam:policyarn": aws.ToString(in.PolicyArn)}
	case *iam.RemoveRoleFromInstanceProfileInput:
		n.Resource = instanceProfileARN(caller, in.InstanceProfileName)
	case *iam.AddRoleToInstanceProfileInput:
		n.Resource = instanceProfileARN(caller, in.InstanceProfileName)
	}
	return []need{n}
}

// boundaryKey is the key for a boundary that the call sets; none is absent.
func boundaryKey(policyARN *string) map[string]string {
	if policyARN == nil {
		return nil
	}
	return map[string]string{"iam:permissionsboundary": *policyARN}
}

func instanceProfileARN(caller Caller, name *string) string {
	return arn{partitionOf(caller.Region), "iam", "", caller.Account, "instance-profile/" + aws.ToString(name)}.String()
}
