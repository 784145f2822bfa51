package workers

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPanicsReachTheWaiter: a panic in one goroutine is that of the one that waits, when all have ended.
func TestPanicsReachTheWaiter(t *testing.T) {
	wrong := errors.New("wrong")
	var g Group
	var done atomic.Int32
	for i := range 8 {
		g.Go(func() {
			done.Add(1)
			if i == 3 {
				panic(wrong)
			}
		})
	}
	if cause := Run(g.Wait); cause != wrong || done.Load() != 8 {
		t.Errorf("%v after %d functions", cause, done.Load())
	}
	var none Group
	none.Go(func() {})
	if cause := Run(none.Wait); cause != nil {
		t.Errorf("%v", cause)
	}
}

// unread are the files that start goroutines of their own, which read no model.
var unread = map[string]string{
	"internal/testkit/expiry/expiry.go":          "contexts of tests",
	"alloc/internal/exact/parallel_probes.go":    "records and offsets",
	"internal/output/stream.go":                  "reads a model in workers.Run",
	"cmd/tflarena/read_file.go":                  "reads a model in workers.Run",
	"alloc/replay/trace/prefault.go":             "asks the system for memory",
	"internal/progress/progress.go":              "one line of text",
	"internal/webapp/serve.go":                   "files of the application",
	"internal/webapp/planners.go":                "waits for the end of a connection",
	"internal/workers/workers.go":                "starts all others",
	"internal/testkit/oracle/oracle.go":          "runs other programs",
	"internal/testkit/oracle/cmsisnn/cmsisnn.go": "runs other programs",
}

// TestGoroutinesAreWorkers: no other file starts a goroutine that a fault in a mapped model would end with the
// process.
func TestGoroutinesAreWorkers(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if entry != nil && entry.IsDir() && (name == "site" || name == ".venv" || name == "testdata" || strings.HasSuffix(name, "/testdata")) {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || unread[name] != "" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine: use workers.Group", name)
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && of.Name == "sync" && n.Sel.Name == "WaitGroup" {
					t.Errorf("%s has a sync.WaitGroup: use workers.Group", name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
