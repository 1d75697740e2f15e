// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

// To remove the mark of a new profile is no reason to wait: what else is to be done
// is, and so is what keeps the profile as it is not desired.
func TestANewProfileIsReachedWhenNothingElseDiffers(t *testing.T) {
	tests := map[string]struct {
		in   fargate.Input
		want bool
	}{
		"as desired":       {about(wish(), seen("web", peerOf("web"))), true},
		"degraded":         {about(wish(), seen("web", peerOf("web"), sick)), true},
		"tags differ":      {about(wish(tagWish), seen("web", peerOf("web"))), false},
		"our marks differ": {about(wish(), seen("web", peerOf("web"), generation(4))), false},
		"another version":  {about(wish(), seen("web", peerOf("web"), other)), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := fargate.Decide(tt.in)
			if d.Reason != fargate.ReasonConfirming || d.Reached != tt.want {
				t.Fatalf("Decide() = %s, reached %v, want %s, %v", d.Reason, d.Reached, fargate.ReasonConfirming, tt.want)
			}
			ready := slices.ContainsFunc(d.Conditions(5), func(c fargate.Condition) bool {
				return c.Type == fargate.ConditionReady && c.Status == fargate.ConditionTrue
			})
			if ready != tt.want {
				t.Errorf("Ready is %v, want %v", ready, tt.want)
			}
		})
	}
}
