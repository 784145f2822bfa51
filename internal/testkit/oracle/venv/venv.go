// Package venv finds the virtual environment of the project, in which tests run third-party Python
// packages and binaries.
//
// ".ci/oracles" creates it. TFLARENA_PYTHON names the interpreter of another one.
package venv

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/checkout"
)

// Require returns the path of the interpreter. what names the requirement in a sentence, and program
// fails if it is not installed. Then Require skips the test with a message, or fails it if
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

// interpreter is TFLARENA_PYTHON, or else the project's interpreter.
func interpreter() string {
	if path := os.Getenv("TFLARENA_PYTHON"); path != "" {
		return path
	}
	return checkout.Path(".venv", "bin", "python")
}

// ran has the outcome of each program, which runs once.
var ran sync.Map

// run returns an error if a program fails.
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
