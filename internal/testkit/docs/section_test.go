package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

const module = "github.com/tflarena/tflarena"

// root is the folder of the module, seen from that of this package.
var root = filepath.Join("..", "..", "..")

// document returns the text of a document, given by its path in the module.
func document(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// watch looks at every folder of the module. The go command runs a test again when something has
// changed that the test itself has looked at; it does not know what the programs read that the
// test starts.
func watch(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
