// Package venv finds the virtual environment of the project, in which tests run what others have
// written in Python or packed for it.
//
// ".ci/oracles" makes it. TFLARENA_PYTHON names the interpreter of another one.
package venv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Require returns the path of the interpreter, given what a test needs, for a sentence, and a program
// that fails where that is not installed. It skips the test there, saying so, or fails it when
// TFLARENA_REQUIRE_ORACLE is 1.
func Require(t testing.TB, what, program string) string {
	t.Helper()
	path := interpreter()
	switch err := run(path, what, program); {
	case err == nil:
	case os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
	return path
}

// interpreter is the one that TFLARENA_PYTHON names, or else that of the project.
func interpreter() string {
	if path := os.Getenv("TFLARENA_PYTHON"); path != "" {
		return path
	}
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "..", ".venv", "bin", "python")
}

// ran has the outcome of each program, which is run once.
var ran sync.Map

// run says by an error that a program fails.
func run(path, what, program string) error {
	once := sync.OnceValue(func() error {
		if out, err := exec.Command(path, "-c", program).CombinedOutput(); err != nil {
			return fmt.Errorf("left out: %s not installed (run .ci/oracles, or set TFLARENA_PYTHON): %w %s", what, err, out)
		}
		return nil
	})
	first, _ := ran.LoadOrStore([2]string{path, program}, once)
	return first.(func() error)()
}
