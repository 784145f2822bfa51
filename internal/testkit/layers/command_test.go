package layers

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The command reads flags and files, calls the libraries and prints. It must not import these
// packages, since whatever it does with them is a decision that belongs to a library.
var decided = []string{"alloc/schedule", "rewrite/pin", "rewrite/split", "schema"}

func TestCommandIsThin(t *testing.T) {
	files, err := filepath.Glob("../../../cmd/tflarena/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range decided {
				if imported == module+"/"+name {
					t.Errorf("%s imports %s: what it does with that belongs to a library", path, name)
				}
			}
		}
	}
}
