// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Finding is one thing about a role that people should know.
type Finding struct {
	// Reason is a word for what it is.
	Reason Reason
	// Message says what it is, for people.
	Message string
	// Fix says what to do about it.
	Fix string
}

// Review is what is to be said about a role or its trust policy.
type Review struct {
	// Shortcomings keep the role from doing its work.
	Shortcomings []Finding
	// Warnings do not, but cost safety or will hurt later.
	Warnings []Finding
}

func (r *Review) fails(reason Reason, message, fix string) {
	r.Shortcomings = append(r.Shortcomings, Finding{reason, message, fix})
}

func (r *Review) warns(reason Reason, message, fix string) {
	r.Warnings = append(r.Warnings, Finding{reason, message, fix})
}

// Reasons of a [Finding] about a trust policy.
const (
	// ReasonTrustRefuses: EKS may not assume the role for the cluster's profiles.
	ReasonTrustRefuses Reason = "TrustRefuses"
	// ReasonTrustNamesCluster: aws:SourceArn names the cluster, not its profiles.
	ReasonTrustNamesCluster Reason = "TrustNamesCluster"
	// ReasonTrustUndecidable: whether EKS may assume the role can't be told here.
	ReasonTrustUndecidable Reason = "TrustUndecidable"
	// ReasonWrongPartition: an ARN is of another partition than the cluster.
	ReasonWrongPartition Reason = "WrongPartition"
	// ReasonOtherAccount: an ARN is of another account than the cluster.
	ReasonOtherAccount Reason = "OtherAccount"
	// ReasonSourceARNMissing: the trust policy does not restrict aws:SourceArn.
	ReasonSourceARNMissing Reason = "SourceArnMissing"
	// ReasonSourceARNWide: the trust policy allows profiles of other clusters.
	ReasonSourceARNWide Reason = "SourceArnWide"
	// ReasonSharedWithNodes: EC2 instances may use the role, too.
	ReasonSharedWithNodes Reason = "SharedWithNodes"
	// ReasonTrustTooLong: the trust policy is longer than the quota.
	ReasonTrustTooLong Reason = "TrustTooLong"
)
