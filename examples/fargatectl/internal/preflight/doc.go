// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package preflight looks, before a create, for what would keep EKS from making the
// profiles. It reads EKS and IAM, and writes nothing.
package preflight
