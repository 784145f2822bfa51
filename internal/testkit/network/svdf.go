package network

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// SVDF returns a model file of one such operator, with an 8-bit state: some builds of CMSIS-NN crash in
// its first run, and other kernels run it.
func SVDF() []byte {
	typed := func(kind schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Type: kind, Shape: shape, Quantization: encode.Quantization{Scales: []float32{1}, Zeros: []int64{0}}}
	}
	const i8, rank = schema.TensorTypeINT8, 2
	s := encode.Subgraph{Inputs: []int{0, 1, 2, 3}, Outputs: []int{5}, Tensors: []encode.Tensor{
		typed(i8, 1, 9), typed(i8, 12, 9), typed(i8, 12, 4), typed(schema.TensorTypeINT32, 12/rank), typed(i8, 1, 48), typed(i8, 1, 12/rank),
	}}
	s.Tensors[4].Variable = true
	s.Operators = []encode.Operator{{
		Builtin: schema.BuiltinOperatorSVDF, Inputs: []int{0, 1, 2, 3, 4}, Outputs: []int{5}, OptionsType: schema.BuiltinOptionsSVDFOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SVDFOptionsStart(b)
			schema.SVDFOptionsAddRank(b, rank)
			return schema.SVDFOptionsEnd(b)
		},
	}}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}})
}
