// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package progress shows how far a run is: a table that is drawn anew on a terminal,
// and a line for each news elsewhere.
package progress
