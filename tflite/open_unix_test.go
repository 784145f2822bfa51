//go:build unix

package tflite

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
)

// A pipe with a name is read like a file, although it does not tell its size.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(path, encode.Encode(small()), 0) }()
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if len(m.Subgraphs) != 3 {
		t.Errorf("%d subgraphs", len(m.Subgraphs))
	}
}
