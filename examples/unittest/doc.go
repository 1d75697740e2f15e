// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package unittest shows how to test your own code with the fake. Its code is the
// kind that a platform team has: a function that gives every team a profile. It
// knows nothing of this library; only its test does.
package unittest
