package op_test

import (
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestWithShapesUnlikeBranches has an IF whose branches have different numbers of outputs.
func TestWithShapesUnlikeBranches(t *testing.T) {
	tensor := func(ty schema.TensorType) encode.Tensor {
		return encode.Tensor{Type: ty, Shape: []int32{1, 8}, HasRank: true}
	}
	f := schema.TensorTypeFLOAT32
	m := encode.Model{
		Subgraphs: []encode.Subgraph{
			{
				Tensors: []encode.Tensor{{Type: schema.TensorTypeBOOL, Shape: []int32{1}, HasRank: true}, {Name: "x", Type: f, Shape: []int32{1, 8}, HasRank: true}, tensor(f)},
				Inputs:  []int{0, 1}, Outputs: []int{2},
				Operators: []encode.Operator{{
					Builtin: schema.BuiltinOperatorIF, Inputs: []int{0, 1}, Outputs: []int{2}, OptionsType: schema.BuiltinOptionsIfOptions,
					Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
						schema.IfOptionsStart(b)
						schema.IfOptionsAddThenSubgraphIndex(b, 1)
						schema.IfOptionsAddElseSubgraphIndex(b, 2)
						return schema.IfOptionsEnd(b)
					},
				}},
			},
			{Tensors: []encode.Tensor{tensor(f)}, Inputs: []int{0}, Outputs: []int{0}},
			{Tensors: []encode.Tensor{tensor(f)}, Inputs: []int{0}, Outputs: []int{0, 0}},
		},
	}
	p, err := tflite.Parse(encode.Encode(m), "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = op.WithShapes(p, map[string][]int32{"x": {3, 8}}); err == nil || !strings.Contains(err.Error(), "have 1 and 2 outputs") {
		t.Error(err)
	}
}
