package sample

import (
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// DrawSubgraph draws small tensors, and operators that read and write them at random.
func DrawSubgraph(t *rapid.T) encode.Subgraph {
	var s encode.Subgraph
	for range rapid.IntRange(1, 6).Draw(t, "tensors") {
		s.Tensors = append(s.Tensors, encode.Tensor{
			Name: rapid.StringN(0, 3, -1).Draw(t, "tensor"), Shape: rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 3).Draw(t, "shape"),
		})
	}
	index := rapid.SliceOfN(rapid.IntRange(0, len(s.Tensors)-1), 0, 3)
	s.Inputs, s.Outputs = index.Draw(t, "in"), index.Draw(t, "out")
	for range rapid.IntRange(0, 6).Draw(t, "operators") {
		s.Operators = append(s.Operators, encode.Operator{
			Builtin: schema.BuiltinOperatorADD, Inputs: index.Draw(t, "inputs"), Outputs: index.Draw(t, "outputs"),
		})
	}
	return s
}

// DrawOffsets draws a plan of low places, some of which are left to the runtime.
func DrawOffsets(t *rapid.T, m *tflite.Model) []int32 {
	n := tensors(m)
	return rapid.SliceOfN(rapid.Map(rapid.Int32Range(-1, 12), func(x int32) int32 {
		if x < 0 {
			return runtimePlaces
		}
		return x * planAlignment
	}), n, n).Draw(t, "offsets")
}

// DrawReordered draws a model of one or two subgraphs without a plan, in which tensors
// are made and read at random, some of them variables, some operators with effects.
func DrawReordered(t *rapid.T) []byte {
	m := encode.Model{}
	for range rapid.IntRange(1, 2).Draw(t, "subgraphs") {
		s := DrawSubgraph(t)
		for range rapid.IntRange(0, 12).Draw(t, "more tensors") {
			s.Tensors = append(s.Tensors, encode.Tensor{Shape: []int32{1}, Variable: rapid.IntRange(0, 5).Draw(t, "variable") == 0})
		}
		few := rapid.SliceOfN(rapid.IntRange(-1, len(s.Tensors)-1), 0, 2)
		for i := range s.Operators {
			op := &s.Operators[i]
			op.Inputs, op.Outputs = few.Draw(t, "inputs"), few.Draw(t, "outputs")
			if rapid.IntRange(0, 3).Draw(t, "effect") == 0 {
				op.Custom = "x"
			}
		}
		m.Subgraphs = append(m.Subgraphs, s)
	}
	return encode.Encode(m)
}
