// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line of fargatectl: one file a command.
package cli
