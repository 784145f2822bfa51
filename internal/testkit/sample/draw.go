package sample

import (
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// DrawSubgraph draws small tensors, and operators with random operands.
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

// DrawOffsets draws a plan of low offsets, some left to the runtime.
func DrawOffsets(t *rapid.T, m *tflite.Model) []int32 {
	n := tensors(m)
	return rapid.SliceOfN(rapid.Map(rapid.Int32Range(-1, 12), func(x int32) int32 {
		if x < 0 {
			return runtimePlaces
		}
		return x * planAlignment
	}), n, n).Draw(t, "offsets")
}

// DrawReordered draws a model of one or two subgraphs without a plan. Operators have random
// operands, some of them variables, and some operators have effects.
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

// DrawStateful draws a model of three subgraphs whose operators create handles of variables,
// read and assign them, call later subgraphs, or are of another kind, with random operands.
func DrawStateful(t *rapid.T) []byte {
	m := encode.Model{}
	for s := range 3 {
		m.Subgraphs = append(m.Subgraphs, drawAccesses(t, s))
	}
	return encode.Encode(m)
}

func drawAccesses(t *rapid.T, subgraph int) encode.Subgraph {
	const tensors = 10 // the first half are handles
	var s encode.Subgraph
	for i := range tensors {
		tensor := encode.Tensor{Shape: []int32{1}, Variable: rapid.IntRange(0, 15).Draw(t, "variable") == 0}
		if i < tensors/2 {
			tensor.Type = schema.TensorTypeRESOURCE
		}
		s.Tensors = append(s.Tensors, tensor)
	}
	any, handle, value := rapid.IntRange(-1, tensors-1), rapid.IntRange(0, tensors/2-1), rapid.IntRange(tensors/2, tensors-1)
	few := func(i *rapid.Generator[int]) *rapid.Generator[[]int] { return rapid.SliceOfN(i, 0, 1) }
	s.Inputs, s.Outputs = few(value).Draw(t, "in"), few(value).Draw(t, "out")
	if rapid.IntRange(0, 5).Draw(t, "strange") == 0 {
		s.Inputs, s.Outputs = few(handle).Draw(t, "handles in"), few(handle).Draw(t, "handles out")
	}
	for range rapid.IntRange(0, 8).Draw(t, "operators") {
		var o encode.Operator
		switch k := rapid.IntRange(0, 11).Draw(t, "kind"); {
		case k < 3:
			o = network.VarHandle(rapid.SampledFrom([]string{"", "", "", "box"}).Draw(t, "container"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"))
			o.Outputs = []int{handle.Draw(t, "handle")}
		case k < 6:
			o = encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE, Inputs: []int{handle.Draw(t, "of")}, Outputs: few(value).Draw(t, "read")}
		case k < 9:
			o = encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{handle.Draw(t, "to"), any.Draw(t, "value")}}
		case k == 9 && subgraph < 2:
			o = network.CallOnce(rapid.IntRange(subgraph+1, 2).Draw(t, "callee"))
		case k == 10:
			o = encode.Operator{Custom: "x", Outputs: few(value).Draw(t, "made")}
		default:
			o = encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: few(any).Draw(t, "added"), Outputs: few(value).Draw(t, "sum")}
		}
		s.Operators = append(s.Operators, o)
	}
	return s
}
