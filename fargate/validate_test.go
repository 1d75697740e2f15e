// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func good() fargate.Spec {
	return fargate.Spec{
		ClusterName: "demo", Name: "fp-a", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
		Selectors: []selector.Selector{{Namespace: "web"}},
	}
}

func TestValidateReportsEveryFaultAtOnce(t *testing.T) {
	spec := good()
	spec.Name = "eks-web"
	spec.Selectors = []selector.Selector{{Namespace: "a"}, {Labels: map[string]string{"a b": "x"}}, {Namespace: "c"}, {Namespace: "d"}, {Namespace: "e"}, {Namespace: "f"}}
	err := spec.Validate()
	got, ok := errors.AsType[*fargate.ValidationError](err)
	if !ok {
		t.Fatalf("Validate() = %v, want a ValidationError", err)
	}
	want := map[string]fargate.Code{
		"spec.fargateProfileName":         fargate.CodeReserved,
		"spec.selectors":                  fargate.CodeTooMany,
		"spec.selectors[1].namespace":     fargate.CodeRequired,
		`spec.selectors[1].labels["a b"]`: fargate.CodeInvalidSyntax,
	}
	found := map[string]fargate.Code{}
	for _, e := range got.Errors {
		found[e.Field] = e.Code
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestValidateAcceptsTheUsual(t *testing.T) {
	if err := good().Validate(); err != nil {
		t.Errorf("Validate() = %v", err)
	}
}
