package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// reordered is what the real runtimes did with a model whose operators changed places.
// Heads are in bytes.
type reordered struct {
	Model string `json:"model"`
	// Own is the head of the model as it is, Heads what it is after each way of
	// rewriting that moved operators.
	Own   int64            `json:"own_head_bytes"`
	Heads map[string]int64 `json:"heads"`
	// LiteRT says why it does not run the model; empty when it does.
	LiteRT string `json:"litert_reason,omitempty"`
}

// ways are the ways of rewriting that are tried, by what documents call them.
var ways = map[string][]string{
	"order":                {"--reorder", "--remove"},
	"order+plan":           {"--reorder"},
	"any order+plan":       {"--reorder", "--ignore-litert"},
	"any order+plan+alias": {"--reorder", "--ignore-litert", "--alias", "elementwise"},
}

// TestReordered rewrites every model of the corpus, and the networks with irregular
// wiring, in other orders: in both real runtimes the outputs are bit-identical, and the
// heads are those that were printed, never larger than before. Models that take long are run
// with -audit.
func TestReordered(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take minutes")
	}
	files := reorderedFiles(t)
	outcomes, path := make([]*reordered, len(files)), filepath.Join("testdata", "reordered.json")
	kept := map[string]*reordered{}
	if !*golden.Audit {
		for _, o := range golden.Old[*reordered](t, path) {
			kept[o.Model] = o
		}
	}
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		outcomes[i] = kept[files[i].Name]
		if *golden.Audit || !files[i].Slow() {
			outcomes[i] = tryOrders(t, runtimes, files[i])
		}
	})
	var list []*reordered
	for _, o := range outcomes {
		if o != nil {
			list = append(list, o)
		}
	}
	golden.JSON(t, path, list)
}

// reorderedFiles are the corpus, and the networks built with weights at random.
func reorderedFiles(t *testing.T) (files []corpus.File) {
	t.Helper()
	files = corpus.Accepted(t)
	for _, n := range models.List(models.Irregular) {
		data, err := models.Build(n.Name, models.Options{Weights: models.Random})
		if err != nil {
			t.Fatal(err)
		}
		f := corpus.File{Name: builtinPrefix + n.Name, Path: filepath.Join(t.TempDir(), n.Name+".tflite")}
		if err := os.WriteFile(f.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// tryOrders returns nil where no operator moves.
func tryOrders(t *testing.T, runtimes *oracle.Runtimes, f corpus.File) *reordered {
	t.Helper()
	var o *reordered
	var request oracle.Request
	var micro, lite oracle.Answer
	for way, flags := range ways {
		path := filepath.Join(t.TempDir(), "out.tflite")
		got := execute(noTerminal(), nil, append([]string{"rewrite", "--allow-faults", f.Path, "-o", path, "--json", "--pointer", "8"}, flags...)...)
		if got.code == exitFailure && strings.Contains(got.stderr, "another tool") {
			continue
		}
		var r results.Rewrite
		if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Errorf("%s %s: exit %d: %s %v", f.Name, way, got.code, got.stderr, err)
			continue
		}
		if r.OperatorsMoved == 0 {
			continue
		}
		if o == nil {
			o = &reordered{Model: f.Name, Heads: map[string]int64{}}
			request = requestOf(t, f)
			micro, lite = runIn(t, runtimes, request, "tflm"), runIn(t, runtimes, request, "litert")
			o.Own, o.LiteRT = micro.Head, lite.Error
		}
		request.Model = path
		after := runIn(t, runtimes, request, "tflm")
		if (micro.Error == "") != (after.Error == "") || micro.Error == "" && !cmp.Equal(micro.Outputs, after.Outputs) && steady(t, runtimes, f, micro) {
			t.Errorf("%s %s: other outputs in TensorFlow Lite Micro: %s", f.Name, way, after.Error)
		}
		if micro.Head > 0 && (after.Head != r.After.Head || after.Head > micro.Head) {
			t.Errorf("%s %s: printed head %d, the runtime reports %d, before %d", f.Name, way, r.After.Head, after.Head, micro.Head)
		}
		o.Heads[way] = r.After.Head
		if again := runIn(t, runtimes, request, "litert"); (lite.Error == "") != (again.Error == "") || !cmp.Equal(lite.Outputs, again.Outputs) {
			t.Errorf("%s %s: other outputs in LiteRT: %s", f.Name, way, again.Error)
		}
	}
	return o
}

func requestOf(t *testing.T, f corpus.File) oracle.Request {
	t.Helper()
	m, err := tflite.Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return oracle.Request{
		Model: f.Path, Arena: 1 << 30, Seed: 1, Invokes: 2,
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
}

func runIn(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, runtime string) oracle.Answer {
	t.Helper()
	return runWith(t, runtimes, request, runtime, "BUILTIN_WITHOUT_DEFAULT_DELEGATES")
}

func runWith(t *testing.T, runtimes *oracle.Runtimes, request oracle.Request, runtime, kernels string) oracle.Answer {
	t.Helper()
	request.Runtime, request.Kernels = runtime, kernels
	answer := runtimes.Run(t, request)
	answer.Error = strings.TrimSpace(answer.Error)
	return answer
}

// steady reports whether the outputs of the unmodified model are the same when its
// tensors share no memory: if not it reads what nothing wrote.
func steady(t *testing.T, runtimes *oracle.Runtimes, f corpus.File, shared oracle.Answer) bool {
	t.Helper()
	request := requestOf(t, f)
	request.Linear = true
	apart := runIn(t, runtimes, request, "tflm")
	return apart.Error != "" || cmp.Equal(apart.Outputs, shared.Outputs)
}
