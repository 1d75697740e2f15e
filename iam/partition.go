// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

// partitionRule says which partition the regions with a prefix are in.
type partitionRule struct{ prefix, partition string }

// commercial is the partition of every region without a rule.
const commercial = "aws"

// partitionRules lists the other partitions. The prefixes exclude each other.
// Source: the partition data that AWS ships with its SDKs (partitions.json of
// botocore, 2026): the regular expressions of its regions.
func partitionRules() []partitionRule {
	return []partitionRule{
		{"cn-", "aws-cn"},
		{"us-gov-", "aws-us-gov"},
		{"us-iso-", "aws-iso"},
		{"us-isob-", "aws-iso-b"},
		{"eu-isoe-", "aws-iso-e"},
		{"us-isof-", "aws-iso-f"},
		{"eusc-", "aws-eusc"},
	}
}

// Partitions lists the partitions that this package knows regions of.
func Partitions() []string {
	names := []string{commercial}
	for _, rule := range partitionRules() {
		names = append(names, rule.partition)
	}
	return names
}

// PartitionOf is the partition of a region: aws for us-east-1, aws-cn for
// cn-north-1. It is empty for text that has not the form of a region. A region
// that is newer than this package gets the partition of its prefix.
func PartitionOf(region string) string {
	if !isRegion(region) {
		return ""
	}
	for _, rule := range partitionRules() {
		if strings.HasPrefix(region, rule.prefix) {
			return rule.partition
		}
	}
	return commercial
}

// ManagedPolicyARN is the ARN of the AWS managed policy that a pod execution role
// needs, in a partition.
// Source: AWS managed policy reference, AmazonEKSFargatePodExecutionRolePolicy.
func ManagedPolicyARN(partition string) string {
	return arn{partition, "iam", "", "aws", "policy/" + ManagedPolicyName}.String()
}

const (
	// ManagedPolicyName is the name of the AWS managed policy that lets Fargate
	// pull images from Amazon ECR.
	ManagedPolicyName = "AmazonEKSFargatePodExecutionRolePolicy"

	// ServicePrincipal is who assumes a pod execution role, the same in every
	// partition.
	// Source: EKS user guide, "Amazon EKS Pod execution IAM role".
	ServicePrincipal = "eks-fargate-pods.amazonaws.com"

	// AssumeRole is the action that a trust policy allows.
	AssumeRole = "sts:AssumeRole"
)
