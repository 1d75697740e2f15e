// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package diagram draws profiles and what they have to do with each other, as
// Mermaid.
package diagram
