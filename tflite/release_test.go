package tflite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestRelease reads a mapped file after its memory was let go, and lets memory go that is no
// mapping's.
func TestRelease(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789abcde\n"), (MapSize+4096)/16)
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := Load(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]int{{0, len(data)}, {1, 4097}, {5000, 5001}, {len(data), len(data)}, {-1, 3}, {7, len(data) + 1}, {9, 3}} {
		Release(data, r[0], r[1])
	}
	copied := bytes.Clone(want[:1<<20])
	Release(copied, 0, len(copied))
	Release(data[1:], 0, 1<<20)
	Release(nil, 0, 0)
	if !bytes.Equal(data, want) || !bytes.Equal(copied, want[:1<<20]) {
		t.Error("what was released is not the same any more")
	}
}
