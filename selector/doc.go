// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector says which pods an EKS Fargate profile selects.
//
// It is pure: no I/O, no clock, no Kubernetes and no AWS dependency.
package selector
