package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
