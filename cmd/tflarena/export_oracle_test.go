package main

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// TensorFlow Lite Micro computes the same with the data of an exported header as its
// metadata, with every takeover that there is, and takes the head that the header says.
func TestExportedPlansRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a minute")
	}
	files := corpus.Accepted(t)
	var same, taken atomic.Int64
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		m, err := tflite.Open(files[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		if tensorBytes(m) > 4<<20 {
			return // which would run for long, and rewrite/pin runs
		}
		request := oracle.Request{
			Runtime: "tflm", Model: files[i].Path, Arena: 1 << 30, Seed: 1, Invokes: 2,
			Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
		}
		before := runtimes.Run(t, request)
		if before.Error != "" {
			return // which is another one than the runtime runs
		}
		e := exportModel(t, files[i].Path, "--alias", "overwrite", "-s", "greedy-by-size", "--abi", "host64")
		request.Model = embedExport(t, m, e)
		after := runtimes.Run(t, request)
		request.Model, request.Linear = files[i].Path, true
		// A model whose outputs change with the places of tensors has none to compare.
		apart := runtimes.Run(t, request)
		steady := apart.Error != "" || cmp.Equal(apart.Outputs, before.Outputs)
		if diff := cmp.Diff(before.Outputs, after.Outputs); steady && (diff != "" || after.Error != "") {
			t.Errorf("%s: %s; outputs differ (-before +after):\n%s", files[i].Name, after.Error, diff)
		}
		if head := e.header.defines["ARENA_HEAD_BYTES"]; after.Head != head {
			t.Errorf("%s: C says %d bytes, the runtime reports %d", files[i].Name, head, after.Head)
		}
		same.Add(1)
		taken.Add(int64(min(len(e.json.Takeovers), 1)))
	})
	if same.Load() < 45 || taken.Load() < 30 {
		t.Errorf("%d models ran, %d with takeovers", same.Load(), taken.Load())
	}
}

// tensorBytes is about how large the tensors of a model are.
func tensorBytes(m *tflite.Model) (bytes int64) {
	for i := range m.Subgraphs[0].Tensors {
		if n, ok := m.Subgraphs[0].Tensors[i].PackedBytes(); ok {
			bytes += n
		}
	}
	return bytes
}

// embedExport writes the model with the data of the header as its plan, and returns the path.
func embedExport(t *testing.T, m *tflite.Model, e exports) string {
	t.Helper()
	var offsets []int32
	for _, n := range e.header.array[3:] {
		offsets = append(offsets, int32(n))
	}
	result, err := rewrite.Embed(m, offsets, rewrite.Options{Force: true})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return write(t, filepath.Join(t.TempDir(), "planned.tflite"), result.Data)
}
