// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package output_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func TestYAMLHasTheFieldsOfTheJSONInTheirOrder(t *testing.T) {
	value := struct {
		Zone  string   `json:"zone"`
		App   string   `json:"app"`
		Empty []string `json:"empty"`
		Texts []string `json:"texts"`
	}{"eu", "<x>", []string{}, []string{"yes", "010", "null", "a: b", "*", "two\nlines"}}
	var got bytes.Buffer
	if err := output.Write(&got, output.YAML, value); err != nil {
		t.Fatal(err)
	}
	want := `zone: eu
app: <x>
empty: []
texts:
  - "yes"
  - "010"
  - "null"
  - "a: b"
  - "*"
  - |-
    two
    lines
`
	if diff := cmp.Diff(want, strings.ReplaceAll(got.String(), `'`, `"`)); diff != "" {
		t.Errorf("the YAML (-want +got):\n%s", diff)
	}
}

func TestAnyTextSurvivesYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "value")
		var text bytes.Buffer
		if err := output.Write(&text, output.YAML, want); err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		if err := yaml.Unmarshal(text.Bytes(), &got); err != nil {
			t.Fatalf("%v:\n%s", err, &text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the value (-want +got):\n%s\n%s", diff, &text)
		}
	})
}

func TestTablesAreAlignedAndEndWithoutBlanks(t *testing.T) {
	got := output.Rows{{"NAME", "STATE", ""}, {"web", "ACTIVE", "x"}, {"a-long-name", "-", ""}}.String()
	want := "NAME         STATE\nweb          ACTIVE  x\na-long-name  -\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}

func TestNothingIsColouredWithoutATerminal(t *testing.T) {
	style := output.StyleFor(&bytes.Buffer{})
	const text = "+ new\n- gone\n"
	if got := style.Diff(text) + style.Bold("b") + style.Bad("x") + style.Severity("warning", "w"); got != text+"bxw" {
		t.Errorf("the text became %q", got)
	}
}
