// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// awsManagedPolicies are the paths and names of the policies of AWS that exist
// here, in every partition; there are many more in AWS.
func awsManagedPolicies() []string {
	return []string{
		"AdministratorAccess",
		"AmazonEC2ContainerRegistryPullOnly",
		"AmazonEC2ContainerRegistryReadOnly",
		"AmazonEKSClusterPolicy",
		"AmazonEKSFargatePodExecutionRolePolicy",
		"AmazonEKSServicePolicy",
		"AmazonEKSVPCResourceController",
		"AmazonEKSWorkerNodePolicy",
		"AmazonEKS_CNI_Policy",
		"AmazonSSMManagedInstanceCore",
		"CloudWatchAgentServerPolicy",
		"CloudWatchLogsFullAccess",
		"PowerUserAccess",
		"ReadOnlyAccess",
		servicePolicyPath + "AmazonEKSForFargateServiceRolePolicy",
		servicePolicyPath + "AmazonEKSServiceRolePolicy",
		servicePolicyPath + "AWSServiceRoleForAmazonEKSNodegroup",
	}
}

// servicePolicyPath is the path of policies for service-linked roles, less its
// first slash.
const servicePolicyPath = "aws-service-role/"

// splitPolicy returns path and name of a managed policy's ARN, whoever owns it.
func splitPolicy(policyARN string) (path, name string, ok bool) {
	a, ok := parseARN(policyARN)
	rest, isPolicy := strings.CutPrefix(a.Resource, "policy/")
	if !ok || !isPolicy || a.Service != "iam" || a.Account == "" {
		return "", "", false
	}
	i := strings.LastIndexByte(rest, '/')
	return "/" + rest[:i+1], rest[i+1:], rest[i+1:] != ""
}

// inPath reports whether a policy is below a path; no path has all below it.
func inPath(policyARN string, prefix *string) bool {
	path, _, _ := splitPolicy(policyARN)
	return strings.HasPrefix(path, orString(aws.ToString(prefix), "/"))
}

// isAWSManaged reports whether an ARN is that of a policy of AWS that exists.
func (t *tx) isAWSManaged(policyARN string) bool {
	prefix := "arn:" + partitionOf(t.caller.Region) + ":iam::aws:policy/"
	name, found := strings.CutPrefix(policyARN, prefix)
	return found && slices.Contains(awsManagedPolicies(), name)
}

func (t *tx) policyExists(policyARN string) bool {
	return t.isAWSManaged(policyARN) || t.account.Policies[policyARN] != nil
}

// checkPolicyARN refuses what is not the ARN of a policy.
func checkPolicyARN(policyARN string) error {
	if _, _, ok := splitPolicy(policyARN); !ok {
		return apiErrorf(codeInvalidInput, "ARN %s is not valid.", policyARN)
	}
	return nil
}

// checkAttachable refuses a policy that does not exist, and one that only AWS
// attaches (texts: reported).
func (t *tx) checkAttachable(policyARN string) error {
	if err := checkPolicyARN(policyARN); err != nil {
		return err
	}
	path, _, _ := splitPolicy(policyARN)
	switch {
	case !t.policyExists(policyARN):
		return apiErrorf(codeNoSuchEntity, "Policy %s does not exist or is not attachable.", policyARN)
	case path == "/"+servicePolicyPath:
		return apiErrorf(codePolicyNotAttachable, "Cannot attach a Service Role Policy to a Customer Role.")
	}
	return nil
}

// boundary checks the policy that shall limit a role (text: reported); nil is
// none.
func (t *tx) boundary(policyARN *string) (string, error) {
	if policyARN == nil {
		return "", nil
	}
	if err := checkPolicyARN(*policyARN); err != nil {
		return "", err
	}
	if !t.policyExists(*policyARN) {
		return "", apiErrorf(codeNoSuchEntity, "Scope ARN: %s does not exist or is not attachable.", *policyARN)
	}
	return *policyARN, nil
}
