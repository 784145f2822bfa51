package segment_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// sameView compares what Measure says of parts with the files that Write makes. The model is cut at one of so many
// points, for each of few.
func sameView(t *testing.T, m *tflite.Model, random *rand.Rand, few ...int) (measured int) {
	t.Helper()
	points, err := segment.Points(m)
	if err != nil {
		return 0
	}
	for _, n := range few {
		parts, err := segment.Parts(m, cutAt(random, points, n))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for _, p := range parts {
			view, size, wrong := segment.Measure(m, p)
			data, err := segment.Write(m, p)
			if (err == nil) != (wrong == nil) {
				t.Fatalf("%s: measuring: %v; writing: %v", m.Name, wrong, err)
			}
			if err != nil {
				continue
			}
			got, err := tflite.Parse(data, m.Name)
			if err != nil {
				t.Fatal(err)
			}
			if size != int64(len(data)) {
				t.Errorf("%s: operators %d to %d: measured %d bytes, written %d", m.Name, p.First, p.Last, size, len(data))
			}
			if diff := cmp.Diff(&got.Subgraphs[0], &view.Subgraphs[0], cmpopts.IgnoreUnexported(tflite.Tensor{}, tflite.Operator{}), cmpopts.IgnoreFields(tflite.Tensor{}, "Buffer"), cmpopts.IgnoreFields(tflite.Operator{}, "Code"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: operators %d to %d (-file +measured):\n%s", m.Name, p.First, p.Last, diff)
			}
			for i := range got.Subgraphs[0].Operators {
				o, v := &got.Subgraphs[0].Operators[i], &view.Subgraphs[0].Operators[i]
				if got.OperatorCodes[o.Code] != view.OperatorCodes[v.Code] || !tflite.SameOperator(o, v) {
					t.Errorf("%s: operator %d is another one", m.Name, i)
				}
			}
			measured++
		}
	}
	return measured
}

// TestMeasure measures parts of every real model and of a built-in one, and writes them.
func TestMeasure(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	if sameView(t, builtin.Model(t, "mobilenet-v2-int8"), random, 1, 3, 1<<30) == 0 {
		t.Error("nothing was measured")
	}
	for _, f := range corpus.Accepted(t) {
		sameView(t, sample.OpenFile(t, f.Path), random, 4)
	}
}

// TestMeasureRefuses: a model that no file can hold is refused before its file is made.
func TestMeasureRefuses(t *testing.T) {
	m := builtin.Model(t, "squeezenet-1.1-int8")
	m.Subgraphs[0].Tensors[m.Subgraphs[0].Operators[0].Inputs[1]].ExternalBuffer = 7
	parts, err := segment.Parts(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := segment.Measure(m, parts[0]); !errors.Is(err, tflite.ErrCopy) || !errors.Is(err, segment.ErrModel) {
		t.Error(err)
	}
}
