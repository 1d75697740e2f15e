// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fargate models desired and observed EKS Fargate profiles, computes
// their difference, decides what must happen and explains every decision.
//
// [Desired] is what the caller wants: a [Spec], the [Owner] who may change the
// profile, and a [Policy] for what may be done about it. [Observed] is what EKS
// reports. [Decide] compares them and returns a [Decision]: the action, its reason,
// the differences, the warnings and the one call to make. [PlanCluster] does it for
// all profiles of a cluster. Package lifecycle makes the calls.
//
// The logical name of a profile is Spec.Name of the Desired and stays the same. The
// physical name is the one at EKS; only with [NameDerived] do the two differ. The
// marks are tags on the profile that say whose it is. A replacement has a
// predecessor, which goes, and a successor.
//
// It is pure: no I/O, no clock, no logging and no AWS SDK. Everything that
// depends on time takes the time as an argument.
package fargate
