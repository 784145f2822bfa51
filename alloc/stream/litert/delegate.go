package litert

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// The granularity of weights packed by XNNPACK, LiteRT's default delegate: output channels and input
// channels of a product, and elements of a window. It is at least as coarse as in the microkernels for
// x86-64 and Arm.
const (
	packedChannels = 64
	packedDepth    = 16
	packedWindow   = 25
	pointerBytes   = 8
)

// delegateBytes is allocated once, when LiteRT first uses its default delegate.
const delegateBytes = 4 << 20

// delegateBytesOf returns an upper bound of the bytes that XNNPACK keeps for an operator while the
// interpreter exists: packed weights, and pointers to the rows of each window.
func delegateBytesOf(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) int64 {
	kept := unpacked(m, s, o)
	in, filter, out := s.Operand(o.Inputs, 0), s.Operand(o.Inputs, 1), s.Operand(o.Outputs, 0)
	if in == nil || out == nil {
		return kept
	}
	switch m.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV:
		if filter == nil || len(filter.Shape) != 4 || len(out.Shape) != 4 || filter.Shape[3] <= 0 || len(in.Shape) == 0 {
			return kept
		}
		window := int64(filter.Shape[1]) * int64(filter.Shape[2])
		groups := max(int64(in.Shape[len(in.Shape)-1])/int64(filter.Shape[3]), 1)
		each := integer.RoundUp((int64(filter.Shape[0])+groups-1)/groups, packedChannels)
		return kept + groups*each*(window*integer.RoundUp(int64(filter.Shape[3]), packedDepth)*width(filter)+packedDepth) + pointers(window, out)
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		if filter == nil || len(filter.Shape) != 4 || len(out.Shape) != 4 {
			return kept
		}
		window := integer.RoundUp(int64(filter.Shape[1])*int64(filter.Shape[2]), packedWindow)
		return kept + integer.RoundUp(int64(filter.Shape[3]), packedChannels)*(window*width(filter)+packedDepth) + pointers(window, out)
	case schema.BuiltinOperatorFULLY_CONNECTED, schema.BuiltinOperatorBATCH_MATMUL:
		if filter == nil || len(filter.Shape) < 2 {
			return kept
		}
		rank := len(filter.Shape)
		rows, columns := int64(filter.Shape[rank-2]), int64(filter.Shape[rank-1])
		each := integer.RoundUp(rows, packedChannels) * integer.RoundUp(columns, packedChannels) * width(filter)
		return kept + elements(filter)/max(rows*columns, 1)*(each+packedDepth*integer.RoundUp(max(rows, columns), packedChannels))
	case schema.BuiltinOperatorAVERAGE_POOL_2D, schema.BuiltinOperatorMAX_POOL_2D:
		if w, ok := op.WindowOf(m, s, o); ok {
			return kept + pointers(w.Kernel[0]*w.Kernel[1], out)
		}
	case schema.BuiltinOperatorRESIZE_BILINEAR:
		const corners, weights = 4, 8
		return kept + pointers(corners, out) + weights*elements(out)
	}
	return kept
}

// unpacked returns the bytes of the constants that XNNPACK converts to floats before it packs them.
func unpacked(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) (bytes int64) {
	for _, i := range o.Inputs {
		if i < 0 || !s.Tensors[i].Constant {
			continue
		}
		if t := &s.Tensors[i]; t.Type == schema.TensorTypeFLOAT16 || t.Sparse || hybrid(s.Operand(o.Inputs, 0), t) {
			bytes += 4 * elements(t)
		}
	}
	return bytes
}

// pointers returns the bytes of a pointer for each element of a window and each pixel of an output.
func pointers(window int64, out *tflite.Tensor) int64 {
	channels := int64(1)
	if n := len(out.Shape); n > 0 {
		channels = max(int64(out.Shape[n-1]), 1)
	}
	return pointerBytes * window * integer.RoundUp(elements(out)/channels, packedDepth)
}

// boundary returns the bytes of the inputs and outputs, which LiteRT's arena holds in addition to the
// delegate's memory.
func boundary(s *tflite.Subgraph) (bytes int64) {
	for i := range s.Tensors {
		if t := &s.Tensors[i]; t.Input || t.Output {
			n, _ := t.PackedBytes()
			bytes += n + arenaAlign
		}
	}
	return bytes
}

// computed reports whether XNNPACK computes a convolution or a product of floats, so that LiteRT's
// kernel requests no memory.
func computed(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) bool {
	switch m.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED:
	default:
		return false
	}
	for i, index := range o.Inputs {
		t := s.Operand(o.Inputs, i)
		if index < 0 && i == 2 {
			continue // no bias
		}
		if t == nil || t.Type != schema.TensorTypeFLOAT32 || i > 0 && !t.Constant {
			return false
		}
	}
	return clamps(o)
}

// clamps reports whether the activation of an operator is none or clamps the output.
func clamps(o *tflite.Operator) bool {
	var c schema.Conv2DOptions
	var d schema.DepthwiseConv2DOptions
	var f schema.FullyConnectedOptions
	activation := schema.ActivationFunctionTypeNONE
	switch {
	case o.Options(schema.BuiltinOptionsConv2DOptions, &c):
		activation = c.FusedActivationFunction()
	case o.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &d):
		activation = d.FusedActivationFunction()
	case o.Options(schema.BuiltinOptionsFullyConnectedOptions, &f):
		activation = f.FusedActivationFunction()
	}
	switch activation {
	case schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU6, schema.ActivationFunctionTypeRELU_N1_TO_1:
		return true
	}
	return false
}
