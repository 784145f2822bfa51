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

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/tflite"
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
		if askArena(t, runtimes, paths[i], false, 0) {
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
	var ran, decompressed atomic.Int64
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
		var decompression int64
		if strings.Contains(name, "DECODE") {
			decompression = int64(r.IntN(2) * (1 + r.IntN(1<<(2+r.IntN(9)))))
		}
		if askArena(t, runtimes, path, true, decompression) {
			ran.Add(1)
			decompressed.Add(min(decompression, 1))
		}
	})
	if n := decompressed.Load(); n < int64(*oneOperator)/100 {
		t.Errorf("%d models with a decompression memory", n)
	}
	if n := ran.Load(); n < int64(*oneOperator) {
		t.Errorf("the runtime allocated %d models, want %d", n, *oneOperator)
	}
}

// askArena compares the arena of a model with the runtime's, and reports whether the runtime
// allocates the model at all. With results the model runs too: in the required arena and in the next
// few it computes what it does in a large one, and in one of 16 bytes less it does not. The runtime has a
// decompression memory of so many bytes.
func askArena(t *testing.T, runtimes *oracle.Runtimes, path string, results bool, decompression int64) bool {
	t.Helper()
	device := oracle.Device(t)
	device.DecompressionMemory = decompression
	a := arenaOf(t, path, device)
	if a.Required > arena {
		return false
	}
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	request := oracle.Request{Model: path, Decompression: decompression}
	sizes := []int64{arena, a.Required - 16, a.Required}
	if results {
		request.Inputs, request.Outputs, request.Seed, request.Invokes = len(m.Subgraphs[0].Inputs), len(m.Subgraphs[0].Outputs), 1, 1
		for more := int64(16); more <= 128; more += 16 {
			sizes = append(sizes, a.Required+more)
		}
	}
	got := runtimes.Tries(t, request, sizes...)
	if got[0] == "" {
		return false
	}
	name := filepath.Base(path)
	for i, result := range got[2:] {
		if result != got[0] {
			t.Errorf("%s: in %d bytes: %q, in many: %q, and %d are said to be the required arena", name, sizes[2+i], result, got[0], a.Required)
		}
	}
	if got[1] == got[0] && !accident(m) {
		t.Errorf("%s: the runtime does as well in %d bytes, less than %d, said to be the required arena", name, a.Required-16, a.Required)
	}
	answer := runtimes.Run(t, oracle.Request{Runtime: "tflm", Model: path, Arena: arena, Decompression: decompression})
	if answer.Head != a.Head || answer.Tail != a.Tail || answer.Total != a.Used {
		t.Errorf("%s: head %d, tail %d, arena %d; the runtime says %d, %d, %d",
			name, a.Head, a.Tail, a.Used, answer.Head, answer.Tail, answer.Total)
	}
	return true
}

// accident reports whether a model may run in 16 bytes less than the required arena by accident: the
// lookup reads the type of an output after it was overwritten by the number of its dimensions, and may
// take that for another type that is as good, such as UINT8 for INT8 with 3 dimensions, if it only copies.
func accident(m *tflite.Model) bool {
	s := &m.Subgraphs[0]
	o := &s.Operators[0]
	output := &s.Tensors[o.Outputs[0]]
	table := output.Table()
	return o.Name == "EMBEDDING_LOOKUP" && (table.Quantization(nil) == nil || output.Type == s.Tensors[o.Inputs[1]].Type)
}

// TestLuckyArenas shows that an arena in which AllocateTensors succeeds may be too small. BATCH_MATMUL
// allocates in one, crashes in the next larger, and runs from the required arena on. The lookup, whose
// table is filled here, loses its scale.
func TestLuckyArenas(t *testing.T) {
	runtimes := oracle.Start(t)
	for _, c := range []struct {
		path  string
		least int64 // in which AllocateTensors succeeds
	}{
		{filepath.Join(corpus.Dir(t), "prepare", "ops", "BATCH_MATMUL.i8.adj00.tflite"), 1248},
		{filepath.Join(corpus.Dir(t), "found", "second", "EMBEDDING_LOOKUP.i8-f32.tflite"), 1040},
	} {
		m, err := tflite.Open(c.path)
		if err != nil {
			t.Fatal(err)
		}
		data := slices.Clone(m.Data)
		for _, b := range m.Buffers {
			for i := range b.Data {
				data[b.Offset+int64(i)] = byte(1 + i)
			}
		}
		path := filepath.Join(t.TempDir(), "filled.tflite")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		smallest := arenaOf(t, path, oracle.Device(t)).Required
		sub := &m.Subgraphs[0]
		request := oracle.Request{Model: path, Inputs: len(sub.Inputs), Outputs: len(sub.Outputs), Invokes: 1}
		got := runtimes.Tries(t, request, arena, c.least, smallest-16, smallest, smallest+16, smallest+32)
		if got[1] == "" || got[2] == got[0] {
			t.Errorf("%s: in %d bytes: %q, in %d: %q, in many: %q", c.path, c.least, got[1], smallest-16, got[2], got[0])
		}
		for i, result := range got[3:] {
			if result != got[0] {
				t.Errorf("%s: in %d bytes: %q, in many: %q", c.path, smallest+16*int64(i), result, got[0])
			}
		}
	}
}
