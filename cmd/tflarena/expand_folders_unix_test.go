//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/exp/slices"
)

// TestFoldersHaveRegularFiles: only regular files and links to them are read from a folder. Others may
// have no writer, and reading them would block forever.
func TestFoldersHaveRegularFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.tflite"), small()["chain"])
	write(t, filepath.Join(dir, "kept"), small()["branch"])
	for link, to := range map[string]string{"a.tflite": "kept", "c.tflite": "pipe.tflite", "d.tflite": "."} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.tflite"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := expand([]string{dir}, ".tflite")
	if want := []string{filepath.Join(dir, "a.tflite"), filepath.Join(dir, "b.tflite")}; err != nil || !slices.Equal(list, want) {
		t.Fatalf("%v, %v, not %v", list, err, want)
	}
	for _, command := range []string{"analyze", "check", "compare", "verify", "report -o json=-"} {
		if got := execute(noTerminal(), nil, append(strings.Fields(command), dir)...); got.code != exitOK && got.code != exitCheck {
			t.Errorf("%s: exit code %d: %s", command, got.code, got.stderr)
		}
	}
}
