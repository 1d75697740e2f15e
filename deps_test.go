// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package eksfargate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/eksfargate/eksfargate"

// allowedDirect are the direct dependencies of the root module, each with the
// reason why it is one.
func allowedDirect() map[string]string {
	return map[string]string{
		"github.com/aws/aws-sdk-go-v2":             "the client types that the interfaces name",
		"github.com/aws/aws-sdk-go-v2/service/eks": "the operations of a Fargate profile",
		"github.com/aws/aws-sdk-go-v2/service/iam": "the operations of a pod execution role",
		"github.com/aws/aws-sdk-go-v2/service/sts": "the identity of a caller, in the fake",
		"github.com/aws/smithy-go":                 "APIError, by whose code errors are classified",
		"golang.org/x/time":                        "the rate limit that many waits share",
		"github.com/google/go-cmp":                 "tests only: readable differences",
		"go.uber.org/mock":                         "fake/mock and tests of call order",
		"pgregory.net/rapid":                       "tests only: properties",
		"go.uber.org/goleak":                       "tests only: no goroutine outlives its call",
	}
}

func TestDirectDependenciesAreAllowed(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	allowed := allowedDirect()
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") || strings.Contains(line, "// indirect") {
			continue
		}
		if allowed[fields[0]] == "" {
			t.Errorf("go.mod requires %s, which is not on the list of allowed dependencies", fields[0])
		}
	}
}

// allowedImports says what the code (not the tests) of a package may import
// from this module. A package that is missing here may import nothing of it.
func allowedImports() map[string][]string {
	return map[string][]string{
		"selector/admissible": {"selector"},
		"fargate":             {"selector", "internal/owner", "internal/tagdiff"},
		"iam":                 {"internal/owner", "internal/tagdiff"},
		"internal/tagdiff":    {"internal/owner"},
		"waiter":              {"fargate", "iam", "internal/awscall", "internal/awserr", "internal/sdkconv"},
		"internal/sdkconv":    {"fargate", "iam", "selector"},
		"fargate/lifecycle":   {"fargate", "iam", "selector", "waiter", "internal/awscall", "internal/awserr", "internal/sdkconv"},
		"iam/role":            {"fargate", "iam", "waiter", "internal/awscall", "internal/awserr", "internal/sdkconv"},
		"fake/mock":           {"fargate", "fargate/lifecycle", "iam", "iam/role"},
		"fake/crashtest":      {"fake", "fargate", "fargate/lifecycle"},
		"internal/testkit":    {"fake", "fargate", "fargate/lifecycle", "iam", "iam/role", "selector", "waiter"},
	}
}

// purePackages use the standard library and their arrow above, and of the
// standard library nothing that does I/O, reads a clock or logs.
func purePackages() []string {
	return []string{"selector", "selector/admissible", "fargate", "iam", "internal/owner", "internal/tagdiff"}
}

func impure() []string {
	return []string{"context", "log", "log/slog", "net", "net/http", "os", "os/exec", "io/ioutil", "syscall"}
}

func TestImportDirection(t *testing.T) {
	allowed := allowedImports()
	for _, f := range sourceFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(f.path))
		if f.isTest() || isNested(dir) {
			continue
		}
		for _, spec := range f.ast.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatalf("%s: %v", f.path, err)
			}
			inner, ours := strings.CutPrefix(path, module+"/")
			if ours && !slices.Contains(allowed[dir], inner) {
				t.Errorf("%s imports %s: against the direction of imports", f.path, inner)
			}
			if slices.Contains(purePackages(), dir) && impureImport(path, ours) {
				t.Errorf("%s is pure and imports %s", f.path, path)
			}
		}
	}
}

func impureImport(path string, ours bool) bool {
	external := strings.Contains(strings.Split(path, "/")[0], ".")
	return slices.Contains(impure(), path) || external && !ours
}

// isNested reports whether dir belongs to a module of its own.
func isNested(dir string) bool {
	for d := dir; d != "."; d = filepath.ToSlash(filepath.Dir(d)) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return true
		}
	}
	return false
}
