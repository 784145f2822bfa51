//go:build unix

package webapp

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestBuildStops ends a build as Ctrl-C does: nothing of it is left.
func TestBuildStops(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("GOCACHE", t.TempDir()) // so that there is something to do
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := build(ctx)
		ended <- err
	}()
	for made := []string(nil); len(made) == 0 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		made, _ = filepath.Glob(filepath.Join(dir, "*", "go-build*"))
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("it did not stop")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
