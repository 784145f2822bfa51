package split_test

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Here are operators with their options, without tensors.

func convOperator(s slide, fused schema.ActivationFunctionType) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorCONV_2D, OptionsType: schema.BuiltinOptionsConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddPadding(b, s.padding)
			schema.Conv2DOptionsAddStrideH(b, s.strideH)
			schema.Conv2DOptionsAddStrideW(b, s.strideW)
			schema.Conv2DOptionsAddDilationHFactor(b, s.dilateH)
			schema.Conv2DOptionsAddDilationWFactor(b, s.dilateW)
			schema.Conv2DOptionsAddFusedActivationFunction(b, fused)
			return schema.Conv2DOptionsEnd(b)
		},
	}
}

func depthwiseOperator(s slide, multiplier int32, fused schema.ActivationFunctionType) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorDEPTHWISE_CONV_2D, OptionsType: schema.BuiltinOptionsDepthwiseConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DepthwiseConv2DOptionsStart(b)
			schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, multiplier)
			schema.DepthwiseConv2DOptionsAddPadding(b, s.padding)
			schema.DepthwiseConv2DOptionsAddStrideH(b, s.strideH)
			schema.DepthwiseConv2DOptionsAddStrideW(b, s.strideW)
			schema.DepthwiseConv2DOptionsAddDilationHFactor(b, s.dilateH)
			schema.DepthwiseConv2DOptionsAddDilationWFactor(b, s.dilateW)
			schema.DepthwiseConv2DOptionsAddFusedActivationFunction(b, fused)
			return schema.DepthwiseConv2DOptionsEnd(b)
		},
	}
}

func transposeConvOperator(s slide) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorTRANSPOSE_CONV, OptionsType: schema.BuiltinOptionsTransposeConvOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.TransposeConvOptionsStart(b)
			schema.TransposeConvOptionsAddPadding(b, s.padding)
			schema.TransposeConvOptionsAddStrideH(b, s.strideH)
			schema.TransposeConvOptionsAddStrideW(b, s.strideW)
			return schema.TransposeConvOptionsEnd(b)
		},
	}
}

// poolOperator is MAX_POOL_2D or AVERAGE_POOL_2D.
func poolOperator(kind schema.BuiltinOperator, s slide, fused schema.ActivationFunctionType) encode.Operator {
	return encode.Operator{
		Builtin: kind, OptionsType: schema.BuiltinOptionsPool2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Pool2DOptionsStart(b)
			schema.Pool2DOptionsAddPadding(b, s.padding)
			schema.Pool2DOptionsAddStrideH(b, s.strideH)
			schema.Pool2DOptionsAddStrideW(b, s.strideW)
			schema.Pool2DOptionsAddFilterHeight(b, s.kh)
			schema.Pool2DOptionsAddFilterWidth(b, s.kw)
			schema.Pool2DOptionsAddFusedActivationFunction(b, fused)
			return schema.Pool2DOptionsEnd(b)
		},
	}
}

// concatOperator joins channels.
func concatOperator() encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorCONCATENATION, OptionsType: schema.BuiltinOptionsConcatenationOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ConcatenationOptionsStart(b)
			schema.ConcatenationOptionsAddAxis(b, 3)
			return schema.ConcatenationOptionsEnd(b)
		},
	}
}

func depthToSpaceOperator(block int32) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorDEPTH_TO_SPACE, OptionsType: schema.BuiltinOptionsDepthToSpaceOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DepthToSpaceOptionsStart(b)
			schema.DepthToSpaceOptionsAddBlockSize(b, block)
			return schema.DepthToSpaceOptionsEnd(b)
		},
	}
}

func spaceToDepthOperator(block int32) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorSPACE_TO_DEPTH, OptionsType: schema.BuiltinOptionsSpaceToDepthOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SpaceToDepthOptionsStart(b)
			schema.SpaceToDepthOptionsAddBlockSize(b, block)
			return schema.SpaceToDepthOptionsEnd(b)
		},
	}
}

func nearestOperator(half bool) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, OptionsType: schema.BuiltinOptionsResizeNearestNeighborOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ResizeNearestNeighborOptionsStart(b)
			schema.ResizeNearestNeighborOptionsAddHalfPixelCenters(b, half)
			return schema.ResizeNearestNeighborOptionsEnd(b)
		},
	}
}

func bilinearOperator(half, corners bool) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorRESIZE_BILINEAR, OptionsType: schema.BuiltinOptionsResizeBilinearOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ResizeBilinearOptionsStart(b)
			schema.ResizeBilinearOptionsAddHalfPixelCenters(b, half)
			schema.ResizeBilinearOptionsAddAlignCorners(b, corners)
			return schema.ResizeBilinearOptionsEnd(b)
		},
	}
}
