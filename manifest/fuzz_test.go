// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/manifest"
)

// FuzzParse holds for any input: no panic, the same result twice, a place and a
// text for whatever is wrong, and no specification with an unresolved value.
func FuzzParse(f *testing.F) {
	for _, file := range inputs(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := manifest.Parse("in", data)
		if diff := cmp.Diff(r, manifest.Parse("in", data)); diff != "" {
			t.Fatalf("two results of one input:\n%s", diff)
		}
		for _, p := range r.Problems {
			if p.Message == "" || p.Code == "" || p.Severity != manifest.SeverityWarning && (p.Line < 1 || p.Column < 1) {
				t.Errorf("a problem without a place or a text: %+v", p)
			}
		}
		if len(r.Profiles) == 0 && len(r.Problems) == 0 {
			t.Error("no profile, and no word why")
		}
		for _, p := range r.Profiles {
			if _, err := p.Spec(); err != nil && r.Outcome() != manifest.OutcomeReject && r.Outcome() != manifest.OutcomePartial {
				t.Errorf("outcome %s, and yet %v", r.Outcome(), err)
			}
		}
	})
}
