package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Convolutions: each output value is a sum over a window of the input, or, transposed,
// each input value is spread over a window of the output.

// conv2D has filters [outputs, height, width, inputs of a group]: with groups the last
// dimension is less than the input's, and so is the work.
var conv2D = facts{macs: func(n node) Count {
	return n.convolve(Outputs, n.output(0), 4, func(f []int32) int64 { return size(f[1:]...) })
}}

// depthwiseConv2D has filters [1, height, width, outputs]; each output sees one channel.
var depthwiseConv2D = facts{macs: func(n node) Count {
	return n.convolve(Outputs, n.output(0), 4, func(f []int32) int64 { return size(f[1:3]...) })
}}

// conv3D has filters [depth, height, width, inputs of a group, outputs].
var conv3D = facts{macs: func(n node) Count {
	return n.convolve(Outputs, n.output(0), 5, func(f []int32) int64 { return size(f[:4]...) })
}}

// transposeConv has filters [outputs, height, width, inputs]; input 0 is the shape of the
// output.
var transposeConv = facts{macs: func(n node) Count {
	return n.convolve(Inputs, n.input(2), 4, func(f []int32) int64 { return size(f[:3]...) })
}}

// mediapipeTransposeConv is the custom operator of MediaPipe: input, filter, bias.
var mediapipeTransposeConv = facts{macs: func(n node) Count {
	return n.convolve(Inputs, n.input(0), 4, func(f []int32) int64 { return size(f[:3]...) })
}}

// conv3DTranspose has filters [depth, height, width, outputs, inputs]; input 0 is the
// shape of the output.
var conv3DTranspose = facts{macs: func(n node) Count {
	return n.convolve(Inputs, n.input(2), 5, func(f []int32) int64 { return size(f[:4]...) })
}}

// stablehloConvolution says in its options which dimension of the filter is which. What a
// dilation of the input puts between its values counts like data.
var stablehloConvolution = facts{macs: func(n node) Count {
	var o schema.StablehloConvolutionOptions
	f := n.input(1)
	if f == nil || !n.op.Options2(schema.BuiltinOptions2StablehloConvolutionOptions, &o) {
		return Count{}
	}
	outputs := o.KernelOutputFeatureDimension()
	if outputs < 0 || outputs >= int64(len(f.Shape)) {
		return Count{}
	}
	return n.convolve(Outputs, n.output(0), len(f.Shape), func(f []int32) int64 {
		return times(size(f[:outputs]...), size(f[outputs+1:]...))
	})
}}

// convolve counts the window that a filter, input 1, has for each element of a tensor. Both
// must have the rank.
func (n node) convolve(extent Extent, t *tflite.Tensor, rank int, window func(filter []int32) int64) Count {
	f := n.input(1)
	if f == nil || t == nil || len(f.Shape) != rank || len(t.Shape) != rank {
		return Count{}
	}
	return per(extent, t, window(f.Shape))
}
