// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine outlives the call that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
