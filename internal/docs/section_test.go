package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/golden"
)

const module = "github.com/tflarena/tflarena"

// root is the folder of the module, seen from that of this package.
var root = filepath.Join("..", "..")

// document returns the text of a document, given by its path in the module.
func document(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkSection compares a part of a document with what it is to hold. The part stands between
// the lines "<!-- NAME -->" and "<!-- end of NAME -->"; the flag -update rewrites it.
func checkSection(t *testing.T, path, name, want string) {
	t.Helper()
	first, last := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begins := strings.Cut(document(t, path), first)
	_, after, ends := strings.Cut(rest, last)
	if !begins || !ends {
		t.Fatalf("%s has no part %s", path, name)
	}
	golden.File(t, filepath.Join(root, path), []byte(before+first+want+last+after))
}
