package slim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
	"github.com/tflarena/tflarena/tflite"
)

// always are the models that run even without -audit.
var always = []string{"micro/kws_ref_model.tflite", "micro/okay_nabu_v2.tflite", "micro/person_detect.tflite", "corner/lstm.bin", "corner/blockwise_quantized.tflite"}

// TestRuntimes: models give the same outputs in both real runtimes before and after, bit by bit,
// in three runs.
func TestRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	oracle.Require(t)
	var files []corpus.File
	for i, f := range corpus.Accepted(t) {
		if *golden.Audit || slices.Contains(always, f.Name) || i%6 == 0 && !f.Slow() {
			files = append(files, f)
		}
	}
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		m := sample.OpenFile(t, files[i].Path)
		if r, err := slim.Slim(m, rewrite.Options{}); err == nil {
			compareRuns(t, runtimes, files[i].Name, m, r)
		}
	})
}

func compareRuns(t *testing.T, runtimes *oracle.Runtimes, name string, m *tflite.Model, r *slim.Result) {
	t.Helper()
	for _, runtime := range []string{"tflm", "litert"} {
		request := oracle.Request{
			Runtime: runtime, Kernels: "BUILTIN_WITHOUT_DEFAULT_DELEGATES", Model: sample.Written(t, m.Data), Arena: 1 << 30, Seed: 1,
			Invokes: sample.Invokes(m, 3), Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
		}
		before := runtimes.Run(t, request)
		request.Model = sample.Written(t, r.Data)
		after := runtimes.Run(t, request)
		sample.SameRun(t, name+" in "+runtime, before, after)
		if runtime == "tflm" && after.Total > before.Total {
			t.Errorf("%s: the arena has %d B, before %d", name, after.Total, before.Total)
		}
		if before.Error != "" && !cmp.Equal(before.Error, after.Error) {
			t.Logf("%s in %s: %q, before %q", name, runtime, after.Error, before.Error)
		}
	}
}
