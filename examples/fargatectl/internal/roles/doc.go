// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package roles reads pod execution roles and says whether EKS can use them. It
// writes nothing.
package roles
