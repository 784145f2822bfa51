package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// An interrupt leaves the file as it was, whenever it comes.
func TestRewriteInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.tflite")
	codes := map[int]int{}
	for asked := range 80 {
		write(t, path, small()["branch"])
		got := executeIn(&fuse{context.Background(), asked}, noTerminal(), nil, "rewrite", path, "--in-place", "--scratch", "none")
		codes[got.code]++
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if same := bytes.Equal(data, small()["branch"]); same != (got.code == exitInterrupted) || got.code != exitInterrupted && got.code != exitOK {
			t.Errorf("after %d: exit %d, file unchanged: %v: %s", asked, got.code, same, got.stderr)
		}
	}
	if codes[exitInterrupted] == 0 || codes[exitOK] == 0 {
		t.Errorf("exit codes %v", codes)
	}
}
