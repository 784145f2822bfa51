package docs

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples: every public package has an example whose output is checked. Package schema is
// generated code that others are not meant to use, and benchmarks has documents alone.
func TestExamples(t *testing.T) {
	public := 0
	for _, p := range libraries(t) {
		if p.path == "schema" || p.path == "benchmarks" || strings.HasPrefix(p.sentence, "Command ") || strings.Contains("/"+p.path, "/internal/") {
			continue
		}
		public++
		if !hasExample(t, filepath.Join(root, p.path)) {
			t.Errorf("%s has no example whose output is checked", p.path)
		}
	}
	if public < 20 {
		t.Errorf("there are %d public packages: the list is too short", public)
	}
}

// hasExample reports whether the tests in a folder have an example with output.
func hasExample(t *testing.T, dir string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for _, e := range doc.Examples(files...) {
		if e.Output != "" {
			return true
		}
	}
	return false
}
