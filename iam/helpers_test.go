// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares got with a file under testdata. A rewritten file is committed
// only when the change is understood.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func mustParse(t *testing.T, text string) iam.Document {
	t.Helper()
	d, err := iam.ParseDocument(text)
	if err != nil {
		t.Fatalf("ParseDocument(%s): %v", text, err)
	}
	return d
}

// demo is the scope that the tests use.
func demo() iam.Scope {
	return iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
}

const (
	demoCluster = "arn:aws:eks:us-east-1:111122223333:cluster/demo"
	demoProfile = "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/20b6a9b0-d1cb-a3f2-5f3b-1b1f8a7b9c0d"
)
