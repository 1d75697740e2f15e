// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fargate models desired and observed EKS Fargate profiles, computes
// their difference, decides what must happen and explains every decision.
//
// It is pure: no I/O, no clock, no logging and no AWS SDK. Everything that
// depends on time takes the time as an argument.
package fargate
