// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package connect opens AWS for a command: the real one, an endpoint that stands for
// it, or the fake that is built in.
package connect
