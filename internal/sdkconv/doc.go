// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sdkconv converts between the types of this library and those of the
// AWS SDK. It is the only place that does.
package sdkconv
