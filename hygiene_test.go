// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package eksfargate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	licenceHeader   = "// Copyright The eksfargate Authors.\n// SPDX-License-Identifier: Apache-2.0\n"
	maxFileLines    = 400
	maxFunctionSpan = 60
)

// sourceFile is one Go file of any module of this repository.
type sourceFile struct {
	path string
	text string
	fset *token.FileSet
	ast  *ast.File
}

func (f sourceFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// isGenerated reports whether a tool wrote the file: its size and documentation
// are the tool's.
func (f sourceFile) isGenerated() bool { return ast.IsGenerated(f.ast) }

func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipDir(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, sourceFile{path: path, text: string(text), fset: fset, ast: parsed})
		return nil
	})
	if err != nil {
		t.Fatalf("reading the sources: %v", err)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: the checks would check nothing")
	}
	return files
}

func skipDir(path, name string) bool {
	if path == "." {
		return false
	}
	return strings.HasPrefix(name, ".") || name == "testdata" || name == "bin" || name == "node_modules"
}

func TestEveryFileHasTheLicenceHeader(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if !strings.HasPrefix(f.text, licenceHeader) && !f.isGenerated() {
			t.Errorf("%s does not start with the licence header", f.path)
		}
	}
}

func TestNoFileIsTooLong(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if n := strings.Count(f.text, "\n"); n > maxFileLines && !f.isGenerated() {
			t.Errorf("%s has %d lines, more than %d", f.path, n, maxFileLines)
		}
	}
}

func TestNoFunctionIsTooLong(t *testing.T) {
	for _, f := range sourceFiles(t) {
		// A test's length is its table of cases.
		if f.isTest() || f.isGenerated() {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1; n > maxFunctionSpan {
				t.Errorf("%s: function %s spans %d lines, more than %d", f.path, fn.Name.Name, n, maxFunctionSpan)
			}
		}
	}
}

func TestEveryPackageHasOneDoc(t *testing.T) {
	docs := map[string][]string{}
	for _, f := range sourceFiles(t) {
		if f.isTest() {
			continue
		}
		dir := filepath.Dir(f.path)
		if _, seen := docs[dir]; !seen {
			docs[dir] = nil
		}
		if f.ast.Doc != nil && packageDoc(f.ast.Doc.Text()) {
			docs[dir] = append(docs[dir], f.path)
		}
	}
	for dir, paths := range docs {
		if len(paths) != 1 {
			t.Errorf("package in %s has %d package comments, want 1: %v", dir, len(paths), paths)
		}
	}
}

// packageDoc reports whether text documents a package or a command, as opposed
// to a licence header that happens to touch the package clause.
func packageDoc(text string) bool {
	return strings.HasPrefix(text, "Package ") || strings.HasPrefix(text, "Command ")
}

func TestEveryExportedIdentifierIsDocumented(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if f.isTest() || f.isGenerated() || f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: exported %s has no doc comment", f.path, name)
			}
		}
	}
}

// undocumented lists the exported names of a declaration without a comment. A
// comment on a group, or on the line of a value, counts for its members.
func undocumented(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if index, ok := typ.(*ast.IndexExpr); ok {
		typ = index.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}

func TestRootModuleReplacesNothing(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), "replace") {
			t.Errorf("go.mod has %q: a replace in the root is ignored by everybody who imports it", strings.TrimSpace(line))
		}
	}
}
