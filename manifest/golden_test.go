// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/manifest"
)

var update = flag.Bool("update", false, "rewrite the golden files; commit one only if you can say why it changed")

// TestFiles reads every file under testdata and compares all that is said of it.
func TestFiles(t *testing.T) {
	t.Parallel()
	files := inputs(t)
	if len(files) == 0 {
		t.Fatal("no file under testdata: the test would test nothing")
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, file+".golden", transcript(t, manifest.Parse(filepath.ToSlash(file), data)))
		})
	}
}

func inputs(tb testing.TB) []string {
	tb.Helper()
	all, err := filepath.Glob("testdata/*/*")
	if err != nil {
		tb.Fatal(err)
	}
	var files []string
	for _, file := range all {
		skip := strings.HasSuffix(file, ".golden") || strings.Contains(file, "/fuzz/") || strings.Contains(file, "/rapid/") || strings.Contains(file, "/pods/") || strings.Contains(file, "/encode/")
		if !skip {
			files = append(files, file)
		}
	}
	return files
}

func transcript(t *testing.T, r manifest.Result) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "outcome: %s\n", r.Outcome())
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s [%s]\n", p, p.Code)
	}
	for _, p := range r.Profiles {
		fmt.Fprintf(&b, "%s\n", indented(t, p))
	}
	return b.String()
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run go test -update once the output is right", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestEveryProblemHasAPlaceAndARemedy holds for whatever is wrong in the test data.
func TestEveryProblemHasAPlaceAndARemedy(t *testing.T) {
	t.Parallel()
	pods, err := filepath.Glob("testdata/pods/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(inputs(t), pods...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(manifest.Parse(file, data).Problems, manifest.ParsePods(file, data).Problems...) {
			if p.Line < 1 || p.Column < 1 || p.Help == "" || p.Message == "" {
				t.Errorf("%+v", p)
			}
		}
	}
}
