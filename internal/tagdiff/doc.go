// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tagdiff computes which tags to set and which to remove, and keeps the
// memory of the keys that we set ourselves, so that we never remove the tags of
// others.
package tagdiff
