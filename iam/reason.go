// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Reason is a word for why, in CamelCase, fit for the reason of a Kubernetes
// condition. Reasons are stable; messages are not.
type Reason string
