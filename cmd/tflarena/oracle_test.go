package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// The heads that the command prints are those that TensorFlow Lite Micro reports of the
// files before and after, and it reports no larger one for the new file. Scratch is what
// the command counts when it is not told: only the size of a pointer, which is that of
// the machine here, is named. The outputs of the models are compared in rewrite/pin.
func TestPrintedHeads(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a minute")
	}
	files := corpus.Accepted(t)
	var run, changed atomic.Int64
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		before := head(t, runtimes, files[i].Path)
		if before.Head == 0 {
			return // which is another one than the runtime runs
		}
		run.Add(1)
		for _, mode := range []string{"peak", "all"} {
			if comparePrinted(t, runtimes, files[i], mode, before.Head) {
				changed.Add(1)
			}
		}
	})
	if run.Load() < 50 || changed.Load() < 50 {
		t.Errorf("%d models ran, and %d changed ones", run.Load(), changed.Load())
	}
}

// head returns the runtime's answer for a loaded model.
func head(t *testing.T, runtimes *oracle.Runtimes, path string) oracle.Answer {
	t.Helper()
	const arena = 1 << 30
	return runtimes.Run(t, oracle.Request{Runtime: "tflm", Model: path, Arena: arena})
}

// comparePrinted rewrites a model and reports whether it changed.
func comparePrinted(t *testing.T, runtimes *oracle.Runtimes, f corpus.File, mode string, before int64) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, "rewrite", "--allow-faults", f.Path, "-o", path, "--json", "--pin", mode, "--pointer", "8")
	if got.code != exitOK {
		t.Errorf("%s --pin %s: exit %d: %s", f.Name, mode, got.code, got.stderr)
		return false
	}
	var r results.Rewrite
	if err := readOnly([]byte(got.stdout), &r); err != nil {
		t.Fatal(err)
	}
	after := head(t, runtimes, path)
	if r.Before.Head != before || r.After.Head != after.Head || after.Head > before {
		t.Errorf("%s --pin %s: printed %d and %d, the runtime reports %d and %d %s",
			f.Name, mode, r.Before.Head, r.After.Head, before, after.Head, after.Error)
	}
	old, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return !bytes.Equal(old, data)
}
