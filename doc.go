// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eksfargate is the root of a library for the lifecycle of Amazon EKS
// Fargate profiles. It holds no code of its own: import the packages below it.
//
// Pure packages, which do no I/O and need no AWS SDK:
//
//   - [github.com/eksfargate/eksfargate/selector] says which pods a profile
//     selects, and why or why not.
//   - [github.com/eksfargate/eksfargate/selector/admissible] says whether Fargate
//     can run such a pod.
//   - [github.com/eksfargate/eksfargate/fargate] models desired and observed
//     profiles, computes their difference and decides what must happen.
//   - [github.com/eksfargate/eksfargate/iam] reads, writes and judges the trust
//     of a pod execution role.
//
// Packages that call AWS through small interfaces, which *eks.Client and
// *iam.Client satisfy as they are:
//
//   - [github.com/eksfargate/eksfargate/fargate/lifecycle] carries a decision
//     out, one safe step at a time.
//   - [github.com/eksfargate/eksfargate/iam/role] does the same for the pod
//     execution role, before the first profile and after the last.
//   - [github.com/eksfargate/eksfargate/waiter] blocks until a profile is
//     ACTIVE or gone.
//   - [github.com/eksfargate/eksfargate/fake] is an AWS in memory to test
//     against, as Go interfaces or over HTTP.
//   - [github.com/eksfargate/eksfargate/fake/crashtest] kills a program at each
//     of its calls, and looks whether it recovers.
//
// The module github.com/eksfargate/eksfargate/manifest reads and writes the
// manifests of other tools.
package eksfargate
