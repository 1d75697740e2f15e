// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

func TestMayBelong(t *testing.T) {
	tests := map[string]struct {
		logical, physical string
		want              bool
	}{
		"the name itself":                   {"web", "web", true},
		"a derived name":                    {"web", "web-999-abcdefg2", true},
		"the last generation":               {"web", "web-000-abcdefg2", true},
		"a logical name that looks derived": {"web-999-abcdefg2", "web-999-abcdefg2", true},
		"another name":                      {"web", "api", false},
		"a longer name":                     {"web", "website", false},
		"a derived name of a longer one":    {"web", "web-api-999-abcdefg2", false},
		"no fingerprint":                    {"web", "web-999", false},
		"a short fingerprint":               {"web", "web-999-abcdefg", false},
		"a long fingerprint":                {"web", "web-999-abcdefgh2", false},
		"upper case in the fingerprint":     {"web", "web-999-Abcdefg2", false},
		"two digits of generation":          {"web", "web-99-abcdefg2", false},
		"a letter in the generation":        {"web", "web-99a-abcdefg2", false},
		"a sign in the generation":          {"web", "web-+99-abcdefg2", false},
		"another sign before fingerprint":   {"web", "web-999_abcdefg2", false},
		"another case":                      {"web", "Web-999-abcdefg2", false},
		"the suffix alone":                  {"web", "-999-abcdefg2", false},
		"nothing":                           {"web", "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fargate.MayBelong(tt.logical, tt.physical); got != tt.want {
				t.Errorf("MayBelong(%q, %q) = %v, want %v", tt.logical, tt.physical, got, tt.want)
			}
		})
	}
}
