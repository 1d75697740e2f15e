// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package awscall is what the packages that call AWS share: one call within a
// rate, with a hook and a log record, and a sleep that ends with its context.
package awscall
