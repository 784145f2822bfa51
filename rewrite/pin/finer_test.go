package pin_test

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// beside returns a random model of many operators that compute and join tensors. The input is read again and again, so
// that it is alive beside all others.
func beside(seed uint64) encode.Model {
	const rows = 600
	r := rand.New(rand.NewPCG(seed, 1))
	s := encode.Subgraph{Tensors: []encode.Tensor{{Shape: []int32{2, 4}}}, Inputs: []int{0}}
	for range 1100 {
		last := len(s.Tensors) - 1
		op := encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{last}, Outputs: []int{last + 1}}
		out := encode.Tensor{Shape: slices.Clone(s.Tensors[last].Shape)}
		switch other := max(last-1-r.IntN(3), 0); {
		case r.IntN(6) == 0:
			op.Inputs, out.Shape[0] = []int{0}, 2
		case r.IntN(2) == 0 && out.Shape[0]+s.Tensors[other].Shape[0] <= rows:
			op.Inputs, out.Shape[0] = []int{last, other}, out.Shape[0]+s.Tensors[other].Shape[0]
			concatenate(&op)
		}
		s.Tensors, s.Operators = append(s.Tensors, out), append(s.Operators, op)
	}
	s.Outputs = []int{len(s.Tensors) - 1}
	return encode.Model{Subgraphs: []encode.Subgraph{s}}
}

// TestFiner: a model whose tensors never pass alone is planned part by part as well. The head never gets larger by that,
// and is the one that the runtime makes of the plan.
func TestFiner(t *testing.T) {
	for seed := range uint64(2) {
		m, err := tflite.Parse(encode.Encode(beside(seed)), "beside.tflite")
		if err != nil {
			t.Fatal(err)
		}
		o := pin.Options{Mode: pin.All, Alias: rules.ElementwiseAlias, Effort: 1. / 64}
		coarse, err := pin.Choose(t.Context(), sample.Micro(t, m), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Finer = true
		finer, err := pin.Choose(t.Context(), sample.Micro(t, m), o)
		if err != nil {
			t.Fatal(err)
		}
		followed, err := pin.Follow(t.Context(), rules.Micro(), m, finer.Offsets, nil)
		if err != nil {
			t.Fatal(err)
		}
		if finer.Head > coarse.Head || followed.Head != finer.Head {
			t.Errorf("model %d: head %d, %d in coarse parts; the runtime makes it %d", seed, finer.Head, coarse.Head, followed.Head)
		}
	}
}
