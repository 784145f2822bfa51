package pin_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/oracle"
)

var oneOperator = flag.Int("oneop", 300, "compare the arenas of `N` random models of one operator with the real runtime's")

// TestSmallestArenas asks the runtime itself: every model of the corpus that it runs, and
// those that once showed a fault, allocate in an arena of the size that is said to be the
// smallest, do not in one of 16 bytes less, and use as much as is said.
func TestSmallestArenas(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a while")
	}
	var paths []string
	for _, f := range corpus.Accepted(t) {
		paths = append(paths, f.Path)
	}
	paths = append(paths, corpus.Found(t)...)
	var ran atomic.Int64
	oracle.Each(t, len(paths), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if askArena(t, runtimes, paths[i], false) {
			ran.Add(1)
		}
	})
	if n := ran.Load(); n < 74 {
		t.Errorf("the runtime allocated %d models, which are 74 at least", n)
	}
}

// TestSmallestArenasOfOneOperator does the same with random models of one operator.
func TestSmallestArenasOfOneOperator(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a while")
	}
	dir := t.TempDir()
	var ran atomic.Int64
	// Some of those drawn are refused by the runtime.
	oracle.Each(t, 2**oneOperator, func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if ran.Load() >= int64(*oneOperator) {
			return
		}
		r := rand.New(rand.NewPCG(uint64(i), 14))
		name, model := drawOperator(r)
		path := filepath.Join(dir, fmt.Sprintf("%d-%s.tflite", i, name))
		if err := os.WriteFile(path, encode.Encode(model), 0o644); err != nil {
			t.Fatal(err)
		}
		// Of these kernels one array is written in Eval alone: see lucky.
		mayFit := strings.HasPrefix(name, "BATCH_MATMUL") || strings.HasPrefix(name, "EMBEDDING_LOOKUP")
		if askArena(t, runtimes, path, mayFit) {
			ran.Add(1)
		}
	})
	if n := ran.Load(); n < int64(*oneOperator) {
		t.Errorf("the runtime allocated %d models, want %d", n, *oneOperator)
	}
}

// askArena compares the arena of a model with the runtime's, and reports whether the runtime
// allocates the model at all. lower says that 16 bytes less may do as well.
func askArena(t *testing.T, runtimes *oracle.Runtimes, path string, lower bool) bool {
	t.Helper()
	a := arenaOf(t, path, oracle.Target(t))
	if a.Smallest > arena {
		return false
	}
	got := runtimes.Allocates(t, path, a.Smallest, a.Smallest-16, arena)
	if !got[2] {
		return false
	}
	name := filepath.Base(path)
	if !got[0] {
		t.Errorf("%s: the runtime does not allocate in %d bytes, said to be the smallest arena", name, a.Smallest)
	}
	if got[1] && !lower {
		t.Errorf("%s: the runtime allocates in %d bytes, less than %d, said to be the smallest arena", name, a.Smallest-16, a.Smallest)
	}
	answer := runtimes.Run(t, oracle.Request{Runtime: "tflm", Model: path, Arena: arena})
	if answer.Head != a.Head || answer.Tail != a.Tail || answer.Total != a.Used() {
		t.Errorf("%s: head %d, tail %d, arena %d; the runtime says %d, %d, %d",
			name, a.Head, a.Tail, a.Used(), answer.Head, answer.Tail, answer.Total)
	}
	return true
}
