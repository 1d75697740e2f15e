// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awscall

import "errors"

// ErrEmptyAnswer is an answer without what was asked for, which AWS does not give but a
// proxy or a test double may. It says nothing: neither that something is there nor that
// it is absent.
var ErrEmptyAnswer = errors.New("the answer is empty (check the endpoint that the client calls)")
