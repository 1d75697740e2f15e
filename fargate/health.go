// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "strings"

// Issue is one health issue that EKS reports on a profile.
type Issue struct {
	// Code is one of the four documented codes, or one that EKS adds later.
	Code IssueCode `json:"code"`
	// Message is what EKS says.
	Message string `json:"message"`
	// ResourceIDs are the resources that the issue is about.
	ResourceIDs []string `json:"resourceIds,omitempty"`
}

// IssueCode is the code of a health issue.
type IssueCode string

// The health codes that EKS documents since 2024-06. It does not document when
// each appears; what [IssueCode.Advice] says of the cause is inferred.
const (
	IssueRoleAlreadyInUse   IssueCode = "PodExecutionRoleAlreadyInUse"
	IssueAccessDenied       IssueCode = "AccessDenied"
	IssueClusterUnreachable IssueCode = "ClusterUnreachable"
	IssueInternalFailure    IssueCode = "InternalFailure"
)

// Advice is what is known of a health issue.
type Advice struct {
	// Cause is the likely cause.
	Cause string `json:"cause"`
	// Remedy is what a person should do.
	Remedy string `json:"remedy"`
	// Retryable says whether trying again without a change can help.
	Retryable bool `json:"retryable"`
}

// Advice returns what is known of the code. An unknown code is taken as retryable,
// with the advice to read the message.
func (c IssueCode) Advice() Advice {
	switch c {
	case IssueRoleAlreadyInUse:
		return Advice{
			Cause:  "the role is already mapped for EC2 nodes of this cluster",
			Remedy: "give the profile a pod execution role of its own, other than any node role",
		}
	case IssueAccessDenied:
		return Advice{
			Cause:  "EKS may not assume the role or may not write the access entry or the aws-auth row",
			Remedy: "check the trust of the role, its unique id in the access entry, and the cluster's access settings",
		}
	case IssueClusterUnreachable:
		return Advice{
			Cause:     "the API server does not answer EKS, or an admission webhook blocks it",
			Remedy:    "check the cluster's health and webhooks that match everything",
			Retryable: true,
		}
	case IssueInternalFailure:
		return Advice{
			Cause:     "a failure on the side of AWS",
			Remedy:    "try again; if it stays, ask AWS Support and give the ARN of the profile",
			Retryable: true,
		}
	}
	return Advice{Cause: "not documented", Remedy: "read the message and the resources of the issue", Retryable: true}
}

// String says the issue in one line, with the remedy.
func (i Issue) String() string {
	s := string(i.Code) + ": " + i.Message
	if len(i.ResourceIDs) > 0 {
		s += " [" + strings.Join(i.ResourceIDs, ", ") + "]"
	}
	return s + " (" + i.Code.Advice().Remedy + ")"
}

// issuesText says all issues in one line, or that there are none.
func issuesText(issues []Issue) string {
	if len(issues) == 0 {
		return "EKS reports no health issue"
	}
	texts := make([]string, 0, len(issues))
	for _, i := range issues {
		texts = append(texts, i.String())
	}
	return strings.Join(texts, "; ")
}
