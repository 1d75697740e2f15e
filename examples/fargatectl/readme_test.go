// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/cli"
)

// TestTheReadmeNamesWhatThereIs gives each command of the README to the program, which
// refuses a command or a flag that it does not have.
func TestTheReadmeNamesWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bin/fargatectl" {
			continue
		}
		seen++
		var problems strings.Builder
		args := append(words[1:], "--help")
		if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &problems}); code != 0 {
			t.Errorf("%s: exit status %d: %s", strings.TrimSpace(line), code, &problems)
		}
	}
	if seen < 8 {
		t.Errorf("only %d commands were found", seen)
	}
}
