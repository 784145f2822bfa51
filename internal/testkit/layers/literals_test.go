package layers

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLiterals finds literals of structs with more than three values and no names of fields: who
// reads one has to look up what each value is, and who changes the struct may mix them up.
func TestLiterals(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: it compiles everything")
	}
	built := map[string]string{}
	for _, line := range lines(t, "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", module+"/...") {
		path, file, _ := strings.Cut(line, "=")
		built[path] = file
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(built[path]) })
	for _, line := range lines(t, "list", "-f", "{{.ImportPath}}={{.Dir}}={{join .GoFiles \"=\"}}", module+"/...") {
		parts := strings.Split(line, "=")
		path, dir, names := parts[0], parts[1], parts[2:]
		if names[0] == "" {
			continue
		}
		var files []*ast.File
		for _, name := range names {
			// Files that a generator makes are checked for the others' sake alone.
			file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		config := types.Config{Importer: imports}
		if _, err := config.Check(path, fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if ast.IsGenerated(file) {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.CompositeLit); ok && obscure(literal, info) {
					t.Errorf("%s: %d values without the names of their fields", fset.Position(literal.Pos()), len(literal.Elts))
				}
				return true
			})
		}
	}
}

// obscure reports whether a literal is one of a struct with many values and no names.
func obscure(literal *ast.CompositeLit, info *types.Info) bool {
	const most = 3
	if len(literal.Elts) <= most {
		return false
	}
	if _, named := literal.Elts[0].(*ast.KeyValueExpr); named {
		return false
	}
	of := info.TypeOf(literal).Underlying()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem().Underlying() // elements of a list of pointers
	}
	_, ok := of.(*types.Struct)
	return ok
}

func lines(t *testing.T, args ...string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(run(t, args...)), "\n")
}
