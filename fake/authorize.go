// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
)

// Permission is an action of IAM on a resource. A profile's ARN ends in /*,
// for a caller does not know the id.
type Permission struct {
	Action   string `json:"action"`
	Resource string `json:"resource"`
}

// need is a permission that a call takes, and how AWS refuses who lacks it.
type need struct {
	Permission
	keys    map[string]string // condition keys, in lower case, to their values
	refusal *apiError         // nil for the plain text
	linking bool              // needed only until the account has the service-linked role
}

// needs lists what a call takes in the account as it is.
func (t *tx) needs(op *operation, target Target, input any) []need {
	_, err := t.role(slrName)
	return slices.DeleteFunc(needsOf(t.caller, op.service, op.name, target, input), func(n need) bool {
		return n.linking && err == nil
	})
}

// needsOf lists what a call may take, in the order in which it is checked. It
// depends on nothing but the call.
func needsOf(caller Caller, service, operation string, target Target, input any) []need {
	switch in := input.(type) {
	case *eks.CreateFargateProfileInput:
		return needsOfCreateProfile(caller, target, in)
	case *eks.CreateClusterInput:
		needs := append([]need{plainNeed("eks:CreateCluster", clusterARN(caller, target.Cluster))},
			needOfTags(clusterARN(caller, target.Cluster), in.Tags)...)
		return append(needs, needOfPassRole(aws.ToString(in.RoleArn), "eks.amazonaws.com"))
	case *eks.TagResourceInput:
		return needOfTags(aws.ToString(in.ResourceArn), in.Tags)
	case *eks.UntagResourceInput:
		return []need{plainNeed("eks:UntagResource", aws.ToString(in.ResourceArn))}
	case *eks.ListTagsForResourceInput:
		return []need{plainNeed("eks:ListTagsForResource", aws.ToString(in.ResourceArn))}
	}
	if service == "STS" {
		return nil // everybody may ask who they are, and a role's trust says who may assume it
	}
	return needsOfRole(plainNeed(strings.ToLower(service)+":"+operation, resourceOf(caller, target)), caller, input)
}

// needsOfCreateProfile: the caller passes the role, EKS looks with the caller's
// rights for its own role and, when it has to choose, for subnets.
func needsOfCreateProfile(caller Caller, target Target, in *eks.CreateFargateProfileInput) []need {
	needs := append([]need{plainNeed("eks:CreateFargateProfile", clusterARN(caller, target.Cluster))},
		needOfTags(profilePattern(caller, target), in.Tags)...)
	needs = append(needs, needOfPassRole(aws.ToString(in.PodExecutionRoleArn), podsService), need{
		Permission: Permission{"iam:GetRole", slrARN(caller)},
		refusal: apiErrorf(codeInvalidRequest,
			"Failed to validate if SLR: %s already exists due to missing permissions for 'iam:GetRole'",
			slrName),
	}, need{
		Permission: Permission{"iam:CreateServiceLinkedRole", slrARN(caller)},
		keys:       map[string]string{"iam:awsservicename": fargateService},
		linking:    true,
	})
	if len(in.Subnets) > 0 {
		return needs
	}
	for _, action := range []string{"ec2:DescribeSubnets", "ec2:DescribeRouteTables"} {
		needs = append(needs, need{
			Permission: Permission{action, "*"},
			refusal:    apiErrorf(codeInvalidRequest, "Missing permissions for %q", action),
		})
	}
	return needs
}

func plainNeed(action, resource string) need {
	return need{Permission: Permission{action, resource}}
}

// needOfTags: who makes something with tags must be allowed to tag it.
func needOfTags(resource string, tags map[string]string) []need {
	if len(tags) == 0 {
		return nil
	}
	n := plainNeed("eks:TagResource", resource)
	n.keys = map[string]string{}
	for key, value := range tags {
		n.keys["aws:requesttag/"+strings.ToLower(key)] = value
	}
	return []need{n}
}

func needOfPassRole(roleARN, service string) need {
	n := plainNeed("iam:PassRole", roleARN)
	n.keys = map[string]string{"iam:passedtoservice": service}
	return n
}

// resourceOf is the resource of a call that is about its target and no more.
func resourceOf(caller Caller, target Target) string {
	switch {
	case target.Role != "":
		return arn{partitionOf(caller.Region), "iam", "", caller.Account, "role/" + target.Role}.String()
	case target.Profile != "":
		return profilePattern(caller, target)
	case target.Cluster != "":
		return clusterARN(caller, target.Cluster)
	default:
		return "*"
	}
}

func clusterARN(caller Caller, name string) string {
	return arn{partitionOf(caller.Region), "eks", caller.Region, caller.Account, "cluster/" + name}.String()
}

func profilePattern(caller Caller, target Target) string {
	resource := "fargateprofile/" + target.Cluster + "/" + target.Profile + "/*"
	return arn{partitionOf(caller.Region), "eks", caller.Region, caller.Account, resource}.String()
}

func slrARN(caller Caller) string {
	resource := "role/" + servicePolicyPath + fargateService + "/" + slrName
	return arn{partitionOf(caller.Region), "iam", "", caller.Account, resource}.String()
}

// refuse is the answer to a caller that lacks the permission.
func (n need) refuse(caller Caller, service string) *apiError {
	if n.refusal != nil {
		return n.refusal
	}
	code := codeAccessDenied
	if service != serviceEKS {
		code = "AccessDenied"
	}
	return apiErrorf(code, "User: %s is not authorized to perform: %s on resource: %s", caller.ARN, n.Action, n.Resource)
}
