// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// everything differs in every field.
func everything() fargate.Changes {
	desired := fargate.Spec{
		PodExecutionRoleARN: "arn:aws:iam::111122223333:role/new", Subnets: []string{subnetB, subnetA},
		Selectors: []selector.Selector{on("web", "tier", "front", "app", "api"), on("kube-system"), on("a b", "k", "v,w")},
		Tags:      map[string]string{"team": "y", "env": "dev", "a=b": "c d"},
	}
	observed := fargate.Spec{
		PodExecutionRoleARN: roleR, Subnets: []string{subnetA, "subnet-0ccc"}, Selectors: []selector.Selector{on("kube-system"), on("web")},
		Tags: claiming(map[string]string{"team": "x", "old": "1", "costcenter": "42"}, "old"),
	}
	return fargate.Diff(desired, observing(observed))
}

func TestChangesText(t *testing.T) {
	golden(t, "testdata/golden/changes.txt", everything().Text())
}

func TestChangesJSON(t *testing.T) {
	got, err := json.MarshalIndent(everything(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/golden/changes.json", string(got)+"\n")
	var back fargate.Changes
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything(), back); diff != "" {
		t.Errorf("JSON there and back (-want +got):\n%s", diff)
	}
}

func TestChangesString(t *testing.T) {
	golden(t, "testdata/golden/changes_line.txt", everything().String()+"\n")
}

func TestChangesOneSided(t *testing.T) {
	tests := map[string]struct {
		changes fargate.Changes
		line    string
		text    string
		json    string
	}{
		"none": {nil, "", "", "null"},
		"a role where none was observed": {
			fargate.Diff(fargate.Spec{PodExecutionRoleARN: roleR}, fargate.Observed{}),
			"podExecutionRoleArn +" + roleR, "podExecutionRoleArn (immutable: needs a replacement)\n  + " + roleR + "\n",
			`[{"field":"podExecutionRoleArn","mutable":false,"desired":["` + roleR + `"]}]`,
		},
		"a tag to remove": {
			fargate.Diff(fargate.Spec{}, observing(fargate.Spec{Tags: map[string]string{"a": "1"}}), exact),
			"tags -a=1", "tags (updated in place)\n  - a=1\n", `[{"field":"tags","mutable":true,"observed":["a=1"]}]`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(tt.changes)
			if err != nil {
				t.Fatal(err)
			}
			want, got := []string{tt.line, tt.text, tt.json}, []string{tt.changes.String(), tt.changes.Text(), string(text)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("line, text and JSON (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoChangesAskForNothing(t *testing.T) {
	var none fargate.Changes
	if none.RequiresReplacement() || none.Has(fargate.FieldTags) || len(none.Fields()) != 0 {
		t.Errorf("no changes: replacement %v, tags %v, fields %v", none.RequiresReplacement(), none.Has(fargate.FieldTags), none.Fields())
	}
}
