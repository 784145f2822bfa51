package tflite

import (
	"bytes"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// small returns a model with every feature: two operators, a constant, a variable, an optional
// input, an IF with its branches, metadata, a signature.
func small() encode.Model {
	branch := encode.Subgraph{
		Name:    "branch",
		Tensors: []encode.Tensor{{Name: "x", Shape: []int32{4}}},
		Inputs:  []int{0}, Outputs: []int{0},
	}
	return encode.Model{
		Description: "small",
		Subgraphs: []encode.Subgraph{{
			Name: "main",
			Tensors: []encode.Tensor{
				{Name: "in", Shape: []int32{1, 4}, Dynamic: []int32{-1, 4}},
				{Name: "weight", Shape: []int32{4, 4}, Type: schema.TensorTypeINT8, Buffer: 1},
				{Name: "state", Shape: []int32{1, 4}, Variable: true},
				{Name: "mid", Shape: []int32{1, 4}},
				{Name: "flag", Type: schema.TensorTypeBOOL, HasRank: true, Buffer: 2},
				{Name: "out", Shape: []int32{1, 4}},
			},
			Inputs: []int{0}, Outputs: []int{5},
			Operators: []encode.Operator{
				{Builtin: schema.BuiltinOperatorFULLY_CONNECTED, Inputs: []int{0, 1, -1}, Outputs: []int{3}, Intermediates: []int{2}},
				ifOperator([]int{4, 3}, []int{5}, 1, 2),
			},
		}, branch, branch},
		Buffers:    []encode.Buffer{{Data: bytes.Repeat([]byte{7}, 16)}, {Data: []byte{1}}, {Data: []byte("1.5.0")}},
		Metadata:   []encode.Metadata{{Name: "min_runtime_version", Buffer: 3}},
		Signatures: []encode.Signature{{Key: "run", Inputs: map[string]int{"a": 0}, Outputs: map[string]int{"b": 5}}},
	}
}

func ifOperator(inputs, outputs []int, then, otherwise int32) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorIF, Inputs: inputs, Outputs: outputs,
		OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, then)
			schema.IfOptionsAddElseSubgraphIndex(b, otherwise)
			return schema.IfOptionsEnd(b)
		},
	}
}

// calls returns a model whose subgraph i has an IF that enters the two subgraphs in next(i).
func calls(n int, next func(i int) (then, otherwise int32, ok bool)) encode.Model {
	m := encode.Model{}
	for i := range n {
		s := encode.Subgraph{}
		if then, otherwise, ok := next(i); ok {
			s.Operators = []encode.Operator{ifOperator(nil, nil, then, otherwise)}
		}
		m.Subgraphs = append(m.Subgraphs, s)
	}
	return m
}
