// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// worst has at least one fault of every rule.
func worst() fargate.Desired {
	labels := manyTags(6)
	labels["a b"] = "x"
	labels["app"] = "c d"
	labels["x/"+a(64)] = a(64)
	tags := manyTags(50)
	tags[""] = "x"
	tags["aws:a"] = "x"
	tags["bad"] = "a\nb"
	tags["eksfargate.io/tags"] = "x"
	tags["long"] = a(300)
	tags["reserved"] = "aws:x"
	tags[a(129)] = "x"
	return fargate.Desired{
		Spec: fargate.Spec{
			ClusterName: "-" + a(100), Name: "eks-" + a(100) + "!", PodExecutionRoleARN: "fp-exec", Subnets: []string{"vpc-1", subnetA, subnetA},
			Selectors: []selector.Selector{{}, on("web"), on("web"), {Namespace: "a_b", Labels: labels}, on(a(64)), on("ok", a(254)+"/x", ""), on("*-" + a(62))},
			Tags:      tags,
		},
		Owner:       fargate.Owner{ID: "aws:me"},
		Policy:      fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Adoption: "perhaps"},
		DefaultTags: map[string]string{"AWS:d": ""},
		Generation:  -7,
	}
}

func TestErrorText(t *testing.T) {
	golden(t, "testdata/golden/faults.txt", worst().Validate().Error()+"\n")
}

func TestErrorTextOfMissingValues(t *testing.T) {
	golden(t, "testdata/golden/faults_zero.txt", fargate.Desired{}.Validate().Error()+"\n")
}

func TestErrorTextOfOneFaultIsOneLine(t *testing.T) {
	const want = "fargate: invalid profile \"eks-web\" of cluster \"demo\": spec.fargateProfileName: the prefix eks- is reserved by EKS (choose a name that begins otherwise)"
	if got := with(func(s *fargate.Spec) { s.Name = "eks-web" }).Validate().Error(); got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestErrorTextWithoutHelp(t *testing.T) {
	if got, want := (fargate.FieldError{Field: "spec.tags", Message: "no"}).Error(), "spec.tags: no"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestErrorTextCarriesNothingUnprintable(t *testing.T) {
	text := worst().Validate().Error()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("the line %q is not plain ASCII", line)
		}
	}
}

func TestFaultSaysTheOffendingValue(t *testing.T) {
	tests := map[string]struct {
		spec fargate.Spec
		want string
	}{
		"a name":                      {with(func(s *fargate.Spec) { s.Name = "a b" }), "a b"},
		"a namespace":                 {withSelectors(on("a_b", "k", "v")), "a_b"},
		"a label key":                 {withSelectors(on("web", "a b", "v")), "a b"},
		"a label value":               {withSelectors(on("web", "k", "a b")), "a b"},
		"a number of labels has none": {withSelectors(selector.Selector{Namespace: "web", Labels: manyTags(6)}), ""},
		"a tag key":                   {withTags(map[string]string{"aws:k": "v"}), "aws:k"},
		"a tag value":                 {withTags(map[string]string{"k": "aws:v"}), "aws:v"},
		"a repetition":                {withSelectors(on("web"), on("web")), "web"},
		"60 characters are whole":     {with(func(s *fargate.Spec) { s.Name = a(59) + "!" }), a(59) + "!"},
		"61 are cut":                  {with(func(s *fargate.Spec) { s.Name = a(60) + "!" }), a(60) + "..."},
		"no character is cut in two":  {with(func(s *fargate.Spec) { s.Name = a(59) + "\u00e9" }), a(59) + "..."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := fieldErrors(t, tt.spec.Validate())
			if len(got) != 1 || got[0].Value != tt.want {
				t.Errorf("faults = %+v, want one with the value %q", got, tt.want)
			}
		})
	}
}

func TestPathsOfLongKeysStayApart(t *testing.T) {
	long := "platform.observability.internal.example.com/" + a(40)
	got := faults(t, withSelectors(on("web", long+"1", "-", long+"2", "-")).Validate())
	if len(got) != 2 || got[0] == got[1] {
		t.Errorf("faults = %q, want two paths", got)
	}
	huge := faults(t, withTags(map[string]string{strings.Repeat("x", 1<<16): "v"}).Validate())
	if len(huge) != 1 || len(huge[0]) > 400 {
		t.Errorf("the path of a huge key has %d characters", len(huge[0]))
	}
}

func TestFaultAsJSON(t *testing.T) {
	err := withTags(map[string]string{"": "v"}).Validate()
	got, jsonErr := json.Marshal(fieldErrors(t, err))
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	const want = `[{"field":"spec.tags[\"\"]","code":"Required","message":"the key is empty","help":"give the tag a key"}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
