package layers

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The command reads flags and files, calls the libraries and prints. It must not import these
// packages, since whatever it does with them is a decision that belongs to a library.
var decided = []string{"alloc/schedule", "rewrite/pin", "rewrite/split", "schema"}

func TestCommandIsThin(t *testing.T) {
	const most = 150 // lines a file
	files, err := filepath.Glob("../../cmd/tflarena/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > most {
			t.Errorf("%s has %d lines, more than %d: split it by what it is about", path, n, most)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
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
