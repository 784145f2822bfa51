package pin_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// arena is enough for every corpus model but those that ask for hundreds of MiB.
const arena = 1 << 30

// outcome is what the runtimes did with one model, before and after.
type outcome struct {
	Model string `json:"model"`
	// Own and Planned are arena heads in bytes, without and with our plan; Bound is
	// what no plan can go below, Saved what the whole arena shrank by.
	Own     int64 `json:"own_head_bytes,omitempty"`
	Planned int64 `json:"planned_head_bytes,omitempty"`
	Bound   int64 `json:"bound_bytes,omitempty"`
	Saved   int64 `json:"saved_total_bytes,omitempty"`
	// Pinned is how many tensors the plan of mode peak fixes.
	Pinned int `json:"pinned,omitempty"`
	// Safe and Elementwise are the heads with outputs that take over inputs, where they
	// are smaller; Takeovers is how many the model has at most.
	Safe        int64 `json:"safe_head_bytes,omitempty"`
	Elementwise int64 `json:"elementwise_head_bytes,omitempty"`
	Takeovers   int   `json:"takeovers,omitempty"`
	// Diagonal is the head with outputs that are written over inputs while they die, where
	// it is smaller; Overlaps is how many the model has at most.
	Diagonal int64 `json:"diagonal_head_bytes,omitempty"`
	Overlaps int   `json:"overlaps,omitempty"`
	// Unsteady says that TensorFlow Lite Micro's own outputs change with the places of
	// tensors: the model reads what nothing wrote, or writes past the shapes it
	// declares. Nothing can keep such outputs the same.
	Unsteady bool `json:"unsteady,omitempty"`
	// Micro and LiteRT say why a runtime does not run the model; empty when it does.
	Micro  string `json:"tflm_reason,omitempty"`
	LiteRT string `json:"litert_reason,omitempty"`
}

// TestRuntimes rewrites every corpus model and runs it, before and after, in
// TensorFlow Lite Micro and in LiteRT: the outputs are bit-identical over several
// invokes, the heads are those predicted, scratch included, and the whole arena does
// not grow. What a runtime does not run is listed with its own reason. Models that take
// minutes are tried with -audit.
func TestRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take minutes")
	}
	files := corpus.Accepted(t)
	outcomes := make([]outcome, len(files))
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if !leftOut(files[i]) {
			outcomes[i] = tryModel(t, runtimes, files[i])
		}
	})
	golden.Rows(t, filepath.Join("testdata", "runtimes.json"), outcomes, func(i int) bool { return leftOut(files[i]) })
}

// leftOut says whether a model is for -audit alone.
func leftOut(f corpus.File) bool {
	return !*golden.Audit && f.Slow()
}

func tryModel(t *testing.T, runtimes *oracle.Runtimes, f corpus.File) outcome {
	t.Helper()
	m, err := tflite.Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{Model: f.Name}
	request := oracle.Request{
		Model: f.Path, Arena: arena, Seed: 1, Invokes: sample.Invokes(m, 3),
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	micro := run(t, runtimes, request, "tflm")
	lite := run(t, runtimes, request, "litert")
	o.Micro, o.LiteRT = micro.Error, lite.Error
	o.Unsteady = micro.Error == "" && unsteady(t, runtimes, request, micro)
	prediction, err := choose(t, m, pin.Peak)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	if micro.Head > 0 {
		o.Own, o.Planned, o.Bound, o.Pinned = micro.Head, prediction.Head, prediction.Bound, prediction.Pinned
		if prediction.Own != micro.Head {
			t.Errorf("%s: predicted head %d, the runtime reports %d", f.Name, prediction.Own, micro.Head)
		}
	}
	for _, mode := range []pin.Mode{pin.Peak, pin.All} {
		choice, err := choose(t, m, mode)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		path := embed(t, m, choice)
		if path == "" {
			continue
		}
		request.Model = path
		after := run(t, runtimes, request, "tflm")
		if o.Unsteady {
			after.Outputs = micro.Outputs
		}
		saved := sameInMicro(t, f.Name, mode, micro, after, choice)
		if mode == pin.Peak {
			o.Saved = saved
		} else {
			sample.SameRun(t, f.Name+" in LiteRT", lite, run(t, runtimes, request, "litert"))
		}
	}
	if micro.Head > 0 && micro.Error == "" {
		tryAliases(t, runtimes, m, request, micro, &o)
		tryOverlaps(t, runtimes, m, request, micro, &o)
	}
	return o
}

// unsteady reports whether the runtime gives other outputs when it shares no memory.
func unsteady(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, shared oracle.Answer) bool {
	t.Helper()
	request.Linear = true
	apart := run(t, runtimes, request, "tflm")
	// The planner that shares nothing takes at most 1024 tensors.
	return apart.Error == "" && !cmp.Equal(apart.Outputs, shared.Outputs)
}

func choose(t *testing.T, m *tflite.Model, mode pin.Mode) (*pin.Choice, error) {
	t.Helper()
	return pin.Choose(t.Context(), sample.Micro(t, m), pin.Options{Mode: mode, Scratch: oracle.Device(t).Requests(m)})
}

// embed writes the model with the plan to a file of the test's own and returns its
// path, or "" where there is no plan or the file is refused.
func embed(t *testing.T, m *tflite.Model, choice *pin.Choice) string {
	t.Helper()
	if choice.Offsets == nil {
		return ""
	}
	result, err := rewrite.Embed(m, choice.Offsets, rewrite.Options{Force: true})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return sample.Written(t, result.Data)
}

func run(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, runtime string) oracle.Answer {
	t.Helper()
	request.Runtime, request.Kernels = runtime, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
	answer := runtimes.Run(t, request)
	answer.Error = strings.TrimSpace(answer.Error)
	return answer
}

// sameInMicro compares the runs and returns the bytes that the arena shrank by.
func sameInMicro(t *testing.T, name string, mode pin.Mode, before, after oracle.Answer, choice *pin.Choice) int64 {
	t.Helper()
	what := fmt.Sprintf("%s with --pin %s", name, mode)
	sample.SameRun(t, what+" in TensorFlow Lite Micro", before, after)
	if before.Head == 0 {
		return 0
	}
	if after.Head != choice.Head {
		t.Errorf("%s: predicted head %d, the runtime reports %d", what, choice.Head, after.Head)
	}
	if after.Total > before.Total {
		t.Errorf("%s: the arena grew from %d to %d bytes", what, before.Total, after.Total)
	}
	return before.Total - after.Total
}
