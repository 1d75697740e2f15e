// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package planview shows a plan to people, like a good diff.
package planview
