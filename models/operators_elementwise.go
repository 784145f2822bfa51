package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func mulOperator() encode.Operator {
	return operator(schema.BuiltinOperatorMUL, schema.BuiltinOptionsMulOptions,
		schema.MulOptionsStart, schema.MulOptionsEnd)
}

func subOperator() encode.Operator {
	return operator(schema.BuiltinOperatorSUB, schema.BuiltinOptionsSubOptions,
		schema.SubOptionsStart, schema.SubOptionsEnd)
}

func minimumOperator() encode.Operator {
	return operator(schema.BuiltinOperatorMINIMUM, schema.BuiltinOptionsMaximumMinimumOptions,
		schema.MaximumMinimumOptionsStart, schema.MaximumMinimumOptionsEnd)
}

// meanOperator returns MEAN with reduced dimensions kept as 1.
func meanOperator() encode.Operator {
	return operator(schema.BuiltinOperatorMEAN, schema.BuiltinOptionsReducerOptions,
		schema.ReducerOptionsStart, schema.ReducerOptionsEnd, func(b *flatbuffers.Builder) {
			schema.ReducerOptionsAddKeepDims(b, true)
		})
}

// geluOperator returns GELU, with or without the approximation by tanh.
func geluOperator(approximate bool) encode.Operator {
	return operator(schema.BuiltinOperatorGELU, schema.BuiltinOptionsGeluOptions,
		schema.GeluOptionsStart, schema.GeluOptionsEnd, func(b *flatbuffers.Builder) {
			schema.GeluOptionsAddApproximate(b, approximate)
		})
}

// responseOperator returns AlexNet's normalisation: each channel is divided by (bias +
// alpha*s)^beta, where s is the sum of squares over the channels within radius.
func responseOperator(radius int32, bias, alpha, beta float32) encode.Operator {
	return operator(schema.BuiltinOperatorLOCAL_RESPONSE_NORMALIZATION, schema.BuiltinOptionsLocalResponseNormalizationOptions,
		schema.LocalResponseNormalizationOptionsStart, schema.LocalResponseNormalizationOptionsEnd, func(b *flatbuffers.Builder) {
			schema.LocalResponseNormalizationOptionsAddRadius(b, radius)
			schema.LocalResponseNormalizationOptionsAddBias(b, bias)
			schema.LocalResponseNormalizationOptionsAddAlpha(b, alpha)
			schema.LocalResponseNormalizationOptionsAddBeta(b, beta)
		})
}

func (w window) transposeConv() encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorTRANSPOSE_CONV,
		Version: 3, // the bias was added in version 3 of the operator

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
