// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package eksfargate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every link from one page to a file of the project leads somewhere.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s#]+)(?:#[^)]*)?\)`)
	code := regexp.MustCompile("`[^`\n]*`")
	links := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil { //nolint:gosec // the links are those of our own documents
				t.Errorf("%s: a link leads nowhere: %v", path, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 20 {
		t.Errorf("only %d links were found: the test does not read them any more", links)
	}
}
