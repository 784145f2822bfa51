package rewrite

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// No runtime reads the marker: with it and without it, a planned model has the same head,
// the same tail and the same outputs in both real runtimes, whatever stands in the marker.
func TestRuntimesMarker(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a minute")
	}
	oracle.Require(t)
	var models []*tflite.Model
	for _, f := range corpus.Models(t) {
		const most = 40 << 10 // larger files take long, and their metadata is read alike
		if f.Slow() {
			continue
		}
		if m := sample.OpenFile(t, f.Path); m != nil && len(m.Data) < most && !refusedFiles[f.Name] {
			models = append(models, m)
		}
	}
	var ran atomic.Int64
	oracle.Each(t, len(models), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if runMarked(t, runtimes, models[i]) {
			ran.Add(1)
		}
	})
	if n := ran.Load(); n < 30 {
		t.Errorf("TensorFlow Lite Micro ran %d models, which are 30 at least", n)
	}
}

// runMarked compares the runs of a planned model without a marker, with one, and with one
// that nobody can read, and reports whether TensorFlow Lite Micro runs the model.
func runMarked(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model) bool {
	t.Helper()
	offsets := sample.Naive(t, m)
	plain, _ := embed(t, m, offsets)
	r, out := mark(t, m, offsets, diagonal)
	spoiled := bytes.Clone(r.Data)
	spoiled[out.Buffers[out.Metadata[patch.MarkerEntries(out)[0]].Buffer].Offset] = 0xff
	request := oracle.Request{
		Arena: 64 << 20, Seed: 1, Invokes: 1,
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	run := func(data []byte, runtime string) oracle.Answer {
		request.Model = sample.Written(t, data)
		return runIn(t, runtimes, request, runtime)
	}
	micro, lite := run(plain.Data, "tflm"), run(plain.Data, "litert")
	for what, diff := range map[string]string{
		"a marker":                     cmp.Diff(micro, run(r.Data, "tflm")),
		"a marker that cannot be read": cmp.Diff(micro, run(spoiled, "tflm")),
		"a marker, in LiteRT":          cmp.Diff(lite, run(r.Data, "litert")),
	} {
		if diff != "" {
			t.Errorf("%s with %s (-without +with):\n%s", m.Name, what, diff)
		}
	}
	return micro.Error == ""
}
