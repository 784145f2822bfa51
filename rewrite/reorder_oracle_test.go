package rewrite

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/tflite"
)

// reorderRun is what the runtimes did with one model in other orders.
type reorderRun struct {
	Model string `json:"model"`
	// Unsteady says that TensorFlow Lite Micro's outputs change with the places of
	// tensors, whatever the order, and did so here: those of runs in which no memory is
	// shared are compared instead.
	Unsteady bool `json:"unsteady,omitempty"`
	// Micro and LiteRT say why a runtime does not run the model; empty when it does.
	Micro  string `json:"tflm_reason,omitempty"`
	LiteRT string `json:"litert_reason,omitempty"`
}

// Every model of the corpus that has another order gives the same outputs in both real
// runtimes, bit by bit and from run to run: in the order that differs most from its own
// and in one at random.
func TestRuntimesReorder(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a minute")
	}
	oracle.Require(t)
	var models []*tflite.Model
	var files []corpus.File
	for _, f := range corpus.Models(t) {
		m := sample.OpenFile(t, f.Path)
		if m == nil {
			continue
		}
		if _, moved := validOrders(m, lateFirst); moved > 0 {
			models, files = append(models, m), append(files, f)
		}
	}
	runs := make([]reorderRun, len(models))
	leftOut := func(i int) bool { return files[i].Slow() && !*golden.Audit }
	oracle.Each(t, len(models), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if !leftOut(i) {
			runs[i] = runReordered(t, runtimes, files[i].Name, models[i])
		}
	})
	golden.Rows(t, filepath.Join("testdata", "reorder.json"), runs, leftOut)
}

// runReordered compares the runs of a model, without its plan, before and after.
func runReordered(t *testing.T, runtimes *oracle.Runtimes, name string, m *tflite.Model) reorderRun {
	t.Helper()
	base := remove(t, m)
	before := oracle.Request{
		Model: sample.Written(t, base.Data), Arena: 1 << 30, Seed: 1, Invokes: sample.Invokes(m, 2),
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	micro, lite := runIn(t, runtimes, before, "tflm"), runIn(t, runtimes, before, "litert")
	o := reorderRun{Model: name, Micro: micro.Error, LiteRT: lite.Error}
	for _, choose := range []func([]int) int{lateFirst, atRandom(rand.New(rand.NewPCG(1, 0)))} {
		orders, _ := validOrders(m, choose)
		r, _ := reorder(t, m, orders...)
		after := before
		after.Model = sample.Written(t, r.Data)
		sample.SameRun(t, name+" in LiteRT", lite, runIn(t, runtimes, after, "litert"))
		got := runIn(t, runtimes, after, "tflm")
		if micro.Error == "" && !cmp.Equal(micro.Outputs, got.Outputs) && unsteady(t, runtimes, before, micro) {
			o.Unsteady = true
			before.Linear, after.Linear = true, true
			micro, got = runIn(t, runtimes, before, "tflm"), runIn(t, runtimes, after, "tflm")
		}
		sample.SameRun(t, name+" in TensorFlow Lite Micro", micro, got)
	}
	return o
}

// unsteady reports whether a model, in its own order, has other outputs when it shares no
// memory.
func unsteady(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, shared oracle.Answer) bool {
	t.Helper()
	request.Linear = true
	apart := runIn(t, runtimes, request, "tflm")
	return apart.Error == "" && !cmp.Equal(apart.Outputs, shared.Outputs)
}

func runIn(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, runtime string) oracle.Answer {
	t.Helper()
	request.Runtime, request.Kernels = runtime, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
	answer := runtimes.Run(t, request)
	answer.Error = strings.TrimSpace(answer.Error)
	return answer
}
