// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package admit reads what package admissible needs to know from the spec of a
// Kubernetes pod.
package admit
