//go:build unix

package main

import (
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
)

// TestSegmentsAtOnce: whichever of several runs that write into one folder is the last, the files of its manifest
// are there, and no others.
func TestSegmentsAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	for range 6 {
		var wait sync.WaitGroup
		for _, budget := range []string{"64MiB", "7500KiB", "9MiB"} {
			wait.Go(func() {
				if got := intoSegments("builtin:blazeface", dir, budget); got.code != exitOK {
					t.Errorf("%+v", got)
				}
			})
		}
		wait.Wait()
		if now := listed(t, dir); !slices.Equal(files(t, dir), now) {
			t.Errorf("the folder has %v, and the manifest lists %v", files(t, dir), now)
		}
	}
}

// TestSegmentsWait: a run changes nothing in a folder while another one has locked it.
func TestSegmentsWait(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	if got := intoSegments("builtin:blazeface", dir, "64MiB"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	unlock, err := output.LockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	before := read(t, filepath.Join(dir, manifestFile))
	line := []string{"stream", "builtin:blazeface", "--macs-per-second", "1e9", "--bandwidth", "1MiB", "--budget", "7500KiB", "--segments", dir}
	free := expiry.Interrupted(1 << 30)
	if got := executeIn(free, noTerminal(), nil, append(line[:len(line)-1:len(line)-1], filepath.Join(t.TempDir(), "others"))...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	waits := expiry.Interrupted(free.Asked() + 3) // as often as a run that does not wait, and a few more
	if got := executeIn(waits, noTerminal(), nil, line...); got.code != exitInterrupted {
		t.Errorf("%+v", got)
	}
	if after := read(t, filepath.Join(dir, manifestFile)); string(after) != string(before) {
		t.Error("the manifest was replaced")
	}
	unlock()
	if got := executeIn(expiry.Interrupted(1<<30), noTerminal(), nil, line...); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if now := listed(t, dir); !slices.Equal(files(t, dir), now) {
		t.Errorf("the folder has %v, and the manifest lists %v", files(t, dir), now)
	}
}
