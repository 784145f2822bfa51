package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// operator returns an operator with an options table: start begins it, add fills it, end ends
// it.
func operator(code schema.BuiltinOperator, kind schema.BuiltinOptions, start func(*flatbuffers.Builder), end func(*flatbuffers.Builder) flatbuffers.UOffsetT, add ...func(*flatbuffers.Builder)) encode.Operator {
	return encode.Operator{Builtin: code, OptionsType: kind, Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		start(b)
		for _, f := range add {
			f(b)
		}
		return end(b)
	}}
}

func (w window) conv2D() encode.Operator {
	return operator(schema.BuiltinOperatorCONV_2D, schema.BuiltinOptionsConv2DOptions,
		schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd, func(b *flatbuffers.Builder) {
			schema.Conv2DOptionsAddPadding(b, w.padding)
			schema.Conv2DOptionsAddStrideW(b, w.stride)
			schema.Conv2DOptionsAddStrideH(b, w.stride)
			schema.Conv2DOptionsAddFusedActivationFunction(b, w.activation)
			schema.Conv2DOptionsAddDilationWFactor(b, w.dilation)
			schema.Conv2DOptionsAddDilationHFactor(b, w.dilation)
		})
}

func (w window) depthwiseConv2D() encode.Operator {
	o := operator(schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOptionsDepthwiseConv2DOptions,
		schema.DepthwiseConv2DOptionsStart, schema.DepthwiseConv2DOptionsEnd, func(b *flatbuffers.Builder) {
			schema.DepthwiseConv2DOptionsAddPadding(b, w.padding)
			schema.DepthwiseConv2DOptionsAddStrideW(b, w.stride)
			schema.DepthwiseConv2DOptionsAddStrideH(b, w.stride)
			schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, 1)
			schema.DepthwiseConv2DOptionsAddFusedActivationFunction(b, w.activation)
			schema.DepthwiseConv2DOptionsAddDilationWFactor(b, w.dilation)
			schema.DepthwiseConv2DOptionsAddDilationHFactor(b, w.dilation)
		})
	if w.dilation != 1 {
		o.Version = 2 // dilation was added in version 2 of the operator
	}
	return o
}

func (w window) pool2D(kind schema.BuiltinOperator) encode.Operator {
	return operator(kind, schema.BuiltinOptionsPool2DOptions,
		schema.Pool2DOptionsStart, schema.Pool2DOptionsEnd, func(b *flatbuffers.Builder) {
			schema.Pool2DOptionsAddPadding(b, w.padding)
			schema.Pool2DOptionsAddStrideW(b, w.stride)
			schema.Pool2DOptionsAddStrideH(b, w.stride)
			schema.Pool2DOptionsAddFilterWidth(b, w.width)
			schema.Pool2DOptionsAddFilterHeight(b, w.height)
			schema.Pool2DOptionsAddFusedActivationFunction(b, w.activation)
		})
}

func addOperator(activation schema.ActivationFunctionType) encode.Operator {
	return operator(schema.BuiltinOperatorADD, schema.BuiltinOptionsAddOptions,
		schema.AddOptionsStart, schema.AddOptionsEnd, func(b *flatbuffers.Builder) {
			schema.AddOptionsAddFusedActivationFunction(b, activation)
		})
}

func concatOperator(axis int) encode.Operator {
	return operator(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions,
		schema.ConcatenationOptionsStart, schema.ConcatenationOptionsEnd, func(b *flatbuffers.Builder) {
			schema.ConcatenationOptionsAddAxis(b, int32(axis))
		})
}

func padOperator() encode.Operator {
	return operator(schema.BuiltinOperatorPAD, schema.BuiltinOptionsPadOptions,
		schema.PadOptionsStart, schema.PadOptionsEnd)
}

func resizeOperator() encode.Operator {
	return operator(schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOptionsResizeBilinearOptions,
		schema.ResizeBilinearOptionsStart, schema.ResizeBilinearOptionsEnd, func(b *flatbuffers.Builder) {
			schema.ResizeBilinearOptionsAddAlignCorners(b, true)
		})
}

func reshapeOperator(shape []int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorRESHAPE,
		OptionsType: schema.BuiltinOptionsReshapeOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			vector := schema.CreateInt32s(b, shape)
			schema.ReshapeOptionsStart(b)
			schema.ReshapeOptionsAddNewShape(b, vector)
			return schema.ReshapeOptionsEnd(b)
		},
	}
}

func stridedSliceOperator() encode.Operator {
	return operator(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions,
		schema.StridedSliceOptionsStart, schema.StridedSliceOptionsEnd) // no masks: all bounds are given
}

// fullyConnectedOperator returns FULLY_CONNECTED; keep preserves the number of dimensions of
// the input.
func fullyConnectedOperator(activation schema.ActivationFunctionType, keep bool) encode.Operator {
	o := operator(schema.BuiltinOperatorFULLY_CONNECTED, schema.BuiltinOptionsFullyConnectedOptions,
		schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd, func(b *flatbuffers.Builder) {
			schema.FullyConnectedOptionsAddFusedActivationFunction(b, activation)
			schema.FullyConnectedOptionsAddKeepNumDims(b, keep)
		})
	if keep {
		o.Version = 5 // keep_num_dims was added in version 5 of the operator
	}
	return o
}

func squeezeOperator(dims ...int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSQUEEZE,
		OptionsType: schema.BuiltinOptionsSqueezeOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			vector := schema.CreateInt32s(b, dims)
			schema.SqueezeOptionsStart(b)
			schema.SqueezeOptionsAddSqueezeDims(b, vector)
			return schema.SqueezeOptionsEnd(b)
		},
	}
}

func softmaxOperator() encode.Operator {
	return operator(schema.BuiltinOperatorSOFTMAX, schema.BuiltinOptionsSoftmaxOptions,
		schema.SoftmaxOptionsStart, schema.SoftmaxOptionsEnd, func(b *flatbuffers.Builder) {
			schema.SoftmaxOptionsAddBeta(b, 1)
		})
}
