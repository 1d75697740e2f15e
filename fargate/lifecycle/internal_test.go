// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

// No decision asks for an operation that is not known. One that did would be an
// error and no call.
func TestAnUnknownOperationIsAnError(t *testing.T) {
	_, err := New(nil).write(t.Context(), fargate.Call{Operation: "RenameFargateProfile", Cluster: "demo", Profile: "web"})
	if err == nil || !strings.Contains(err.Error(), "RenameFargateProfile") {
		t.Errorf("write() = %v", err)
	}
}
