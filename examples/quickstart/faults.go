// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
)

// faultsOf is what the manifest is refused for, with everything else that was found
// on the way, so that one look is enough to mend it.
func faultsOf(result manifest.Result) error {
	if result.Err() == nil {
		return nil
	}
	lines := make([]string, len(result.Problems))
	for i, p := range result.Problems {
		lines[i] = p.String()
	}
	return errors.New(strings.Join(lines, "\n"))
}

// check reports every fault of every profile before the first call is made.
func (s *stage) check() error {
	var errs []error
	seen := map[string]bool{}
	for _, d := range s.profiles {
		if err := d.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("profile %q: %w", d.Spec.Name, err))
		}
		if seen[key(d)] {
			errs = append(errs, fmt.Errorf("profile %s of cluster %s is there twice: a cluster has one of a name, so remove one or rename it", d.Spec.Name, d.Spec.ClusterName))
		}
		seen[key(d)] = true
	}
	return errors.Join(errs...)
}
