// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package iam reads, writes and judges the IAM side of EKS Fargate: the pod
// execution role and its trust policy.
//
//   - [ParseDocument] reads any IAM policy document, [Equivalent] compares two
//     by meaning, [Evaluate] says whether EKS may assume a role, and why not.
//   - [TrustPolicy] writes the trust policy of a cluster's profiles, [Merge]
//     adds it to a document that others wrote.
//   - [RoleName] and [ParseRoleARN] deal with names, [AuthMapping] and
//     [AccessEntryFor] with the cluster's side, [ParseEvent] with what pods say.
//   - [ControllerPolicy] is what the caller itself needs to be allowed.
//   - [DecideRole] decides the next IAM call for a role, if any.
//
// It is pure: no I/O, no clock, no logging and no AWS SDK. All functions are
// safe for concurrent use; none changes its arguments.
package iam
