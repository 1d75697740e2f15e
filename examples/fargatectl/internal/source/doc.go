// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package source reads the files that a command is given: manifests with profiles
// and manifests with pods, from files, folders and standard input.
package source
