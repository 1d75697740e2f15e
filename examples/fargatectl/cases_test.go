// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

// TestCases runs the case files and compares each answer with what its case wants.
func TestCases(t *testing.T) {
	for _, command := range []string{"explain", "compare"} {
		path := filepath.Join("testdata", "cases", command+".json")
		answers := runCases(t, command, path)
		for id, want := range wantedAnswers(t, path) {
			t.Run(command+"/"+id, func(t *testing.T) {
				got := answers[id]
				for field := range got {
					if _, asked := want[field]; !asked {
						delete(got, field)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("the answer (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// runCases returns the answers by the ids of the cases.
func runCases(t *testing.T, command, path string) map[string]map[string]any {
	t.Helper()
	var out bytes.Buffer
	if code := cli.Run(t.Context(), []string{command, "--cases", path}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard}); code != 0 {
		t.Fatalf("%s --cases %s: exit status %d", command, path, code)
	}
	answers := map[string]map[string]any{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var answer map[string]any
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatalf("the line %q: %v", lines.Text(), err)
		}
		answers[answer["id"].(string)] = answer
	}
	return answers
}

// wantedAnswers are the fields that each case asks for. A bare word is a relation.
func wantedAnswers(t *testing.T, path string) map[string]map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID   string `json:"id"`
		Want any    `json:"want"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	wants := map[string]map[string]any{}
	for _, c := range cases {
		if want, ok := c.Want.(map[string]any); ok {
			wants[c.ID] = want
			continue
		}
		wants[c.ID] = map[string]any{"relation": c.Want}
	}
	if len(wants) != len(cases) {
		t.Fatalf("%s uses an id twice", path)
	}
	return wants
}
