package network

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Pointwise returns a model file of 1x1 convolutions of one pixel, from each number of channels to the next: almost all of
// its memory is weights.
func Pointwise(channels ...int32) []byte {
	s := &convolutionStack{}
	last := s.tensor("input", 0, 1, 1, 1, channels[0])
	s.sub.Inputs = []int{last}
	for i, n := range channels[1:] {
		weights, bias := s.constant(n, 1, 1, channels[i]), s.constant(n)
		y := s.tensor(fmt.Sprint("layer ", i), 0, 1, 1, 1, n)
		s.sub.Operators = append(s.sub.Operators, encode.Operator{
			Builtin: schema.BuiltinOperatorCONV_2D, Inputs: []int{last, weights, bias}, Outputs: []int{y},
			OptionsType: schema.BuiltinOptionsConv2DOptions, Options: unitStrides,
		})
		last = y
	}
	s.sub.Outputs = []int{last}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s.sub}, Buffers: s.buffers})
}

// unitStrides writes the options of a convolution that moves by one.
func unitStrides(b *flatbuffers.Builder) flatbuffers.UOffsetT { return strides(b, 1) }

// strides writes the options of a convolution.
func strides(b *flatbuffers.Builder, stride int32) flatbuffers.UOffsetT {
	schema.Conv2DOptionsStart(b)
	schema.Conv2DOptionsAddStrideW(b, stride)
	schema.Conv2DOptionsAddStrideH(b, stride)
	schema.Conv2DOptionsAddDilationWFactor(b, 1)
	schema.Conv2DOptionsAddDilationHFactor(b, 1)
	return schema.Conv2DOptionsEnd(b)
}
