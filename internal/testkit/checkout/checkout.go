// Package checkout finds the files of the project, which tests read.
package checkout

import (
	"os"
	"path/filepath"
)

// Path returns the absolute path of a file of the project, from the elements of its path in the checkout. It stays when a test
// changes the working directory.
func Path(elements ...string) string {
	return filepath.Join(append([]string{root}, elements...)...)
}

// Variable is the environment variable with the path of the checkout for a process that starts elsewhere.
const Variable = "TFLARENA_CHECKOUT"

// root is the folder of go.mod, in or below which tests start. Paths of source files do not lead there, since -trimpath
// shortens them.
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
