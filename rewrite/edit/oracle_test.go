package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// sameInRuntimes compares the outputs of two models, without plans, and returns in how
// many runtimes they run. No name of kernels stands for LiteRT's reference kernels.
func sameInRuntimes(t *testing.T, runtimes *oracle.Runtimes, name, kernels string, before, after *tflite.Model) (ran int) {
	t.Helper()
	request := oracle.Request{
		Model: sample.Written(t, remove(t, before).Data), Arena: 1 << 28, Seed: 1, Invokes: sample.Invokes(before, 2), Kernels: kernels,
		Inputs: len(before.Subgraphs[0].Inputs), Outputs: len(before.Subgraphs[0].Outputs),
	}
	other := request
	other.Model = sample.Written(t, after.Data)
	for _, runtime := range []string{"tflm", "litert"} {
		request.Runtime, other.Runtime = runtime, runtime
		a, b := runtimes.Run(t, request), runtimes.Run(t, other)
		sample.SameRun(t, name+" in "+runtime, a, b)
		if a.Error == "" {
			ran++
		}
	}
	return ran
}

// convFiles are convolutions of several kinds.
func convFiles() (list []convFile) {
	for _, kind := range []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8} {
		for _, depthwise := range []bool{false, true} {
			for _, stride := range []int32{1, 2} {
				list = append(list, convFile{
					kind: kind, rows: 9 + stride, columns: 7, in: 4, out: 8, filter: 3, stride: stride,
					depthwise: depthwise, activation: schema.ActivationFunctionTypeRELU6,
				})
			}
		}
	}
	return list
}

// A convolution that is cut in two strips of rows, or in two ranges of its outputs'
// channels, has the same outputs in both real runtimes, bit by bit. LiteRT's optimized
// kernels for floats add up the same numbers in another order where there are fewer
// channels.
func TestRuntimesConv(t *testing.T) {
	runtimes := oracle.Start(t)
	const optimized = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
	for _, c := range convFiles() {
		m := modelfile.Parse(t, c.encode())
		check := func(what string, cut bool, e *making, kernels ...string) {
			if !cut {
				t.Fatalf("%+v cannot be cut in %s", c, what)
			}
			_, out := apply(t, m, e)
			for _, k := range kernels {
				name := fmt.Sprintf("%s of %+v", what, c)
				if ran := sameInRuntimes(t, runtimes, name, k, m, out); ran != 2 {
					t.Errorf("%s: %d runtimes ran it", name, ran)
				}
			}
		}
		e := keepAll(m, 0)
		check("strips", e.strips(m, 0), e, "", optimized)
		e = keepAll(m, 0)
		e.strided = true
		check("strided strips", e.strips(m, 0), e, "", optimized)
		if !c.depthwise {
			e = keepAll(m, 0)
			check("channels", e.channels(m, 0), e, "")
		}
	}
}

// Small models of the corpus have the same outputs, bit by bit, where convolutions are cut
// in strips of rows and where operators read copies of their inputs.
func TestRuntimesEdited(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	models, ran := 0, 0
	for i, f := range corpus.Models(t) {
		m := sample.OpenFile(t, f.Path)
		// The file says FLOAT32 of a tensor that the kernel makes as UINT8.
		if f.Name == "corner/add_quantized.bin" {
			continue
		}
		if m == nil || len(m.Data) > 400<<10 || len(m.Subgraphs[0].Operators) > 200 || tensorBytes(m) > 4<<20 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 0))
		e := keepAll(m, 0)
		changed := e.copies(m, r, 3)
		for i := range m.Subgraphs[0].Operators {
			if changed < 6 && e.keeps(i) && e.strips(m, i) {
				changed++
			}
		}
		if changed > 0 {
			_, out := apply(t, m, e)
			models++
			ran += sameInRuntimes(t, runtimes, f.Name, "", m, out)
		}
	}
	if models < 20 || ran < 30 {
		t.Errorf("%d models were edited, and ran %d times", models, ran)
	}
}

func tensorBytes(m *tflite.Model) (sum int64) {
	for i := range m.Subgraphs[0].Tensors {
		if n, ok := m.Subgraphs[0].Tensors[i].PackedBytes(); ok {
			sum += n
		}
	}
	return sum
}

// A tensor that nothing uses any more is not planned, what took its place is as it was,
// and outputs stay the same.
func TestRuntimesIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	models := 0
	for _, f := range corpus.Models(t) {
		m := sample.OpenFile(t, f.Path)
		if m == nil || len(m.Data) > 400<<10 || len(m.Subgraphs[0].Operators) > 200 || tensorBytes(m) > 4<<20 {
			continue
		}
		e := keepAll(m, 0)
		for i := 0; i < len(m.Subgraphs[0].Operators); i += 2 {
			e.renamed(m, i)
		}
		if len(e.Tensors) == 0 {
			continue
		}
		r, out := apply(t, m, e)
		if !strings.Contains(strings.Join(r.Changes, "\n"), "that nothing uses any more") {
			t.Errorf("%s: changes %q", f.Name, r.Changes)
		}
		if ran := sameInRuntimes(t, runtimes, f.Name, "", m, out); ran > 0 {
			models++
		}
		if diff := cmp.Diff(plannedRecords(t, m), plannedRecords(t, out)); diff != "" {
			t.Errorf("%s: tensors that are planned (-before +after):\n%s", f.Name, diff)
		}
	}
	if models < 10 {
		t.Errorf("%d models", models)
	}
}

// plannedRecords returns size and lifetime of what TensorFlow Lite Micro plans, sorted.
func plannedRecords(t *testing.T, m *tflite.Model) (list [][3]int64) {
	t.Helper()
	for _, r := range sample.Micro(t, m).Records() {
		list = append(list, [3]int64{r.Size, int64(r.First), int64(r.Last)})
	}
	slices.SortFunc(list, func(a, b [3]int64) int { return slices.Compare(a[:], b[:]) })
	return list
}
