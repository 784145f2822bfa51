package docs

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// A library is a package of the module, or a command, with the first sentence of its comment.
type library struct{ path, sentence string }

// areas are the folders at the top of the module, in the order in which data flows.
var areas = []struct{ folder, title string }{
	{"schema", "The file format"},
	{"tflite", "Reading models"},
	{"lifetime", "When tensors are alive"},
	{"alloc", "Planning"},
	{"rewrite", "Writing models"},
	{"models", "Built-in models"},
	{"cmd", "The command"},
	{"examples", "Programs that use the library"},
	{"internal", "What the command and the tests are made of"},
	{"benchmarks", "Measured documents"},
}

// TestPackages: the list of packages in docs/architecture.md is complete, and has the first sentence of
// each package's comment.
func TestPackages(t *testing.T) {
	var b strings.Builder
	last := -1
	for _, p := range libraries(t) {
		if i := area(t, p.path); i != last {
			fmt.Fprintf(&b, "\n### %s\n\n", areas[i].title)
			last = i
		}
		name := p.path[strings.LastIndex(p.path, "/")+1:]
		says, isPackage := strings.CutPrefix(p.sentence, "Package "+name+" ")
		if !isPackage {
			says, isPackage = strings.CutPrefix(p.sentence, "Command "+name+" ")
		}
		if !isPackage || !strings.HasSuffix(says, ".") {
			t.Errorf("%s: the comment begins with %q, not with a sentence %q", p.path, p.sentence, "Package "+name+" ... .")
		}
		fmt.Fprintf(&b, "- `%s` %s\n", p.path, says)
	}
	golden.Section(t, filepath.Join(root, "docs", "architecture.md"), "packages", b.String()+"\n")
}

// libraries returns all packages of the module, each area with the folders below it.
func libraries(t *testing.T) []library {
	t.Helper()
	watch(t)
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Doc}}", module+"/...")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var list []library
	for line := range strings.Lines(string(out)) {
		path, sentence, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		path = strings.TrimPrefix(path, module+"/")
		if sentence == "" {
			sentence = testsComment(t, path)
		}
		list = append(list, library{path, sentence})
	}
	slices.SortFunc(list, func(a, b library) int {
		return cmp.Or(cmp.Compare(area(t, a.path), area(t, b.path)), cmp.Compare(a.path, b.path))
	})
	return list
}

// area returns the place of a package's folder among the areas.
func area(t *testing.T, path string) int {
	top, _, _ := strings.Cut(path, "/")
	for i, a := range areas {
		if a.folder == top {
			return i
		}
	}
	t.Fatalf("%s is in none of the areas %v", path, areas)
	return -1
}

// testsComment returns the first sentence of the comment of a package that has tests alone, which
// the go command does not list.
func testsComment(t *testing.T, path string) string {
	t.Helper()
	for _, f := range parseTests(t, path) {
		if f.Doc != nil {
			return new(doc.Package).Synopsis(f.Doc.Text())
		}
	}
	return ""
}

// parseTests returns the files with the tests of a package.
func parseTests(t *testing.T, path string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, path, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}
