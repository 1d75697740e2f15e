// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle carries out the decisions of package fargate through the EKS
// API, one safe step at a time.
//
// [Reconciler.Step] is for controllers: it does the reads of one decision and at
// most one write, never blocks, and says when to call again. [Reconciler.Run],
// [Reconciler.Delete] and [Reconciler.RunAll] are for tools: they repeat the step
// until the profile is settled.
//
// A step can be killed at any point and be made again with an empty memory: what
// is half done is found by its marks and settled. Several reconcilers can work on
// one cluster, in one process or in many; EKS itself says who must wait.
package lifecycle
