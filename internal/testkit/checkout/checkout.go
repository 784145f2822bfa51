// Package checkout locates the project's own files for tests.
package checkout

import (
	"os"
	"path/filepath"
)

// Path joins elements to the absolute path of the checkout. It does not depend on the current working directory.
func Path(elements ...string) string {
	return filepath.Join(append([]string{root}, elements...)...)
}

// Variable is the environment variable that overrides the path of the checkout, for processes started in other directories.
const Variable = "TFLARENA_CHECKOUT"

// root is the nearest directory with a go.mod, from the initial working directory upwards. runtime.Caller does not help:
// -trimpath removes the directory from its paths.
var root = find()

func find() string {
	if dir := os.Getenv(Variable); dir != "" {
		return dir
	}
	start, err := os.Getwd()
	if err != nil {
		return ""
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return start
		}
	}
}
