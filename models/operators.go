package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func (w window) conv2D() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorCONV_2D,
		OptionsType: schema.BuiltinOptionsConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddPadding(b, w.padding)
			schema.Conv2DOptionsAddStrideW(b, w.stride)
			schema.Conv2DOptionsAddStrideH(b, w.stride)
			schema.Conv2DOptionsAddFusedActivationFunction(b, w.activation)
			schema.Conv2DOptionsAddDilationWFactor(b, w.dilation)
			schema.Conv2DOptionsAddDilationHFactor(b, w.dilation)
			return schema.Conv2DOptionsEnd(b)
		},
	}
}

func (w window) depthwiseConv2D() encode.Operator {
	o := encode.Operator{
		Builtin:     schema.BuiltinOperatorDEPTHWISE_CONV_2D,
		OptionsType: schema.BuiltinOptionsDepthwiseConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DepthwiseConv2DOptionsStart(b)
			schema.DepthwiseConv2DOptionsAddPadding(b, w.padding)
			schema.DepthwiseConv2DOptionsAddStrideW(b, w.stride)
			schema.DepthwiseConv2DOptionsAddStrideH(b, w.stride)
			schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, 1)
			schema.DepthwiseConv2DOptionsAddFusedActivationFunction(b, w.activation)
			schema.DepthwiseConv2DOptionsAddDilationWFactor(b, w.dilation)
			schema.DepthwiseConv2DOptionsAddDilationHFactor(b, w.dilation)
			return schema.DepthwiseConv2DOptionsEnd(b)
		},
	}
	if w.dilation != 1 {
		o.Version = 2 // dilation came with the second version of the operator
	}
	return o
}

func (w window) pool2D(kind schema.BuiltinOperator) encode.Operator {
	return encode.Operator{
		Builtin:     kind,
		OptionsType: schema.BuiltinOptionsPool2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Pool2DOptionsStart(b)
			schema.Pool2DOptionsAddPadding(b, w.padding)
			schema.Pool2DOptionsAddStrideW(b, w.stride)
			schema.Pool2DOptionsAddStrideH(b, w.stride)
			schema.Pool2DOptionsAddFilterWidth(b, w.width)
			schema.Pool2DOptionsAddFilterHeight(b, w.height)
			schema.Pool2DOptionsAddFusedActivationFunction(b, w.activation)
			return schema.Pool2DOptionsEnd(b)
		},
	}
}

func addOperator(activation schema.ActivationFunctionType) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorADD,
		OptionsType: schema.BuiltinOptionsAddOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.AddOptionsStart(b)
			schema.AddOptionsAddFusedActivationFunction(b, activation)
			return schema.AddOptionsEnd(b)
		},
	}
}

func concatOperator(axis int) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorCONCATENATION,
		OptionsType: schema.BuiltinOptionsConcatenationOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ConcatenationOptionsStart(b)
			schema.ConcatenationOptionsAddAxis(b, int32(axis))
			return schema.ConcatenationOptionsEnd(b)
		},
	}
}

func padOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorPAD,
		OptionsType: schema.BuiltinOptionsPadOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.PadOptionsStart(b)
			return schema.PadOptionsEnd(b)
		},
	}
}

func resizeOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorRESIZE_BILINEAR,
		OptionsType: schema.BuiltinOptionsResizeBilinearOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ResizeBilinearOptionsStart(b)
			schema.ResizeBilinearOptionsAddAlignCorners(b, true)
			return schema.ResizeBilinearOptionsEnd(b)
		},
	}
}

func reshapeOperator(shape []int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorRESHAPE,
		OptionsType: schema.BuiltinOptionsReshapeOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			vector := int32s(b, shape)
			schema.ReshapeOptionsStart(b)
			schema.ReshapeOptionsAddNewShape(b, vector)
			return schema.ReshapeOptionsEnd(b)
		},
	}
}

func stridedSliceOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSTRIDED_SLICE,
		OptionsType: schema.BuiltinOptionsStridedSliceOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.StridedSliceOptionsStart(b) // no masks: all bounds are given
			return schema.StridedSliceOptionsEnd(b)
		},
	}
}

// fullyConnectedOperator returns a product with weights; keep says that the output has as many
// dimensions as the input.
func fullyConnectedOperator(activation schema.ActivationFunctionType, keep bool) encode.Operator {
	o := encode.Operator{
		Builtin:     schema.BuiltinOperatorFULLY_CONNECTED,
		OptionsType: schema.BuiltinOptionsFullyConnectedOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.FullyConnectedOptionsStart(b)
			schema.FullyConnectedOptionsAddFusedActivationFunction(b, activation)
			schema.FullyConnectedOptionsAddKeepNumDims(b, keep)
			return schema.FullyConnectedOptionsEnd(b)
		},
	}
	if keep {
		o.Version = 5 // the dimensions came with the fifth version of the operator
	}
	return o
}

func squeezeOperator(dims ...int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSQUEEZE,
		OptionsType: schema.BuiltinOptionsSqueezeOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			vector := int32s(b, dims)
			schema.SqueezeOptionsStart(b)
			schema.SqueezeOptionsAddSqueezeDims(b, vector)
			return schema.SqueezeOptionsEnd(b)
		},
	}
}

func softmaxOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSOFTMAX,
		OptionsType: schema.BuiltinOptionsSoftmaxOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SoftmaxOptionsStart(b)
			schema.SoftmaxOptionsAddBeta(b, 1)
			return schema.SoftmaxOptionsEnd(b)
		},
	}
}

func int32s(b *flatbuffers.Builder, list []int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependInt32(list[i])
	}
	return b.EndVector(len(list))
}
