package segment_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// cutAt returns the operators behind which a model is cut when each point is taken with a
// probability of one in n.
func cutAt(random *rand.Rand, points []segment.Point, n int) (after []int) {
	for _, p := range points {
		if random.IntN(n) == 0 {
			after = append(after, p.After)
		}
	}
	return after
}

// written writes the parts of a model into files.
func written(t *testing.T, m *tflite.Model, after []int) []oracle.Part {
	t.Helper()
	parts, err := segment.Parts(m, after)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var list []oracle.Part
	for i, p := range parts {
		data, err := segment.Write(m, p)
		if err != nil {
			t.Fatalf("part %d: %v", i, err)
		}
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, oracle.Part{Model: path, Inputs: p.Inputs, Outputs: p.Outputs})
	}
	return list
}

// undeclared are models with tensors that have other shapes than the file says once LiteRT runs them.
var undeclared = map[string]bool{"dynamic_shapes.bin": true}

// TestChained runs models whole and in parts in LiteRT, and wants the same outputs, bit for bit, of
// its optimised kernels; with -audit also models that take long.
func TestChained(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	for _, name := range []string{"mobilenet-v2", "squeezenet-1.1-int8", "blazeface", "darts-cifar10"} {
		path := filepath.Join(t.TempDir(), name)
		data, err := models.Build(name, models.Options{Weights: models.Random})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		compareChained(t, runtimes, path, "BUILTIN_WITHOUT_DEFAULT_DELEGATES", 4)
	}
	for _, f := range corpus.Accepted(t) {
		if !undeclared[filepath.Base(f.Path)] && (*golden.Audit || !f.Slow()) {
			compareChained(t, runtimes, f.Path, "BUILTIN_WITHOUT_DEFAULT_DELEGATES", 3)
		}
	}
}

func compareChained(t *testing.T, runtimes *oracle.Runtimes, path, kernels string, n int) {
	t.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	points, err := segment.Points(m)
	if err != nil {
		t.Logf("left out: %v", err)
		return
	}
	s := &m.Subgraphs[0]
	request := oracle.Request{
		Runtime: "litert", Kernels: kernels, Model: path, Inputs: len(s.Inputs), Outputs: len(s.Outputs), Seed: 1, Invokes: 1,
		Graph: [2][]int{s.Inputs, s.Outputs},
	}
	whole := runtimes.Run(t, request)
	if whole.Error != "" {
		t.Logf("left out: LiteRT does not run %s: %s", path, whole.Error)
		return
	}
	request.Parts = written(t, m, cutAt(rand.New(rand.NewPCG(1, 2)), points, n))
	got := runtimes.Chain(t, request)
	if got.Error != "" {
		t.Errorf("%s in %d parts: %s", path, len(request.Parts), got.Error)
	} else if diff := cmp.Diff(whole.Outputs, got.Outputs); diff != "" {
		t.Errorf("%s in %d parts: the outputs differ (-whole +parts):\n%s", path, len(request.Parts), diff)
	}
}
