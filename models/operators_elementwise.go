package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func mulOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorMUL,
		OptionsType: schema.BuiltinOptionsMulOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.MulOptionsStart(b)
			return schema.MulOptionsEnd(b)
		},
	}
}

func subOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSUB,
		OptionsType: schema.BuiltinOptionsSubOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SubOptionsStart(b)
			return schema.SubOptionsEnd(b)
		},
	}
}

func minimumOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorMINIMUM,
		OptionsType: schema.BuiltinOptionsMaximumMinimumOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.MaximumMinimumOptionsStart(b)
			return schema.MaximumMinimumOptionsEnd(b)
		},
	}
}

// meanOperator returns a mean that keeps the dimensions as ones.
func meanOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorMEAN,
		OptionsType: schema.BuiltinOptionsReducerOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ReducerOptionsStart(b)
			schema.ReducerOptionsAddKeepDims(b, true)
			return schema.ReducerOptionsEnd(b)
		},
	}
}

// geluOperator returns GELU, with or without the approximation by tanh.
func geluOperator(approximate bool) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorGELU,
		OptionsType: schema.BuiltinOptionsGeluOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.GeluOptionsStart(b)
			schema.GeluOptionsAddApproximate(b, approximate)
			return schema.GeluOptionsEnd(b)
		},
	}
}

// responseOperator returns the normalisation of AlexNet: each channel is divided by
// (bias + alpha*s)^beta, where s is the sum of squares over the channels within radius.
func responseOperator(radius int32, bias, alpha, beta float32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorLOCAL_RESPONSE_NORMALIZATION,
		OptionsType: schema.BuiltinOptionsLocalResponseNormalizationOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.LocalResponseNormalizationOptionsStart(b)
			schema.LocalResponseNormalizationOptionsAddRadius(b, radius)
			schema.LocalResponseNormalizationOptionsAddBias(b, bias)
			schema.LocalResponseNormalizationOptionsAddAlpha(b, alpha)
			schema.LocalResponseNormalizationOptionsAddBeta(b, beta)
			return schema.LocalResponseNormalizationOptionsEnd(b)
		},
	}
}

func (w window) transposeConv() encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorTRANSPOSE_CONV,
		Version: 3, // the bias came with the third version of the operator

		OptionsType: schema.BuiltinOptionsTransposeConvOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.TransposeConvOptionsStart(b)
			schema.TransposeConvOptionsAddPadding(b, w.padding)
			schema.TransposeConvOptionsAddStrideW(b, w.stride)
			schema.TransposeConvOptionsAddStrideH(b, w.stride)
			return schema.TransposeConvOptionsEnd(b)
		},
	}
}
