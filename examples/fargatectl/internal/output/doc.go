// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package output writes results: tables, JSON and YAML, with colours where a
// person looks at a terminal.
package output
