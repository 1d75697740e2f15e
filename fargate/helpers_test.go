// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

const (
	roleR   = "arn:aws:iam::111122223333:role/fp-exec"
	subnetA = "subnet-0aaa"
	subnetB = "subnet-0bbb"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares got with a file, or writes the file. A changed file may be
// committed only when the change is understood.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not current, -update writes it (-want +got):\n%s", path, diff)
	}
}

// on makes a selector: a namespace, then label keys and values in turn.
func on(namespace string, labels ...string) selector.Selector {
	s := selector.Selector{Namespace: namespace}
	for pair := range slices.Chunk(labels, 2) {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[pair[0]] = pair[1]
	}
	return s
}

// manyTags makes n tags that are valid.
func manyTags(n int) map[string]string {
	tags := make(map[string]string, n)
	for i := range n {
		tags[fmt.Sprintf("key-%02d", i)] = "v"
	}
	return tags
}

// with changes a valid spec.
func with(change func(*fargate.Spec)) fargate.Spec {
	s := good()
	change(&s)
	return s
}

func withSelectors(selectors ...selector.Selector) fargate.Spec {
	return with(func(s *fargate.Spec) { s.Selectors = selectors })
}

func withTags(tags map[string]string) fargate.Spec {
	return with(func(s *fargate.Spec) { s.Tags = tags })
}

// fieldErrors are the faults in an error of a validation.
func fieldErrors(t *testing.T, err error) []fargate.FieldError {
	t.Helper()
	if err == nil {
		return nil
	}
	v, ok := errors.AsType[*fargate.ValidationError](err)
	if !ok {
		t.Fatalf("the error is %T (%v), want a *ValidationError", err, err)
	}
	if len(v.Errors) == 0 {
		t.Fatal("a *ValidationError without a fault")
	}
	return v.Errors
}

// faults says the faults of an error as "field Code".
func faults(t *testing.T, err error) []string {
	t.Helper()
	var out []string
	for _, f := range fieldErrors(t, err) {
		out = append(out, f.Field+" "+string(f.Code))
	}
	return out
}

// a is a text of n letters.
func a(n int) string { return strings.Repeat("a", n) }

type validateCase struct {
	spec   fargate.Spec
	limits func(*fargate.Limits)
	want   []string
}

func runValidate(t *testing.T, tests map[string]validateCase) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var optFns []func(*fargate.Limits)
			if tt.limits != nil {
				optFns = append(optFns, tt.limits)
			}
			if diff := cmp.Diff(tt.want, faults(t, tt.spec.Validate(optFns...))); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}
